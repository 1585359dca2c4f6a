"""Reading order of a page: columns one after the other, what stands across them in between.

A gutter is an upright strip of the page that hardly any line crosses. The lines that do cross it
(a title, a wide table) part the page into bands, and each band is read column by column. A page
without a gutter keeps the order in which it was drawn, which is right for nearly all of them.

Why white space alone does not make a gutter: tables without rules and short lines would fall apart
into columns. So both sides of a gutter must hold several lines of the length of prose.
"""

import statistics
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from corpora.document import Box

_LEAST_LINES = 3
"""On both sides of a gutter, in one band at least."""
_PROSE_CHARS = 18
"""Median length of a column's lines; columns of a table hold less."""
_MARGIN = 0.15
"""Share of the text's width at both sides where no gutter is looked for."""
_LEAST_GUTTER = 5
"""Points."""
_MOST_CROSSING = 0.5
"""Share of the page's lines that may cross a gutter."""
_GUTTERS_TRIED = 3
_SET_OFF = 1.5
"""Line heights between a running header or footer and the columns."""
_EDGE_ROWS = 2
_SAME_ROW = 0.4


class Piece(NamedTuple):
    """Something to be ordered: a piece of a line, or a table."""

    box: Box
    n_chars: int

    @property
    def middle(self) -> float:
        """Height of its middle on the page."""
        return (self.box.y0 + self.box.y1) / 2


def reading_order(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Regions of the page in reading order, each with its pieces in reading order."""
    for gutter in _gutters(pieces):
        bands = list(_bands(pieces, gutter))
        if any(
            not is_across and _is_columns(band, gutter, _LEAST_LINES) for is_across, band in bands
        ):
            regions: list[list[Piece]] = []
            for is_across, band in bands:
                if not is_across and _is_columns(band, gutter, 1):
                    for side in _sides(band, gutter):
                        regions += reading_order(_downwards(side))
                else:
                    regions.append(band)
            return regions
    return [list(pieces)]


def _gutters(pieces: Sequence[Piece]) -> list[float]:
    """Middles of the strips that fewest pieces cross, the best first."""
    if len(pieces) < 2 * _LEAST_LINES:
        return []
    left = min(piece.box.x0 for piece in pieces)
    width = int(max(piece.box.x1 for piece in pieces) - left) + 1
    steps = [0] * (width + 2)
    for piece in pieces:
        steps[int(piece.box.x0 - left)] += 1
        steps[int(piece.box.x1 - left) + 1] -= 1
    crossed = list(accumulate(steps))  # pieces over each point of the width
    inner = range(int(_MARGIN * width), int((1 - _MARGIN) * width))
    strips = []
    for n_crossing, points in groupby(inner, key=lambda point: crossed[point]):
        strip = list(points)
        if len(strip) >= _LEAST_GUTTER and n_crossing <= _MOST_CROSSING * len(pieces):
            strips.append((n_crossing, -len(strip), left + strip[0] + len(strip) / 2))
    return [middle for _, _, middle in sorted(strips)[:_GUTTERS_TRIED]]


def _bands(pieces: Sequence[Piece], gutter: float) -> Iterator[tuple[bool, list[Piece]]]:
    """The page from top to bottom, cut where something stands across the gutter: is it that?"""
    rows = _rows(pieces)
    set_off = {piece for row in _edge_rows(rows) for piece in row}
    across = {piece for piece in pieces if piece.box.x0 < gutter < piece.box.x1} | set_off
    ordered = [piece for row in rows for piece in row]
    for is_across, band in groupby(ordered, key=lambda piece: piece in across):
        yield is_across, list(band)


def _edge_rows(rows: Sequence[list[Piece]]) -> Iterator[list[Piece]]:
    """Rows at the top and the bottom of the page with white space between them and the rest."""
    for ordered in (rows, rows[::-1]):
        for row, following in pairwise(ordered[: _EDGE_ROWS + 1]):
            above, below = sorted((row, following), key=lambda each: each[0].middle)
            gap = min(piece.box.y0 for piece in below) - max(piece.box.y1 for piece in above)
            height = statistics.median(piece.box.y1 - piece.box.y0 for piece in row)
            if gap < _SET_OFF * height:
                break
            yield row


def _is_columns(band: Sequence[Piece], gutter: float, least: int) -> bool:
    """Whether both sides of the gutter hold ``least`` lines, in the main of prose."""
    sides = _sides(band, gutter)
    if any(len(side) < least for side in sides):
        return False
    texts = sides if least > 1 else [band]
    return all(statistics.median(piece.n_chars for piece in text) >= _PROSE_CHARS for text in texts)


def _sides(band: Sequence[Piece], gutter: float) -> tuple[list[Piece], list[Piece]]:
    left = [piece for piece in band if piece.box.x1 <= gutter]
    return left, [piece for piece in band if piece.box.x1 > gutter]


def _downwards(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for row in _rows(pieces) for piece in row]


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces at one height together, from left to right, and the rows from top to bottom."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda each: each.middle):
        height = piece.box.y1 - piece.box.y0
        if rows and piece.middle - rows[-1][0].middle < _SAME_ROW * height:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.box.x0) for row in rows]
