"""TableRows: builds the text of sheets and delimited files, row by row."""

import re

from corpora.document import CELL
from ingest.extract import Extract, ExtractBuilder, RowPlace

_NUMBER = re.compile(r"[-+]?[\d.,\s]*\d[\d.,\s]*%?")


class TableRows:
    """Rows as they come; the first row of a sheet heads it when it looks like names."""

    def __init__(self) -> None:
        self._builder = ExtractBuilder()
        self._table = 0
        self._row = 0
        self._first: list[str] | None = None
        self._hidden = False

    def start_sheet(self, name: str, *, hidden: bool) -> None:
        """Begin another table under the heading ``name``."""
        self._flush_first(is_header=False)
        self._builder.add(name, "heading", level=1, hidden=hidden)
        self._table += 1
        self._row = 0
        self._hidden = hidden

    def add(self, cells: list[str]) -> None:
        """Append one row; rows without a word are left out, empty cells at the end too."""
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            return
        if self._row == 0 and self._first is None:
            self._first = cells  # whether it heads the table is known once a second row comes
            return
        self._flush_first(is_header=True)
        self._add(cells, is_header=False)

    def add_hidden(self, cells: list[str]) -> None:
        """Append cells of the open row that its reader does not see; not a row of the table."""
        words = CELL.join(filter(None, cells))
        if words:
            self._flush_first(is_header=True)
            self._builder.add(words, hidden=True)

    def extract(self) -> Extract:
        """Everything added."""
        self._flush_first(is_header=False)
        return Extract(
            text=self._builder.text,
            blocks=tuple(self._builder.blocks),
            n_replaced=self._builder.n_replaced,
        )

    def _flush_first(self, *, is_header: bool) -> None:
        if self._first is not None:
            first, self._first = self._first, None
            names = all(cell and not _NUMBER.fullmatch(cell) for cell in first)
            self._add(first, is_header=is_header and names)

    def _add(self, cells: list[str], *, is_header: bool) -> None:
        place = RowPlace(self._table, self._row, is_header)
        self._builder.add(CELL.join(cells), "table_row", hidden=self._hidden, row=place)
        self._row += 1
