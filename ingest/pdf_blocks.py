"""Blocks of a PDF from its lines: paragraphs, headings, list items and table rows.

Running headers and footers stand at the end of the text: a paragraph that runs on over the page
then stays whole, and so do its sentences and chunks.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpora.document import CELL, PageSpan, SegmentRole
from ingest.canonical import canonical_text
from ingest.extract import BlockKind, Extract, ExtractBuilder, LineBox, RowPlace
from ingest.pdf_furniture import furniture
from ingest.pdf_headings import OutlineEntry, heading_levels
from ingest.pdf_hyphens import LineEndHyphens, ends_hyphenated
from ingest.pdf_lines import Line
from ingest.pdf_paragraphs import BULLET, WIDE, LineFlow
from ingest.pdf_table_rows import TableNumbers, row_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Lines of one block; those of one table row are parted by cells."""

    lines: tuple[Line, ...]
    level: int = 0
    role: SegmentRole = "body"


class PdfBlocks:
    """Collects blocks and the boxes of their lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._builder = ExtractBuilder()
        self._boxes: list[LineBox] = []
        self._hyphens = LineEndHyphens([line.text for line in lines])
        self._tables = TableNumbers()

    def add(self, group: _Group) -> None:
        """Append one block."""
        if group.lines[0].cell is not None:
            self._add_row(group)
            return
        bullet = None if group.level else BULLET.match(group.lines[0].text)
        kind: BlockKind = "heading" if group.level else "list_item" if bullet else "paragraph"
        text, boxes = self._joined(group.lines, bullet.end() if bullet else 0)
        self._append(text, boxes, kind, group)

    def _add_row(self, group: _Group) -> None:
        text = ""
        boxes: list[LineBox] = []
        cells = row_cells(group.lines)
        for column, cell in enumerate(cells):
            text += CELL if column else ""
            words, found = self._joined(cell, 0)
            boxes += [
                LineBox(len(text) + start, len(text) + end, box, confidence)
                for start, end, box, confidence in found
            ]
            text += words
        place, is_repeated = self._tables.place(group.lines, text, is_filled=all(cells))
        row = _Group(lines=group.lines, role="header" if is_repeated else group.role)
        self._append(text, boxes, "table_row", row, place)

    def _append(
        self,
        text: str,
        boxes: Sequence[LineBox],
        kind: BlockKind,
        group: _Group,
        row: RowPlace | None = None,
    ) -> None:
        block = self._builder.add(
            text,
            kind,
            level=group.level,
            role=group.role,
            hidden=group.lines[0].hidden,
            row=row,
        )
        if block is not None:
            # The builder strips blanks, of which a row with an empty first cell begins with one.
            shift = block.start - (len(text) - len(text.lstrip()))
            self._boxes += [
                LineBox(max(shift + start, block.start), min(shift + end, block.end), box, sure)
                for start, end, box, sure in boxes
            ]

    def _joined(self, lines: Sequence[Line], skipped: int) -> tuple[str, list[LineBox]]:
        """Text of lines without the first ``skipped`` characters, and the box of each."""
        text = ""
        spans: list[tuple[int, int]] = []
        for line in lines:
            words = " ".join(canonical_text(line.text).text[0 if spans else skipped :].split())
            if text:
                text = self._ready(text, words)
            start = len(text)
            text += words
            spans.append((start, len(text)))
        if text.endswith("\x02"):
            text = text[:-1] + "-"
        # A hyphen taken out again, or a blank between two lines, is no part of either box.
        ends = [*(min(end, after) for (_, end), (after, _) in pairwise(spans)), len(text)]
        return text, [
            LineBox(start, end, line.box, line.confidence)
            for (start, _), end, line in zip(spans, ends, lines, strict=False)
        ]

    def _ready(self, text: str, following: str) -> str:
        """``text`` ready for ``following``: a blank added where words are parted by one."""
        if ends_hyphenated(text):
            return self._hyphens.joined(text, following)
        seam = text[-1:] + following[:1]
        is_wide = bool(WIDE.match(text[-1:])) and bool(WIDE.match(following[:1]))
        return text if is_wide and unicodedata.is_normalized("NFC", seam) else text + " "

    def extract(self, *, title: str, date: str | None, author: str, missing: str) -> Extract:
        """Everything added."""
        builder = self._builder
        return Extract(
            text=builder.text,
            blocks=tuple(builder.blocks),
            title=title,
            date=date,
            date_source="PDF metadata" if date else None,
            page_spans=_page_spans(self._boxes, builder.length),
            line_boxes=tuple(self._boxes),
            metadata={"author": author} if author else {},
            n_replaced=builder.n_replaced,
            missing=missing,
        )


def build_extract(
    lines: Sequence[Line],
    outline: Sequence[OutlineEntry],
    *,
    title: str = "",
    date: str | None = None,
    author: str = "",
    missing: str = "",
) -> Extract:
    """The extract of a document's lines, given in page and reading order."""
    roles = furniture(lines)
    body = [line for index, line in enumerate(lines) if index not in roles]
    blocks = PdfBlocks(body)
    for group in _groups(body, heading_levels(body, outline)):
        blocks.add(group)
    for index in sorted(roles):
        blocks.add(_Group(lines=(lines[index],), role=roles[index]))
    return blocks.extract(title=title, date=date, author=author, missing=missing)


def _groups(lines: Sequence[Line], levels: dict[int, int]) -> Iterator[_Group]:
    flow = LineFlow(lines)
    current: list[Line] = []
    level = 0
    for index, line in enumerate(lines):
        line_level = levels.get(index, 0)
        if current and not (line_level == level and _is_same(flow, current[-1], line, level)):
            yield _Group(lines=tuple(current), level=level)
            current = []
        current.append(line)
        level = line_level
    if current:
        yield _Group(lines=tuple(current), level=level)


def _is_same(flow: LineFlow, before: Line, line: Line, level: int) -> bool:
    """Whether ``line`` belongs to the block of ``before``."""
    if before.cell is not None or line.cell is not None:
        return (
            before.cell is not None
            and line.cell is not None
            and before.cell.grid == line.cell.grid
            and before.cell.row == line.cell.row
        )
    if level and (line.size != before.size or line.box.page != before.box.page):
        return False
    return flow.continues(before, line)


def _page_spans(boxes: Sequence[LineBox], length: int) -> tuple[PageSpan, ...]:
    """Page of every character; what lies between two lines belongs to the first."""
    starts: list[tuple[int, int]] = []
    for line in boxes:
        if not starts or starts[-1][1] != line.box.page:
            starts.append((line.start, line.box.page))
    ends = [start for start, _ in starts[1:]] + [length]
    return tuple(
        PageSpan(page, start, end) for (start, page), end in zip(starts, ends, strict=True)
    )
