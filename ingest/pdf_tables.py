"""Tables of a page: which grids hold a table, and its lines gathered row by row."""

import statistics
from collections.abc import Sequence

from ingest.pdf_grid import Grid
from ingest.pdf_lines import Line

_LEAST_ROWS = 2
"""With words in two cells at least."""
_MOST_CELL_CHARS = 300
"""Median length of a cell; frames around columns of prose hold more."""


def table_lines(lines: Sequence[Line]) -> dict[Grid, list[Line]]:
    """Lines of each grid that holds a table: by row, by column, downwards."""
    by_grid: dict[Grid, list[Line]] = {}
    for line in lines:
        if line.cell is not None:
            by_grid.setdefault(line.cell.grid, []).append(line)
    return {grid: sorted(found, key=_place) for grid, found in by_grid.items() if _is_table(found)}


def _place(line: Line) -> tuple[int, int, float, float]:
    row, column = (line.cell.row, line.cell.column) if line.cell else (0, 0)
    return row, column, round(line.middle), line.box.x0


def _is_table(lines: Sequence[Line]) -> bool:
    cells: dict[tuple[int, int], int] = {}
    for line in lines:
        place = _place(line)[:2]
        cells[place] = cells.get(place, 0) + len(line.text)
    filled = [sum(row == other for other, _ in cells) for row in {row for row, _ in cells}]
    return (
        sum(n_cells > 1 for n_cells in filled) >= max(_LEAST_ROWS, len(filled) / 2)
        and statistics.median(cells.values()) <= _MOST_CELL_CHARS
    )
