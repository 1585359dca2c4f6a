"""Lines of a PDF page from pdfium's characters, with their places.

A line of pdfium's may hold words of several columns or table cells. So it is cut here into pieces,
at table cells and at wide gaps; ``joined_pieces`` joins those that turn out to be one line after
all.
"""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from corpora.document import Box
from ingest.pdf_frame import Place
from ingest.pdf_grid import Cell, Grid
from ingest.pdf_text import SOFT_HYPHENS, PageText

_LEAST_POINTS = 2.0
"""Smaller letters cannot be read on paper."""
_WIDE_GAP = 0.7
"""Of the size of letters; columns may stand as close as this."""
SPACED = 1.5
"""Of the size of letters; justified words do not stand as far apart."""
_MARK_CHARS = 4
"""What is no longer may be the bullet or the number of an item, which stands apart."""
_LINE_ENDS = {ord("\n"), ord("\r")}
_MARKS = {ord(mark) for mark in SOFT_HYPHENS}
_SAME_LINE = 0.5
"""Of the size of letters; a raised or lowered word is no further off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a page; ``text`` may end in U+0002, a hyphen that the line end may have brought.

    See ``pdf_hyphens`` for what becomes of it.
    """

    text: str
    box: Box
    size: float
    """Height of a usual letter's box, points."""
    first_width: float = 0.0
    """Width of the first word, points."""
    hidden: bool = False
    region: int = 0
    """Number of the column, or of what stands across columns, on its page."""
    is_spaced: bool = False
    """Whether it has a gap wider than between words, as a row of a table without rules."""
    cell: Cell | None = None
    """The table cell it stands in."""
    confidence: float | None = None
    """How sure the character recognition was, 0 to 1; None for a text layer."""

    @property
    def middle(self) -> float:
        """Height of its middle on the page."""
        return (self.box.y0 + self.box.y1) / 2


def page_lines(text: PageText, number: int, grids: Sequence[Grid]) -> list[Line]:
    """Pieces of lines in content order."""
    return [
        line
        for start, end in _line_spans(text)
        for part_start, part_end, cell in _parts(text, start, end, grids)
        if (line := _line(text, part_start, part_end, number, cell)) is not None
    ]


def joined_pieces(lines: Sequence[Line]) -> list[Line]:
    """``lines`` with neighbours on one height made one, table cells apart."""
    joined: list[Line] = []
    for line in lines:
        before = joined[-1] if joined else None
        if before is not None and _is_one_line(before, line):
            boxes = before.box, line.box
            box = Box(
                line.box.page,
                min(box.x0 for box in boxes),
                min(box.y0 for box in boxes),
                max(box.x1 for box in boxes),
                max(box.y1 for box in boxes),
            )
            gap = line.box.x0 - before.box.x1
            joined[-1] = replace(
                before,
                text=f"{before.text} {line.text}",
                box=box,
                size=max(before, line, key=lambda piece: len(piece.text)).size,
                is_spaced=before.is_spaced
                or (gap > SPACED * before.size and len(before.text) > _MARK_CHARS),
            )
        else:
            joined.append(line)
    return joined


def _is_one_line(before: Line, line: Line) -> bool:
    return (
        before.region == line.region
        and before.cell is None
        and line.cell is None
        and before.hidden == line.hidden
        and not before.text.endswith("\x02")
        and before.box.x1 <= line.box.x0
        and abs(before.middle - line.middle) < _SAME_LINE * max(before.size, line.size)
    )


def _line_spans(text: PageText) -> Iterator[tuple[int, int]]:
    """Spans of pdfium's lines, and of those that it joined at a hyphen."""
    start = 0
    codes = text.codes
    for index, code in enumerate(codes):
        if code in _LINE_ENDS:
            if start < index:
                yield start, index
            start = index + 1
        elif code in _MARKS and index + 1 < len(codes):
            here, after = text.place(index), text.place(index + 1)
            is_next_line = after.x0 < here.x0 or after.y0 > here.middle[1]
            if is_next_line and not text.is_blank(index + 1):
                yield start, index + 1
                start = index + 1
    if start < len(codes):
        yield start, len(codes)


def _parts(
    text: PageText, start: int, end: int, grids: Sequence[Grid]
) -> Iterator[tuple[int, int, Cell | None]]:
    """The span cut at table cells, outside tables at wide gaps, and where hidden words begin or
    end.
    """
    words = _words(text, start, end)
    if not words:
        return
    middle = text.place(words[0][0]).middle[1] if grids else 0.0
    near = [grid for grid in grids if grid.rows[0] <= middle <= grid.rows[-1]]
    cells = [_cell(_extent(text, *word), near) if near else None for word in words]
    hidden = [text.is_hidden(word[0]) for word in words]
    begin = words[0][0]
    for (before, cell, was_hidden), (after, next_cell, is_hidden) in pairwise(
        zip(words, cells, hidden, strict=True)
    ):
        is_cut = cell != next_cell or (cell is None and _is_wide(text, before, after))
        if is_cut or was_hidden != is_hidden:
            yield begin, before[1], cell
            begin = after[0]
    yield begin, words[-1][1], cells[-1]


def _words(text: PageText, start: int, end: int) -> list[tuple[int, int]]:
    words = []
    begin = None
    for index in range(start, end):
        if text.is_blank(index):
            if begin is not None:
                words.append((begin, index))
            begin = None
        elif begin is None:
            begin = index
    if begin is not None:
        words.append((begin, end))
    return words


def _cell(word: Place, grids: Sequence[Grid]) -> Cell | None:
    cells = (grid.cell_at(*word.middle) for grid in grids)
    return next((cell for cell in cells if cell is not None), None)


def _is_wide(text: PageText, before: tuple[int, int], after: tuple[int, int]) -> bool:
    # Between words of one drawn string stands a blank of the font, never a gap of the layout.
    if not text.is_generated(before[1]):
        return False
    left, right = text.place(before[1] - 1), text.place(after[0])
    return right.x0 - left.x1 > _WIDE_GAP * (left.y1 - left.y0)


def _extent(text: PageText, start: int, end: int) -> Place:
    first, last = text.place(start), text.place(end - 1)
    return Place(
        min(first.x0, last.x0),
        min(first.y0, last.y0),
        max(first.x1, last.x1),
        max(first.y1, last.y1),
    )


def _line(text: PageText, start: int, end: int, number: int, cell: Cell | None) -> Line | None:
    words = text.text(start, end)
    if not words:
        return None
    place = _extent(text, start, end)
    letters = [index for index in range(start, end) if chr(text.codes[index]).isalnum()] or [start]
    # A bullet, or a word or two, may be set in another font than the rest.
    samples = [text.place(letters[n * (len(letters) - 1) // 2]) for n in range(3)]
    size = statistics.median(sample.y1 - sample.y0 for sample in samples)
    first_end = next((index for index in range(start, end) if text.is_blank(index)), end)
    return Line(
        text=words,
        box=Box(number, *(round(value, 1) for value in place)),
        size=round(size, 1),
        first_width=text.place(first_end - 1).x1 - text.place(start).x0,
        hidden=size < _LEAST_POINTS or text.is_hidden(start),
        cell=cell,
    )
