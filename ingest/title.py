"""The title of a document: its own, its first heading's, else its file's name.

Where a file lies at places with different labels, its names could tell what only some may see: then
its opening words are its title.
"""

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
_OPENING_CHARS = 60


class Title(NamedTuple):
    """A title and where it was read."""

    text: str
    source: TitleSource


def find_title(extract: Extract, path: str) -> Title:
    """The best title there is; what word processors fill in by themselves does not count.

    ``path`` is empty where names must not be told.
    """
    own = _tidy(extract.title)
    if own and not _SENSELESS.fullmatch(own):
        return Title(own, "document")
    for block in extract.blocks:
        if block.kind == "heading" and not block.hidden and block.role == "body":
            heading = _tidy(block.heading)
            if heading:
                return Title(heading, "heading")
    return Title(title_from_name(path, extract.text), "file name")


def title_from_name(path: str, text: str) -> str:
    """The stem of the file's name, or without a path the opening words of the text."""
    if not path:
        opening = _tidy(text[:_TITLE_CHARS])
        return opening if len(opening) <= _OPENING_CHARS else opening[: _OPENING_CHARS - 1] + "…"
    name = PurePosixPath(path)
    return _tidy(name.stem) or name.name


def _tidy(text: str) -> str:
    return " ".join(canonical_text(text).text.split())[:_TITLE_CHARS]
