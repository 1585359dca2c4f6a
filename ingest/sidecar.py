"""Sidecar files: labels that lie beside what they restrict, for those who cannot edit corpus.toml.

``plan.pdf.labels`` labels ``plan.pdf``, and all that is in it if it is a container; a file named
``.labels`` labels its folder with everything below. One label a line; ``#`` begins a comment. They
add to what corpus.toml says and never take away. They are no documents. Inside a container they are
not read: what they label there is refused (see ``labelled_inside``).
"""

import os
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpora.card import CARD_FILE, CorpusCard, LabelRule
from ingest.errors import IngestError
from ingest.glob_pattern import matches_any

_SUFFIX = ".labels"
_ANY_CASE = "".join(f"[{sign}{sign.upper()}]" if sign.isalpha() else sign for sign in _SUFFIX)
_LITERALS = {"*": "[*]", "?": "[?]", "[": "?"}
_MOST_BYTES = 64 * 2**10


def card_with_sidecars(card: CorpusCard) -> CorpusCard:
    """``card`` with the label rules of the sidecar files below its root.

    Raises:
        IngestError: a sidecar cannot be read (what it restricts must not be ingested without it),
            or a rule's glob is none.
    """
    for rule in card.label_rules:
        matches_any("", (rule.glob,))  # a glob that is none would end every file as crashed
    rules = tuple(_rules(card.root))
    return card.model_copy(
        update={
            "label_rules": card.label_rules + rules,
            "exclude": (*card.exclude, CARD_FILE, f"**/*{_ANY_CASE}"),
        }
    )


def labelled_inside(paths: Iterable[str]) -> dict[str, str]:
    """Paths in one container that a sidecar beside them labels, each with the sidecar's path."""
    names = {path: unicodedata.normalize("NFC", path) for path in paths}
    found: dict[str, str] = {}
    for sidecar in filter(is_sidecar, names):
        labelled = names[sidecar][: -len(_SUFFIX)]
        is_folder = labelled == "" or labelled.endswith("/")
        for path, name in names.items():
            if name.startswith(labelled) if is_folder else name == labelled:
                found.setdefault(path, sidecar)
    return found


def is_sidecar(name: str) -> bool:
    """Whether a file of this name holds labels; file systems differ in case."""
    return name.lower().endswith(_SUFFIX)


def _rules(root: Path) -> Iterator[LabelRule]:
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            if is_sidecar(name):
                sidecar = Path(folder, name)
                labelled = sidecar.relative_to(root).as_posix()[: -len(_SUFFIX)]
                below = "**" if len(name) == len(_SUFFIX) else ""
                yield LabelRule(glob=_literal(labelled) + below, labels=_labels(sidecar))


def _labels(sidecar: Path) -> tuple[str, ...]:
    try:
        if sidecar.is_symlink() or not sidecar.is_file():
            message = f"{str(sidecar)!r} is no plain file; its labels cannot be told"
            raise IngestError(message)
        with sidecar.open("rb") as stream:
            text = stream.read(_MOST_BYTES + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{str(sidecar)!r} cannot be read ({error}); its labels cannot be told"
        raise IngestError(message) from error
    if len(text) > _MOST_BYTES:
        message = f"{str(sidecar)!r} is larger than {_MOST_BYTES} bytes; one label a line"
        raise IngestError(message)
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    labels = tuple(line for line in lines if line)
    if not labels:
        message = f"{str(sidecar)!r} holds no label; one label a line, or delete it"
        raise IngestError(message)
    return labels


def _literal(path: str) -> str:
    """A glob that ``path`` matches; no other, but for any sign in place of a ``[``."""
    return "".join(_LITERALS.get(sign, sign) for sign in path)
