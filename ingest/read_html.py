"""HTML: visible text block by block from lexbor's tree, and what the page says about itself.

Why not trafilatura or readability: they drop a sixth of the table cells of reference manuals.
"""

import re
from typing import TYPE_CHECKING

from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.html_blocks import HtmlBlocks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

HTML_VERSION = 1
_MOST_NESTED = 5_000
"""HTML's own rules make parsing quadratic in depth: 100,000 nested elements take minutes."""
_BLOCK_TAG = re.compile(
    r"<(/?)(?:div|section|article|main|aside|blockquote|center|ul|ol|dl|fieldset|form|span)\b",
    re.IGNORECASE,
)
_DATE_NAMES = (
    "article:published_time",
    "date",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "last-modified",
)


def read_html(raw: str) -> Extract:
    """Blocks of an HTML page; a page that is nothing but navigation is read with it.

    Raises:
        ExtractionFailed: nested too deep to be parsed in sensible time (``refused``).
    """
    from selectolax.lexbor import LexborHTMLParser

    depth = _nesting(raw)
    if depth > _MOST_NESTED:
        message = f"elements nested {depth} deep; {_MOST_NESTED} are allowed"
        raise ExtractionFailed(message, state="refused")
    parser = LexborHTMLParser(raw)
    builder = HtmlBlocks(drops_navigation=True).walk(parser.root)
    if not builder.blocks:
        builder = HtmlBlocks(drops_navigation=False).walk(parser.root)
    metas = _metas(parser)
    title_node = parser.css_first("head > title")
    title = title_node.text() if title_node is not None else ""
    date = next((metas[name] for name in _DATE_NAMES if metas.get(name)), None)
    return Extract(
        text=builder.text,
        blocks=tuple(builder.blocks),
        title=" ".join((title or metas.get("og:title", "")).split()),
        date=date,
        date_source="HTML meta" if date else None,
        metadata={name: metas[name] for name in ("author", "keywords") if metas.get(name)},
        n_replaced=builder.n_replaced,
    )


def _nesting(raw: str) -> int:
    """Greatest number of block elements open at once, told from the tags alone."""
    depth = deepest = 0
    for tag in _BLOCK_TAG.finditer(raw):
        depth = max(0, depth + (-1 if tag.group(1) else 1))
        deepest = max(deepest, depth)
    return deepest


def _metas(parser: "LexborHTMLParser") -> dict[str, str]:
    metas: dict[str, str] = {}
    for node in parser.css("meta[content]"):
        names = (node.attributes.get(key) for key in ("name", "property", "http-equiv"))
        name = next((name for name in names if name), None)
        if name:
            metas.setdefault(name.lower(), node.attributes.get("content") or "")
    return metas
