"""CorpusCard: which folder is searched, and what its owner says about it in ``corpus.toml``.

A folder needs no card. ``CORPUS`` is the name of a corpus shipped in this package or any folder.
"""

import re
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
)

from corpora.errors import CorpusNotFound, MalformedRecord
from corpora.first_fault import first_fault

CARD_FILE = "corpus.toml"
SHIPPED = Path(__file__).parent


Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class LabelRule(BaseModel):
    """Documents whose corpus-relative path matches ``glob`` carry ``labels``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    glob: str
    labels: tuple[Label, ...] = Field(min_length=1)

    @field_validator("glob")
    @classmethod
    def _can_match(cls, glob: str) -> str:
        """A rule that can match nothing would restrict nothing, and nobody would know."""
        if not glob or "\\" in glob or glob.startswith(("/", "./", "../")) or glob.endswith("/"):
            message = f"{glob!r} matches no path; below the root, parted by /, as in 'hr/**'"
            raise ValueError(message)
        return glob


class CorpusCard(BaseModel):
    """A corpus folder with its settings; every field has a default that suits a bare folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    """Names the build folder: letters, digits, ``.``, ``_``, ``-``."""
    root: Path
    """The folder that is ingested; never written to."""
    title: str = ""
    licence: str = ""
    languages: tuple[str, ...] = ()
    """Languages the corpus is known to hold, ISO 639-1; empty: detected."""
    cross_lingual: bool = False
    """Embed every chunk with the multilingual encoder too."""
    include: tuple[str, ...] = ("**/*",)
    """Globs below the root."""
    exclude: tuple[str, ...] = ("**/.*", "**/.*/**", "corpus.toml", "topics.jsonl")
    label_rules: tuple[LabelRule, ...] = ()
    supersedes: dict[str, str] = Field(default_factory=dict)
    """Newer document's path → the path it supersedes."""
    search: dict[str, object] = Field(default_factory=dict)
    """Settings of the index that are not the defaults; checked by the build, which knows them."""


def find_corpus(name_or_folder: str, *, name: str | None = None) -> CorpusCard:
    """The card of a shipped corpus or of a folder; ``name`` overrides the build folder's name.

    Raises:
        CorpusNotFound: neither a shipped corpus nor a folder.
        MalformedRecord: ``corpus.toml`` has an unknown key or a wrong type.
    """
    root = SHIPPED / name_or_folder
    is_shipped = re.fullmatch(r"[A-Za-z0-9_-]+", name_or_folder) and (root / CARD_FILE).is_file()
    if not is_shipped:
        root = Path(name_or_folder)
    if not root.is_dir():
        shipped = ", ".join(sorted(path.parent.name for path in SHIPPED.glob(f"*/{CARD_FILE}")))
        message = f"no corpus {name_or_folder!r}: not a folder, and shipped are {shipped}"
        raise CorpusNotFound(message)
    root = root.resolve()
    settings: dict[str, object] = {}
    card = root / CARD_FILE
    if card.is_file():
        try:
            settings = tomllib.loads(card.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            message = f"{str(card)!r} is no TOML: {error}"
            raise MalformedRecord(message) from error
    settings.setdefault("name", re.sub(r"[^A-Za-z0-9._-]+", "-", root.name).strip("-.") or "corpus")
    settings["root"] = root
    if name is not None:
        settings["name"] = name
    try:
        return CorpusCard.model_validate(settings)
    except ValidationError as error:
        allowed = ", ".join(CorpusCard.model_fields)
        message = f"{str(card)!r}: {first_fault(error)}; allowed keys are {allowed}"
        raise MalformedRecord(message) from error
