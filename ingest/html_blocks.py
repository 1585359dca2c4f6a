"""HtmlBlocks: walks a lexbor tree and emits paragraphs, headings, items, rows and code.

Navigation, scripts and form controls are left out; what is styled invisible is kept but marked, as
its own block after the visible one, so that no sentence is torn apart by it.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpora.document import CELL, SegmentRole
from ingest.extract import BlockKind, ExtractBuilder, RowPlace

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_DROPPED_TAGS = (
    "script style template noscript svg math iframe object embed canvas audio video map "
    "select option button input textarea datalist head"
)
_INLINE_TAGS = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark "
    "nobr q s samp small span strike strong sub sup time tt u var wbr ruby rb rt rp"
)
_DROPPED = frozenset(_DROPPED_TAGS.split())
_INLINE = frozenset(_INLINE_TAGS.split())
_KINDS: dict[str, BlockKind] = {
    "li": "list_item",
    "dt": "list_item",
    "pre": "code",
    "caption": "caption",
    "figcaption": "caption",
    **{f"h{level}": "heading" for level in range(1, 7)},
}
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_LINE_BREAK = "\x01"  # a <br>, until blanks have been collapsed
_PARAGRAPH_BREAK = re.compile(rf"{_LINE_BREAK}\s*{_LINE_BREAK}\s*")
_LINE_END = re.compile(rf" ?{_LINE_BREAK} ?")
_MOST_NESTED_TABLES = 8


@dataclass(slots=True)
class _Open:
    """An open element and what holds inside it."""

    tag: str
    hidden: bool
    role: SegmentRole
    kind: BlockKind
    level: int
    in_article: bool = False
    """A footer in an article is a part of it; elsewhere it is the page's."""
    in_head: bool = False
    """Inside the head of a table."""


@dataclass(slots=True)
class _Table:
    number: int
    is_layout: bool
    n_rows: int = 0
    cells: list[str] | None = None
    """Cells of the open row; None between rows."""
    cell_tags: list[str] = field(default_factory=list)


class HtmlBlocks:
    """One walk over one page."""

    def __init__(self, *, drops_navigation: bool) -> None:
        self._dropped = _DROPPED | ({"nav"} if drops_navigation else set())
        self._builder = ExtractBuilder()
        self._open = [_Open("", hidden=False, role="body", kind="paragraph", level=0)]
        self._tables: list[_Table] = []
        self._n_tables = 0
        self._visible: list[str] = []
        self._hidden: list[str] = []

    def walk(self, root: "LexborNode | None") -> ExtractBuilder:
        """Everything below ``root``; without recursion, as pages nest 100,000 elements deep."""
        stack: list[LexborNode | None] = [root] if root is not None else []
        while stack:
            node = stack.pop()
            if node is None:
                self._leave()
                continue
            if node is not root and node.next is not None:
                stack.append(node.next)
            if node.is_text_node:
                part = self._hidden if self._open[-1].hidden else self._visible
                part.append(node.text_content or "")
            elif node.is_element_node and self._enter(node):
                stack.append(None)
                if node.first_child is not None:
                    stack.append(node.first_child)
        self._flush()
        return self._builder

    def _enter(self, node: "LexborNode") -> bool:
        tag = node.tag or ""
        if tag in self._dropped:
            return False
        if tag == "br":
            self._visible.append("\n" if self._open[-1].kind == "code" else _LINE_BREAK)
            return False
        if tag not in _INLINE:
            self._flush()
        self._open.append(self._inside(tag, node))
        if tag == "table":
            is_nested = len(self._tables) < _MOST_NESTED_TABLES and len(node.css("table")) > 1
            is_layout = is_nested or node.attributes.get("role") == "presentation"
            is_layout = is_layout or len(self._tables) >= _MOST_NESTED_TABLES
            self._tables.append(_Table(self._n_tables, is_layout))
            self._n_tables += 1
        elif tag == "tr" and self._tables and not self._tables[-1].is_layout:
            self._tables[-1].cells = []
            self._tables[-1].cell_tags = []
        return True

    def _inside(self, tag: str, node: "LexborNode") -> _Open:
        outer = self._open[-1]
        attributes = node.attributes
        style = attributes.get("style")
        is_hidden = "hidden" in attributes or (style and _HIDDEN_STYLE.search(style))
        role: SegmentRole = outer.role
        if tag == "footer" and not outer.in_article:
            role = "footer"
        kind = outer.kind
        if tag in _KINDS:
            kind = _KINDS[tag]
        elif tag in {"table", "dd"}:
            kind = "paragraph"
        level = int(tag[1]) if kind == "heading" and tag in _KINDS else outer.level
        return _Open(
            tag=tag,
            hidden=bool(is_hidden) or outer.hidden,
            role=role,
            kind=kind,
            level=level,
            in_article=outer.in_article or tag in {"article", "section"},
            in_head=tag == "thead" or (outer.in_head and tag != "table"),
        )

    def _leave(self) -> None:
        tag = self._open[-1].tag
        if tag not in _INLINE:
            self._flush()
        table = self._tables[-1] if self._tables else None
        if table is not None and table.cells is not None:
            if tag in {"td", "th"}:
                table.cells.append(_collapsed(self._visible).replace(_LINE_BREAK, " ").strip())
                table.cell_tags.append(tag)
                self._visible.clear()
            elif tag == "tr":
                self._add_row(table, table.cells)
        if tag == "table":
            self._tables.pop()
        self._open.pop()

    def _add_row(self, table: _Table, cells: list[str]) -> None:
        table.cells = None
        is_header = self._open[-1].in_head or (table.n_rows == 0 and set(table.cell_tags) == {"th"})
        if any(cells):
            place = RowPlace(table.number, table.n_rows, is_header)
            self._builder.add(CELL.join(cells), "table_row", role=self._open[-1].role, row=place)
            table.n_rows += 1
        self._visible.clear()
        self._flush_hidden()

    def _flush(self) -> None:
        """End the block: what was collected goes to the builder."""
        if self._tables and self._tables[-1].cells is not None:
            self._visible.append(" ")  # blocks inside a cell are parted by a blank
            return
        element = self._open[-1]
        if not self._visible:
            pass
        elif element.kind == "code":
            self._builder.add("".join(self._visible), "code", role=element.role)
        else:
            for paragraph in _PARAGRAPH_BREAK.split(_collapsed(self._visible)):
                text = _LINE_END.sub("\n", paragraph)
                self._builder.add(text, element.kind, level=element.level, role=element.role)
        self._visible.clear()
        self._flush_hidden()

    def _flush_hidden(self) -> None:
        if not self._hidden:
            return
        hidden = _collapsed(self._hidden).replace(_LINE_BREAK, " ")
        self._builder.add(hidden, role=self._open[-1].role, hidden=True)
        self._hidden.clear()


def _collapsed(parts: list[str]) -> str:
    return _BLANKS.sub(" ", "".join(parts))
