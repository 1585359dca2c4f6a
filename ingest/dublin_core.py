"""DublinCore: what an office document or a book says about itself in Dublin Core's terms."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

_ELEMENTS = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_DATES = (f"{_TERMS}modified", f"{_TERMS}created", f"{_ELEMENTS}date")


class DublinCore(NamedTuple):
    """Title, date and author as written; each empty where the document is silent."""

    title: str = ""
    date: str = ""
    author: str = ""

    @property
    def metadata(self) -> dict[str, str]:
        """What of it goes into a document's metadata."""
        return {"author": self.author} if self.author else {}


def dublin_core(root: "_Element") -> DublinCore:
    """The first title, date and author anywhere below ``root``; a revision's date comes first."""
    dates = (_first(root, tag) for tag in _DATES)
    return DublinCore(
        title=_first(root, f"{_ELEMENTS}title"),
        date=next((date for date in dates if date), ""),
        author=_first(root, f"{_ELEMENTS}creator"),
    )


def _first(root: "_Element", tag: str) -> str:
    for node in root.iter(tag):
        words = " ".join("".join(node.itertext()).split())
        if words:
            return words
    return ""
