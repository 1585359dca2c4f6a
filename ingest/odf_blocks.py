"""OdfBlocks: turns the XML of OpenDocument texts and slides into blocks."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpora.document import CELL, SegmentRole
from ingest.extract import BlockKind, ExtractBuilder, RowPlace

if TYPE_CHECKING:
    from lxml.etree import _Element

_NAMESPACE = "{{urn:oasis:names:tc:opendocument:xmlns:{}:1.0}}"
OFFICE, STYLE, _TEXT, _TABLE, _DRAW, _SHOW = (
    _NAMESPACE.format(name)
    for name in ("office", "style", "text", "table", "drawing", "presentation")
)
_MARKS = {f"{_TEXT}tab": " ", f"{_TEXT}line-break": "\n"}
_HIDDEN_TEXT = {f"{_TEXT}hidden-text", f"{_TEXT}hidden-paragraph"}
_LEFT_OUT = {
    *(f"{_TEXT}{tag}" for tag in ("tracked-changes", "sequence-decls", "index-title-template")),
    *(f"{_TEXT}{tag}" for tag in ("table-of-content-source", "alphabetical-index-source")),
    f"{OFFICE}annotation",
    f"{OFFICE}forms",
}
_APART = {f"{_TEXT}note", *(f"{_DRAW}{tag}" for tag in ("frame", "custom-shape", "g"))}
"""Stands inside a paragraph but is read after it, as paragraphs of its own."""
_BOXES = (f"{_DRAW}text-box", f"{_DRAW}custom-shape")
_BLANKS = re.compile(r"[ \t\r\n]+")  # the format's own line breaks are elements


class OdfStyles:
    """What the blocks need to know of styles: which are titles, captions, hidden."""

    def __init__(self, content: "_Element", styles: "_Element | None") -> None:
        self._parents: dict[str, str] = {}
        self._hidden: set[str] = set()
        for root in (content, styles):
            for style in root.iter(f"{STYLE}style") if root is not None else ():
                name = style.get(f"{STYLE}name") or ""
                self._parents[name] = style.get(f"{STYLE}parent-style-name") or ""
                text = style.find(f"{STYLE}text-properties")
                page = style.find(f"{STYLE}drawing-page-properties")
                is_hidden = text is not None and text.get(f"{_TEXT}display") == "none"
                if page is not None and page.get(f"{_SHOW}visibility") == "hidden":
                    is_hidden = True
                if is_hidden:
                    self._hidden.add(name)

    def has(self, name: str, wanted: str) -> bool:
        """Whether ``name`` is the style ``wanted`` or is made from it."""
        return wanted in self._ancestry(name)

    def is_hidden(self, name: str) -> bool:
        """Whether text or slides of this style are not shown."""
        return any(ancestor in self._hidden for ancestor in self._ancestry(name))

    def _ancestry(self, name: str) -> Iterator[str]:
        seen: set[str] = set()
        while name and name not in seen:
            seen.add(name)
            yield name
            name = self._parents.get(name, "")


class OdfBlocks:
    """Reads bodies, edges and slides of one document into one builder."""

    def __init__(self, builder: ExtractBuilder, styles: OdfStyles) -> None:
        self._builder = builder
        self._styles = styles
        self._n_tables = 0
        self._has_heading = False
        self.title = ""

    def read(
        self, root: "_Element", *, role: SegmentRole, in_list: bool = False, hidden: bool = False
    ) -> None:
        """Every heading, paragraph, item and table below ``root``, in order."""
        for child in root:
            if child.tag in {f"{_TEXT}p", f"{_TEXT}h"}:
                self._add_paragraph(child, role, in_list=in_list, hidden=hidden)
            elif child.tag == f"{_TABLE}table":
                self._add_table(child, role, hidden=hidden)
            elif isinstance(child.tag, str) and child.tag not in _LEFT_OUT:
                is_item = in_list or child.tag == f"{_TEXT}list-item"
                is_hidden = hidden or child.get(f"{_TEXT}display") == "none"
                self.read(child, role=role, in_list=is_item, hidden=is_hidden)

    def read_slide(self, page: "_Element", *, number: int) -> None:
        """Title first, then every frame in order, then the speaker's notes."""
        hidden = self._styles.is_hidden(page.get(f"{_DRAW}style-name") or "")
        notes = page.find(f"{_SHOW}notes")
        frames = [child for child in page if child is not notes]
        titles = [frame for frame in frames if frame.get(f"{_SHOW}class") == "title"]
        heading = " ".join(self._words(title) for title in titles)
        if not heading and self._has_heading and not hidden:
            heading = f"Slide {number}"  # else its words would stand below the title before
        if self._builder.add(heading, "heading", level=1, hidden=hidden) and not hidden:
            self._has_heading = True
        for frame in frames:
            if frame not in titles:
                self._read_frame(frame, "body", hidden=hidden)
        for frame in notes if notes is not None else ():
            if frame.get(f"{_SHOW}class") == "notes":
                self._read_frame(frame, "note", hidden=hidden)

    def _read_frame(self, frame: "_Element", role: SegmentRole, *, hidden: bool) -> None:
        if frame.tag == f"{_DRAW}g":
            for child in frame:
                self._read_frame(child, role, hidden=hidden)
        elif isinstance(frame.tag, str) and frame.tag not in _LEFT_OUT:
            self.read(frame, role=role, hidden=hidden)

    def _add_paragraph(
        self, paragraph: "_Element", role: SegmentRole, *, in_list: bool, hidden: bool
    ) -> None:
        style = paragraph.get(f"{_TEXT}style-name") or ""
        visible, unseen = self._texts(paragraph)
        is_hidden = hidden or self._styles.is_hidden(style)
        kind: BlockKind = "list_item" if in_list else "paragraph"
        level = 0
        if paragraph.tag == f"{_TEXT}h":
            written = paragraph.get(f"{_TEXT}outline-level") or "1"
            kind, level = "heading", int(written) if written.isdecimal() else 1
        elif self._styles.has(style, "Title"):
            kind, level = "heading", 1
            self.title = self.title or " ".join(visible.split())
        elif self._styles.has(style, "Caption"):
            kind = "caption"
        self._builder.add(visible, kind, level=level, role=role, hidden=is_hidden)
        self._builder.add(unseen, role=role, hidden=True)
        for node in paragraph.iter(f"{_TEXT}note-body", *_BOXES):
            if next(node.iterancestors(f"{_TEXT}p", f"{_TEXT}h"), None) is paragraph:
                is_note = node.tag == f"{_TEXT}note-body"
                self.read(node, role="note" if is_note else role, hidden=is_hidden)

    def _add_table(self, table: "_Element", role: SegmentRole, *, hidden: bool) -> None:
        number = self._n_tables
        self._n_tables += 1
        n_rows = 0
        for row in table.iter(f"{_TABLE}table-row"):
            if next(row.iterancestors(f"{_TABLE}table"), None) is not table:
                continue  # a table in a cell: its words belong to this cell
            cells = [self._words(cell) for cell in row if cell.tag == f"{_TABLE}table-cell"]
            if any(cells):
                in_head = next(row.iterancestors(f"{_TABLE}table-header-rows"), None) is not None
                place = RowPlace(number, n_rows, (in_head or n_rows == 0) and all(cells))
                text = CELL.join(cells)
                self._builder.add(text, "table_row", role=role, hidden=hidden, row=place)
                n_rows += 1

    def _words(self, node: "_Element") -> str:
        """All visible paragraphs on one line."""
        paragraphs = node.iter(f"{_TEXT}p", f"{_TEXT}h")
        return " ".join(" ".join(self._texts(paragraph)[0] for paragraph in paragraphs).split())

    def _texts(self, paragraph: "_Element") -> tuple[str, str]:
        """Visible and hidden text of a paragraph, without notes and boxes anchored in it."""
        parts: tuple[list[str], list[str]] = ([], [])
        self._collect(paragraph, parts, is_hidden=False)
        return "".join(parts[0]), "".join(parts[1])

    def _collect(
        self, node: "_Element", parts: tuple[list[str], list[str]], *, is_hidden: bool
    ) -> None:
        if node.text:
            parts[is_hidden].append(_BLANKS.sub(" ", node.text))
        for child in node:
            if child.tag == f"{_TEXT}s":
                written = child.get(f"{_TEXT}c") or "1"
                is_number = written.isdecimal() and len(written) < 4
                parts[is_hidden].append(" " * (int(written) if is_number else 1))
            elif child.tag in _MARKS:
                parts[is_hidden].append(_MARKS[child.tag])
            elif child.tag in _HIDDEN_TEXT:
                parts[1].append(child.get(f"{_TEXT}string-value") or "".join(child.itertext()))
            elif isinstance(child.tag, str) and child.tag not in _LEFT_OUT | _APART:
                style = child.get(f"{_TEXT}style-name") or ""
                is_unseen = is_hidden or self._styles.is_hidden(style)
                self._collect(child, parts, is_hidden=is_unseen)
            if child.tail:
                parts[is_hidden].append(_BLANKS.sub(" ", child.tail))
