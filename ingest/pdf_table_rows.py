"""Rows of a PDF's tables: their cells, and tables that go on over pages.

A table goes on where the next one stands on the following page with the same columns. The header
row that it repeats there counts as a running header: it is in the text, in no chunk.
"""

from collections.abc import Sequence

from ingest.extract import RowPlace
from ingest.pdf_grid import Grid
from ingest.pdf_lines import Line
from ingest.pdf_rules import TOLERANCE


def row_cells(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of each cell of one row, the empty cells too."""
    cell = lines[0].cell
    if cell is None:
        return []
    cells: dict[int, list[Line]] = {column: [] for column in cell.grid.row_columns(cell.row)}
    for line in lines:
        if line.cell is not None:
            cells[line.cell.column].append(line)
    return [cells[column] for column in sorted(cells)]


class TableNumbers:
    """Numbers the tables of one document and their rows, given in order."""

    def __init__(self) -> None:
        self._grid: Grid | None = None
        self._table = -1
        self._row = 0
        self._header = ""

    def place(self, lines: Sequence[Line], text: str, *, is_filled: bool) -> tuple[RowPlace, bool]:
        """Place of the row ``text``, and whether it only repeats the table's header."""
        cell = lines[0].cell
        grid = cell.grid if cell is not None else None
        is_first = grid != self._grid
        if is_first:
            if not _goes_on(self._grid, grid):
                self._table += 1
                self._row = 0
                self._header = ""
            self._grid = grid
        is_repeated = is_first and self._row > 0 and text == self._header
        is_header = self._row == 0 and is_filled
        place = RowPlace(self._table, 0 if is_repeated else self._row, is_header)
        if is_header:
            self._header = text
        self._row += 0 if is_repeated else 1
        return place, is_repeated


def _goes_on(before: Grid | None, grid: Grid | None) -> bool:
    return (
        before is not None
        and grid is not None
        and grid.page == before.page + 1
        and len(grid.columns) == len(before.columns)
        and all(
            abs(edge - other) <= TOLERANCE
            for edge, other in zip(before.columns, grid.columns, strict=True)
        )
    )
