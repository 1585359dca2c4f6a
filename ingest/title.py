"""The title of a document: its own, its first heading's, else its file's name."""

import re
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from ingest.canonical import canonical_text
from ingest.extract import Extract

TitleSource = Literal["document", "heading", "file name"]
_SENSELESS = re.compile(
    r"(?i)\s*(?:microsoft (?:word|powerpoint|excel)\b.*|untitled\b.*|unbenannt\b.*"
    r"|(?:new )?document\s*\d*"
    r"|powerpoint presentation|slide \d+|title"
    r"|.*\.(?:docx?|pdf|indd|tex|qxd|dvi|pptx?|xlsx?|odt))\s*"
)
_TITLE_CHARS = 300


class Title(NamedTuple):
    """A title and where it was read."""

    text: str
    source: TitleSource


def find_title(extract: Extract, path: str) -> Title:
    """The best title there is; what word processors fill in by themselves does not count."""
    own = _tidy(extract.title)
    if own and not _SENSELESS.fullmatch(own):
        return Title(own, "document")
    for block in extract.blocks:
        if block.kind == "heading" and not block.hidden and block.role == "body":
            heading = _tidy(block.heading)
            if heading:
                return Title(heading, "heading")
    return Title(title_from_name(path), "file name")


def title_from_name(path: str) -> str:
    """The stem of the file's name."""
    name = PurePosixPath(path)
    return _tidy(name.stem) or name.name


def _tidy(text: str) -> str:
    return " ".join(canonical_text(text).text.split())[:_TITLE_CHARS]
