"""Words of a PDF page and its lines' pieces: runs of words with no cut in them.

A line of pdfium's may hold words of several columns or table cells. So it is cut at table cells,
outside tables at wide gaps, and where hidden words begin or end.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingest.pdf_grid import Cell, Grid
from ingest.pdf_text import SOFT_HYPHENS, PageText

_WIDE_GAP = 0.7
"""Of the size of letters; columns may stand as close as this."""


class Pieces(NamedTuple):
    """n pieces in content order, each with a word at least."""

    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    first_ends: NDArray[np.intp]
    """Where the first word ends."""
    cells: Sequence[Cell | None]
    """The table cell that holds it."""


def page_pieces(text: PageText, grids: Sequence[Grid]) -> Pieces:
    """The pieces of a page whose ruled lines make ``grids``."""
    lines = _line_numbers(text)
    in_word = ~text.blank
    is_line_start = np.diff(lines, prepend=-1) > 0
    starts = np.flatnonzero(in_word & (np.append(True, text.blank[:-1]) | is_line_start))
    ends = np.flatnonzero(in_word & np.append(text.blank[1:] | is_line_start[1:], True)) + 1
    if not len(starts):
        return Pieces(starts, ends, ends, [])
    x0, y0, x1, y1 = text.places.T
    gaps = x0[starts[1:]] - x1[ends[:-1] - 1]
    sizes = (y1 - y0)[ends[:-1] - 1]
    # Between words of one drawn string stands a blank of the font, never a gap of the layout.
    is_cut = text.generated[ends[:-1]] & (gaps > _WIDE_GAP * sizes)
    cells: list[Cell | None] = [None] * len(starts)
    if grids:
        cells = _cells(text, starts, ends, lines[starts], grids)
        has_cell = np.array([cell is not None for cell in cells])
        is_other = [cell != after for cell, after in pairwise(cells)]
        is_cut = (is_cut & ~has_cell[:-1]) | np.array(is_other, np.bool_)
    is_cut |= np.diff(lines[starts]) > 0
    is_cut |= text.seen[starts[1:]] != text.seen[starts[:-1]]
    firsts = np.append(0, np.flatnonzero(is_cut) + 1)
    lasts = np.append(firsts[1:], len(starts)) - 1
    return Pieces(starts[firsts], ends[lasts], ends[firsts], [cells[first] for first in firsts])


def _line_numbers(text: PageText) -> NDArray[np.intp]:
    """Number of the line of each character; pdfium joins two lines at a hyphen."""
    characters, places = text.characters, text.places
    is_end = (text.codes == ord("\n")) | (text.codes == ord("\r"))
    for mark in SOFT_HYPHENS:
        at = characters.find(mark)
        while 0 <= at < len(characters) - 1:
            here, after = places[at], places[at + 1]
            is_below = after[0] < here[0] or after[1] > (here[1] + here[3]) / 2
            is_end[at] |= is_below and not text.blank[at + 1]
            at = characters.find(mark, at + 1)
    return np.append(0, np.cumsum(is_end)[:-1])


def _cells(
    text: PageText,
    starts: NDArray[np.intp],
    ends: NDArray[np.intp],
    lines: NDArray[np.intp],
    grids: Sequence[Grid],
) -> list[Cell | None]:
    """The cell of each word; a line belongs to the grids that its first word is as high as."""
    first, last = text.places[starts], text.places[ends - 1]
    x = (np.minimum(first[:, 0], last[:, 0]) + np.maximum(first[:, 2], last[:, 2])) / 2
    y = (np.minimum(first[:, 1], last[:, 1]) + np.maximum(first[:, 3], last[:, 3])) / 2
    cells: list[Cell | None] = [None] * len(starts)
    heights = (first[:, 1] + first[:, 3]) / 2
    line_height = heights[np.searchsorted(lines, lines)]
    for grid in reversed(grids):
        is_near = (grid.rows[0] <= line_height) & (line_height <= grid.rows[-1])
        for word in np.flatnonzero(is_near).tolist():
            cells[word] = grid.cell_at(x[word], y[word]) or cells[word]
    return cells
