"""Lines of a PDF page from pdfium's characters, with their places.

A line of pdfium's comes in pieces (``pdf_words``); ``joined_pieces`` joins those that turn out to
be one line after all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corpora.document import Box
from ingest.pdf_grid import Cell, Grid
from ingest.pdf_text import PageText
from ingest.pdf_words import page_pieces

_LEAST_POINTS = 2.0
"""Smaller letters cannot be read on paper."""
SPACED = 1.5
"""Of the size of letters; justified words do not stand as far apart."""
_MARK_CHARS = 4
"""What is no longer may be the bullet or the number of an item, which stands apart."""
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
    """Pieces of lines in content order, of page ``number``."""
    pieces = page_pieces(text, grids)
    starts, ends = pieces.starts, pieces.ends
    first, last = text.places[starts], text.places[ends - 1]
    corners = np.hstack([np.minimum(first, last)[:, :2], np.maximum(first, last)[:, 2:]])
    sizes = _sizes(text, starts, ends)
    columns = (
        starts.tolist(),
        ends.tolist(),
        corners.round(1).tolist(),
        sizes.round(1).tolist(),
        (text.places[pieces.first_ends - 1, 2] - first[:, 0]).tolist(),
        ((sizes < _LEAST_POINTS) | ~text.seen[starts]).tolist(),
        pieces.cells,
    )
    return [
        Line(
            text=words,
            box=Box(number, *corner),
            size=size,
            first_width=first_width,
            hidden=is_hidden,
            cell=cell,
        )
        for start, end, corner, size, first_width, is_hidden, cell in zip(*columns, strict=True)
        if (words := text.text(start, end))
    ]


def _sizes(text: PageText, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> NDArray[np.float64]:
    """Height of a usual letter of each piece: the median of the first, middle and last one.

    A bullet, or a word or two, may be set in another font than the rest.
    """
    letters = np.append(np.flatnonzero(text.alphanumeric), 0)
    before = np.searchsorted(letters[:-1], starts)
    n_letters = np.searchsorted(letters[:-1], ends) - before
    samples = [letters[before + part * np.maximum(n_letters - 1, 0) // 2] for part in range(3)]
    at = np.where(n_letters > 0, samples, starts)
    heights: NDArray[np.float64] = np.median(text.places[at, 3] - text.places[at, 1], axis=0)
    return heights


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
