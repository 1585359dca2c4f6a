"""Segments of an extract: the spans that can be cited, in text order and never overlapping."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from corpora.document import Box, PageSpan, Segment, SegmentKind, TableCell
from ingest.extract import Block, Extract, LineBox
from ingest.sentences import SENTENCES_VERSION, sentence_spans

SEGMENT_VERSION = f"1.{SENTENCES_VERSION}"
CODE_GROUP_CHARS = 1500
"""A longer code block is cut into groups of whole lines, each a segment."""
LIST_ITEM_CHARS = 600
"""A longer list item is cut into its sentences, each still a list item."""
_SIMPLE_KINDS: dict[str, SegmentKind] = {
    "heading": "heading",
    "table_row": "table_row",
    "caption": "caption",
}


def segment_extract(extract: Extract, *, doc_id: str, language: str) -> list[Segment]:
    """Segments of all blocks, with heading path, pages, boxes and table header filled in."""
    pages = _PageIndex(extract)
    headings: list[Block] = []
    header_rows: dict[int, str] = {}
    segments: list[Segment] = []
    for block in extract.blocks:
        if block.kind == "heading" and not block.hidden:
            while headings and headings[-1].level >= block.level:
                headings.pop()
        path = tuple(heading.heading for heading in headings)
        table = None
        if block.row is not None:
            table = TableCell(block.row.row, 0, header_rows.get(block.row.table))
        for kind, start, end in _spans(extract.text, block, language):
            segment = Segment(
                doc_id=doc_id,
                start=start,
                end=end,
                kind=kind,
                heading_path=path,
                page_spans=pages.pages(start, end),
                boxes=pages.boxes(start, end),
                role=block.role,
                hidden=block.hidden,
                ocr_confidence=pages.confidence(start, end),
                table=table,
            )
            segments.append(segment)
            if block.row is not None and block.row.is_header:
                header_rows[block.row.table] = segment.segment_id
        if block.kind == "heading" and not block.hidden:
            headings.append(block)
    return segments


def _spans(text: str, block: Block, language: str) -> Iterator[tuple[SegmentKind, int, int]]:
    if block.kind == "code":
        for start, end in _code_groups(text, block.start, block.end):
            yield "code", start, end
        return
    is_long_item = block.kind == "list_item" and block.end - block.start > LIST_ITEM_CHARS
    if block.kind == "paragraph" or is_long_item:
        kind: SegmentKind = "sentence" if block.kind == "paragraph" else "list_item"
        for start, end in sentence_spans(text, block.start, block.end, language=language):
            yield kind, start, end
        return
    start, end = _trim(text, block.start, block.end)
    if start < end:
        yield _SIMPLE_KINDS.get(block.kind, "list_item"), start, end


def _code_groups(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    if end - start > CODE_GROUP_CHARS:
        # Not by a pattern for lines: where no line ends, it searches to the end from every place.
        line_end = text.find("\n", start, end) + 1
        while line_end > 0:
            if line_end - begin >= CODE_GROUP_CHARS:
                yield from _code_group(text, begin, line_end)
                begin = line_end
            line_end = text.find("\n", line_end, end) + 1
    yield from _code_group(text, begin, end)


def _code_group(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The group without blank lines around it; the indent of its first line stays."""
    piece = text[start:end]
    if piece.strip():
        blank_lines = re.match(r"(?:[^\S\n]*\n)*", piece)
        yield start + (blank_lines.end() if blank_lines else 0), start + len(piece.rstrip())


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


class _PageIndex:
    """Looks up pages and line boxes of a span; both lists are in text order."""

    def __init__(self, extract: Extract) -> None:
        self._pages = sorted(extract.page_spans, key=lambda span: span.start)
        self._page_starts = [span.start for span in self._pages]
        self._page_ends = [span.end for span in self._pages]
        self._lines = extract.line_boxes
        self._line_starts = [line.start for line in self._lines]
        self._line_ends = [line.end for line in self._lines]

    def pages(self, start: int, end: int) -> tuple[PageSpan, ...]:
        first = bisect_right(self._page_ends, start)
        return tuple(
            PageSpan(span.page, max(start, span.start), min(end, span.end))
            for span in self._pages[first : bisect_left(self._page_starts, end)]
        )

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        return tuple(line.box for line in self._over(start, end))

    def confidence(self, start: int, end: int) -> float | None:
        """Mean confidence of the recognised characters; None where the text was given."""
        weights = [
            (line.confidence, min(line.end, end) - max(line.start, start))
            for line in self._over(start, end)
            if line.confidence is not None
        ]
        n_chars = sum(weight for _, weight in weights)
        if not n_chars:
            return None
        return round(sum(sure * weight for sure, weight in weights) / n_chars, 3)

    def _over(self, start: int, end: int) -> Sequence[LineBox]:
        first = bisect_right(self._line_ends, start)
        return self._lines[first : bisect_left(self._line_starts, end)]
