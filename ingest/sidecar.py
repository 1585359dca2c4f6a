"""Sidecar files: labels that lie beside what they restrict, for those who cannot edit corpus.toml.

``plan.pdf.labels`` labels ``plan.pdf``, and all that is in it if it is a container; a file named
``.labels`` labels its folder with everything below. One label a line; ``#`` begins a comment. They
add to what corpus.toml says and never take away. They are no documents.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from corpora.card import CorpusCard, LabelRule
from ingest.errors import IngestError

_SUFFIX = ".labels"
_LITERALS = {"*": "[*]", "?": "[?]", "[": "?"}
_MOST_BYTES = 64 * 2**10


def card_with_sidecars(card: CorpusCard) -> CorpusCard:
    """``card`` with the label rules of the sidecar files below its root.

    Raises:
        IngestError: a sidecar cannot be read. What it restricts must not be ingested without it.
    """
    rules = tuple(_rules(card.root))
    return card.model_copy(
        update={
            "label_rules": card.label_rules + rules,
            "exclude": (*card.exclude, f"**/*{_SUFFIX}"),
        }
    )


def _rules(root: Path) -> Iterator[LabelRule]:
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            if name.endswith(_SUFFIX):
                sidecar = Path(folder, name)
                labelled = sidecar.relative_to(root).as_posix().removesuffix(_SUFFIX)
                below = "**" if name == _SUFFIX else ""
                yield LabelRule(glob=_literal(labelled) + below, labels=_labels(sidecar))


def _labels(sidecar: Path) -> tuple[str, ...]:
    try:
        if sidecar.is_symlink() or not sidecar.is_file():
            message = f"{str(sidecar)!r} is no plain file; its labels cannot be told"
            raise IngestError(message)
        with sidecar.open("rb") as stream:
            text = stream.read(_MOST_BYTES + 1).decode("utf-8")
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
