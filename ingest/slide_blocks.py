"""SlideBlocks: turns the shapes of a PPTX slide into blocks."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from corpora.document import CELL, SegmentRole
from ingest.archive import Archive
from ingest.extract import BlockKind, ExtractBuilder, RowPlace
from ingest.package_parts import Relation
from ingest.slide_graphics import chart_caption, chart_rows, diagram_points, shown_text
from ingest.xml_part import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_D = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TITLES = {"title", "ctrTitle"}
_EDGES = {"ftr", "dt", "hdr"}
_BULLETED = {"body", "obj"}
"""Placeholders whose paragraphs are bullets unless they say otherwise."""


class SlideBlocks:
    """Reads the slides of one presentation into one builder."""

    def __init__(self, builder: ExtractBuilder, archive: Archive) -> None:
        self._builder = builder
        self._archive = archive
        self._n_tables = 0
        self._has_heading = False

    def read(
        self, slide: "_Element", linked: Mapping[str, Relation], *, number: int, hidden: bool
    ) -> None:
        """Title first, then every shape in the order in which the file holds them."""
        shapes = list(_shapes(slide, hidden=hidden))
        titles = [shape for shape, is_hidden in shapes if _is_title(shape) and is_hidden == hidden]
        heading = " ".join(_words(shape) for shape in titles)
        if not heading and self._has_heading and not hidden:
            heading = f"Slide {number}"  # else its words would stand below the title before
        if self._builder.add(heading, "heading", level=1, hidden=hidden) and not hidden:
            self._has_heading = True
        for shape, is_hidden in shapes:
            if shape in titles:
                continue
            if shape.tag == f"{_P}sp":
                self._add_paragraphs(shape, hidden=is_hidden)
            else:
                self._add_graphic(shape, linked, hidden=is_hidden)

    def read_notes(self, notes: "_Element", *, hidden: bool) -> None:
        """The speaker's words; the slide's picture and number on the page are left out."""
        for shape, is_hidden in _shapes(notes, hidden=hidden):
            if shape.tag == f"{_P}sp" and _placeholder(shape) == "body":
                for paragraph in shape.iter(f"{_A}p"):
                    self._builder.add(shown_text(paragraph), role="note", hidden=is_hidden)

    def _add_paragraphs(self, shape: "_Element", *, hidden: bool) -> None:
        placeholder = _placeholder(shape)
        if placeholder == "sldNum":
            return
        role: SegmentRole = "footer" if placeholder in _EDGES else "body"
        for paragraph in shape.iter(f"{_A}p"):
            kind: BlockKind = "paragraph"
            if _has_bullet(paragraph, by_default=placeholder in _BULLETED):
                kind = "list_item"
            self._builder.add(shown_text(paragraph), kind, role=role, hidden=hidden)

    def _add_graphic(
        self, frame: "_Element", linked: Mapping[str, Relation], *, hidden: bool
    ) -> None:
        for table in frame.iter(f"{_A}tbl"):
            rows = [[_words(cell) for cell in row.iter(f"{_A}tc")] for row in table.iter(f"{_A}tr")]
            self._add_rows(rows, has_header=bool(rows) and all(rows[0]), hidden=hidden)
        for chart in frame.iter(f"{_C}chart"):
            relation = linked.get(chart.get(f"{_R}id") or "")
            if relation is not None:
                root = parse_xml(self._archive, relation.part)
                self._builder.add(chart_caption(root), "caption", hidden=hidden)
                self._add_rows(chart_rows(root), has_header=True, hidden=hidden)
        for diagram in frame.iter(f"{_D}relIds"):
            relation = linked.get(diagram.get(f"{_R}dm") or "")
            if relation is not None:
                for point in diagram_points(parse_xml(self._archive, relation.part)):
                    self._builder.add(point, "list_item", hidden=hidden)

    def _add_rows(self, rows: list[list[str]], *, has_header: bool, hidden: bool) -> None:
        number = self._n_tables
        self._n_tables += 1
        n_rows = 0
        for cells in rows:
            if any(cells):
                place = RowPlace(number, n_rows, has_header and n_rows == 0)
                self._builder.add(CELL.join(cells), "table_row", hidden=hidden, row=place)
                n_rows += 1


def _shapes(tree: "_Element", *, hidden: bool) -> "Iterator[tuple[_Element, bool]]":
    """Shapes with text and graphic frames, out of their groups, each with whether it is hidden."""
    for node in tree:
        named = node.find(f"./*/{_P}cNvPr")
        is_hidden = hidden or (named is not None and named.get("hidden") in {"1", "true"})
        if node.tag in {f"{_P}sp", f"{_P}graphicFrame"}:
            yield node, is_hidden
        elif node.tag in {f"{_P}cSld", f"{_P}spTree", f"{_P}grpSp"}:
            yield from _shapes(node, hidden=is_hidden)
        elif node.tag == f"{_COMPATIBILITY}AlternateContent" and len(node):
            yield from _shapes(node[0], hidden=is_hidden)  # the others show the same once more


def _placeholder(shape: "_Element") -> str:
    """Type of the placeholder that the shape fills; empty: it fills none."""
    found = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return "" if found is None else found.get("type") or "obj"


def _is_title(shape: "_Element") -> bool:
    return shape.tag == f"{_P}sp" and _placeholder(shape) in _TITLES


def _has_bullet(paragraph: "_Element", *, by_default: bool) -> bool:
    properties = paragraph.find(f"{_A}pPr")
    marks = {child.tag for child in properties} if properties is not None else set()
    if marks & {f"{_A}buChar", f"{_A}buAutoNum", f"{_A}buBlip"}:
        return True
    return by_default and f"{_A}buNone" not in marks


def _words(shape: "_Element") -> str:
    """All its paragraphs on one line."""
    return " ".join(" ".join(shown_text(p) for p in shape.iter(f"{_A}p")).split())
