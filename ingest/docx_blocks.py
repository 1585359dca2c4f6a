"""DocxBlocks: turns WordprocessingML into blocks."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpora.document import CELL, SegmentRole
from ingest.extract import BlockKind, ExtractBuilder, RowPlace

if TYPE_CHECKING:
    from lxml.etree import _Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ALTERNATIVE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_LEFT_OUT = {
    f"{_W}{tag}" for tag in ("del", "moveFrom", "instrText", "delText", "pPr", "rPr", "sdtPr", "rt")
}
_WORDS = {f"{_W}t", "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"}
_SHADES = [f"{_W}background"] + [
    f"{_W}{mark}/{_W}{how}"
    for mark in ("rPr", "pPr")
    for how in ("shd", "highlight", "pStyle", "rStyle")
]
_UNSEEN_HALF_POINTS = 3
"""Letters of less than 2 points cannot be read."""
_LEFT_OUT.add(_ALTERNATIVE)  # the same text box once more, for older readers
_MARKS = {f"{_W}tab": " ", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}
_HEADING_NAME = re.compile(r"heading (\d)")
_TITLE_LEVEL = 1


class Styles:
    """Heading levels and other styles by style id; their names are English in every Word."""

    def __init__(self, root: "_Element | None") -> None:
        self._names: dict[str, str] = {}
        self._based_on: dict[str, str] = {}
        self._vanished: set[str] = set()
        for style in root.iter(f"{_W}style") if root is not None else ():
            style_id = style.get(f"{_W}styleId") or ""
            self._names[style_id] = _value(style.find(f"{_W}name")).lower()
            self._based_on[style_id] = _value(style.find(f"{_W}basedOn"))
            if _is_on(style.find(f"{_W}rPr/{_W}vanish")):
                self._vanished.add(style_id)

    def level(self, style_id: str) -> int:
        """Heading level of the style or of those it is based on; 0: no heading."""
        for name in self._ancestry(style_id):
            found = _HEADING_NAME.fullmatch(name)
            if found:
                return int(found.group(1))
        return 0

    def is_title(self, style_id: str) -> bool:
        """Whether it is the style of the document's title."""
        return self._names.get(style_id) == "title"

    def is_list(self, style_id: str) -> bool:
        """Whether it is one of Word's list styles."""
        return any(name.startswith("list ") for name in self._ancestry(style_id))

    def is_caption(self, style_id: str) -> bool:
        """Whether it is the style of captions."""
        return self._names.get(style_id) == "caption"

    def is_hidden(self, style_id: str) -> bool:
        """Whether the style, or one it is based on, hides its text."""
        return not self._vanished.isdisjoint(self._lineage(style_id))

    def _ancestry(self, style_id: str) -> Iterator[str]:
        return (self._names.get(each, "") for each in self._lineage(style_id))

    def _lineage(self, style_id: str) -> Iterator[str]:
        seen: set[str] = set()
        while style_id and style_id not in seen:
            seen.add(style_id)
            yield style_id
            style_id = self._based_on.get(style_id, "")


class DocxBlocks:
    """Reads bodies, notes and edges of one document into one builder."""

    def __init__(self, builder: ExtractBuilder, styles: Styles) -> None:
        self._builder = builder
        self._styles = styles
        self._n_tables = 0
        self.title = ""

    def read(self, root: "_Element", *, role: SegmentRole) -> None:
        """Every paragraph and table below ``root``, in order."""
        for child in root:
            if child.tag == f"{_W}p":
                self._add_paragraph(child, role)
            elif child.tag == f"{_W}tbl":
                self._add_table(child, role)
            elif isinstance(child.tag, str) and child.tag not in _LEFT_OUT:
                self.read(child, role=role)  # content controls, custom XML, insertions

    def _add_paragraph(self, paragraph: "_Element", role: SegmentRole) -> None:
        style_id = _value(paragraph.find(f"{_W}pPr/{_W}pStyle"))
        visible, hidden = self._texts(paragraph)
        level = self._styles.level(style_id)
        is_title = self._styles.is_title(style_id)
        if is_title and not self.title:
            self.title = " ".join(visible.split())
        kind: BlockKind = "paragraph"
        if is_title or level:
            kind, level = "heading", level or _TITLE_LEVEL
        elif paragraph.find(f"{_W}pPr/{_W}numPr") is not None or self._styles.is_list(style_id):
            kind = "list_item"
        elif self._styles.is_caption(style_id):
            kind = "caption"
        self._builder.add(visible, kind, level=level, role=role)
        self._builder.add(hidden, role=role, hidden=True)
        for box in paragraph.iter(f"{_W}txbxContent"):
            if not _is_left_out(box, paragraph):
                self.read(box, role=role)

    def _add_table(self, table: "_Element", role: SegmentRole) -> None:
        number = self._n_tables
        self._n_tables += 1
        n_rows = 0
        for row in table.iter(f"{_W}tr"):
            if _is_left_out(row, table) or _nearest_table(row) is not table:
                continue
            if row.find(f"{_W}trPr/{_W}del") is not None:
                continue
            cells = []
            hidden = []
            for cell in row.iter(f"{_W}tc"):
                if _nearest_table(cell) is not table:
                    continue  # a table in a cell: its words belong to this cell
                texts = [self._texts(paragraph) for paragraph in cell.iter(f"{_W}p")]
                cells.append(" ".join(" ".join(text for text, _ in texts).split()))
                hidden += [text for _, text in texts if text]
            if any(cells):
                is_header = n_rows == 0 or row.find(f"{_W}trPr/{_W}tblHeader") is not None
                place = RowPlace(number, n_rows, is_header and all(cells))
                self._builder.add(CELL.join(cells), "table_row", role=role, row=place)
                n_rows += 1
            self._builder.add(" ".join(hidden), role=role, hidden=True)

    def _texts(self, paragraph: "_Element") -> tuple[str, str]:
        """Visible and hidden text of a paragraph, without that of text boxes anchored in it."""
        style_id = _value(paragraph.find(f"{_W}pPr/{_W}pStyle"))
        is_hidden = self._styles.is_hidden(style_id)
        visible: list[str] = []
        hidden: list[str] = []
        stack = list(reversed(paragraph))
        while stack:
            node = stack.pop()
            if node.tag in _LEFT_OUT or node.tag in {f"{_W}txbxContent", f"{_W}p"}:
                continue
            if node.tag in _WORDS:
                is_unseen = self._is_unseen(node.getparent(), by_paragraph=is_hidden)
                (hidden if is_unseen else visible).append(node.text or "")
            elif node.tag in _MARKS:
                visible.append(_MARKS[node.tag])
            else:
                stack += reversed(node)
        return "".join(visible), "".join(hidden)

    def _is_unseen(self, run: "_Element | None", *, by_paragraph: bool) -> bool:
        """Whether a run is hidden, too small to be read, or white on the page's own white."""
        properties = run.find(f"{_W}rPr") if run is not None else None
        if run is None or properties is None:
            return by_paragraph
        vanish = properties.find(f"{_W}vanish")
        if vanish is not None:
            return _is_on(vanish)
        if by_paragraph or self._styles.is_hidden(_value(properties.find(f"{_W}rStyle"))):
            return True
        size = _value(properties.find(f"{_W}sz"))
        if size.isdecimal() and int(size[:6]) <= _UNSEEN_HALF_POINTS:
            return True
        is_white = _value(properties.find(f"{_W}color")).upper() == "FFFFFF"
        return is_white and not _is_shaded(run)


def _is_on(mark: "_Element | None") -> bool:
    return mark is not None and (mark.get(f"{_W}val") or "true") not in {"0", "false", "off"}


def _is_shaded(run: "_Element") -> bool:
    """Whether something dark may lie behind it: a shading, a table's style, a box, the page's."""
    behind = {f"{_W}tbl", f"{_W}txbxContent"}
    return any(
        part.tag in behind or any(part.find(path) is not None for path in _SHADES)
        for part in [run, *run.iterancestors()]
    )


def _is_left_out(node: "_Element", root: "_Element") -> bool:
    parent = node.getparent()
    while parent is not None and parent is not root:
        if parent.tag in _LEFT_OUT:
            return True
        parent = parent.getparent()
    return False


def _nearest_table(node: "_Element") -> "_Element | None":
    return next(node.iterancestors(f"{_W}tbl"), None)


def _value(node: "_Element | None") -> str:
    return (node.get(f"{_W}val") or "") if node is not None else ""
