"""Cuts segments that no chunk could hold, at clause marks, else blanks, else between tokens."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from corpora.document import PageSpan, Segment
from ingest.tokens import TokenSpans

_CLAUSE_END = re.compile(r"[;:,–—](?=\s)|[，、；：]|\n")
_BLANK = re.compile(r"\s+")


def cut_giants(
    segments: Sequence[Segment], text: str, tokens: TokenSpans, *, capacity: int
) -> tuple[list[Segment], list[tuple[int, int]]]:
    """The segments with each longer than ``capacity`` tokens cut, and the spans that were cut."""
    pieces: list[Segment] = []
    wholes: list[tuple[int, int]] = []
    renamed: dict[str, str] = {}
    for segment in segments:
        current = _with_header(segment, renamed)
        if tokens.count(segment.start, segment.end) <= capacity:
            pieces.append(current)
            continue
        wholes.append((segment.start, segment.end))
        parts = [
            replace(current, start=start, end=end, page_spans=_clipped(segment, start, end))
            for start, end in _cuts(text, segment.start, segment.end, tokens, capacity)
        ]
        renamed[segment.segment_id] = parts[0].segment_id
        pieces += parts
    return pieces, wholes


def join_pieces(segments: Sequence[Segment], wholes: Sequence[tuple[int, int]]) -> list[Segment]:
    """Undo ``cut_giants``: each of ``wholes`` becomes one segment again."""
    whole_at = dict(wholes)
    joined: list[Segment] = []
    renamed: dict[str, str] = {}
    for segment in segments:
        if joined and segment.start < joined[-1].end:
            whole = joined[-1]
            joined[-1] = replace(whole, page_spans=_merged(whole.page_spans, segment.page_spans))
        elif segment.start in whole_at:
            whole = replace(_with_header(segment, renamed), end=whole_at[segment.start])
            renamed[segment.segment_id] = whole.segment_id
            joined.append(whole)
        else:
            joined.append(_with_header(segment, renamed))
    return joined


def _cuts(
    text: str, start: int, end: int, tokens: TokenSpans, capacity: int
) -> Iterator[tuple[int, int]]:
    marks = [start]
    while tokens.count(marks[-1], end) > capacity:
        marks.append(_next_cut(text, marks[-1], end, tokens, capacity))
    marks.append(end)
    for left, right in pairwise(marks):
        piece = text[left:right]
        if piece.strip():
            yield left + len(piece) - len(piece.lstrip()), left + len(piece.rstrip())


def _next_cut(text: str, start: int, end: int, tokens: TokenSpans, capacity: int) -> int:
    limit = min(end, tokens.starts[tokens.first_after(start) + capacity])
    # A mark in the first half would leave a piece too small to be worth citing.
    half = start + (limit - start) // 2
    for pattern in (_CLAUSE_END, _BLANK):
        ends = [found.end() for found in pattern.finditer(text, half, limit)]
        if ends:
            return ends[-1]
    return max(limit, start + 1)


def _with_header(segment: Segment, renamed: dict[str, str]) -> Segment:
    cell = segment.table
    if cell is None or cell.header_segment not in renamed:
        return segment
    return replace(segment, table=cell._replace(header_segment=renamed[cell.header_segment]))


def _clipped(segment: Segment, start: int, end: int) -> tuple[PageSpan, ...]:
    return tuple(
        PageSpan(span.page, max(span.start, start), min(span.end, end))
        for span in segment.page_spans
        if span.start < end and span.end > start
    )


def _merged(before: Sequence[PageSpan], after: Sequence[PageSpan]) -> tuple[PageSpan, ...]:
    """Page spans of neighbouring pieces, the blanks between two pieces of one page included."""
    merged = list(before)
    for span in after:
        if merged and merged[-1].page == span.page:
            merged[-1] = merged[-1]._replace(end=span.end)
        else:
            merged.append(span)
    return tuple(merged)
