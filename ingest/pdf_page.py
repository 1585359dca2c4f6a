"""One page of a PDF with a text layer: its lines in reading order, those of tables row by row."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from corpora.document import Box
from ingest.pdf_columns import Piece, reading_order
from ingest.pdf_frame import page_frame
from ingest.pdf_grid import page_grids
from ingest.pdf_lines import Line, joined_pieces, page_lines
from ingest.pdf_rules import page_rules
from ingest.pdf_tables import table_lines
from ingest.pdf_text import opened_text

if TYPE_CHECKING:
    import pypdfium2


def read_page(page: "pypdfium2.PdfPage", number: int) -> list[Line]:
    """Lines of the page's text layer, without regard to whether they can be seen."""
    frame = page_frame(page)
    with opened_text(page, frame) as text:
        if not text.characters:
            return []
        grids = page_grids(page_rules(page, frame), number)
        return ordered_lines(page_lines(text, number, grids))


def ordered_lines(lines: Sequence[Line]) -> list[Line]:
    """Pieces of one page in reading order, those that are one line joined."""
    tables = table_lines(lines)
    pieces: dict[Piece, list[Line]] = {}
    seen = set()
    for line in lines:
        grid = line.cell.grid if line.cell is not None else None
        if grid is None or grid not in tables:
            free = line if line.cell is None else replace(line, cell=None)
            pieces.setdefault(Piece(line.box, len(line.text)), []).append(free)
        elif grid not in seen:
            seen.add(grid)
            box = Box(grid.page, grid.columns[0], grid.rows[0], grid.columns[-1], grid.rows[-1])
            pieces[Piece(box, sum(len(each.text) for each in tables[grid]))] = tables[grid]
    return joined_pieces(
        [
            replace(line, region=number) if number else line
            for number, region in enumerate(reading_order(list(pieces)))
            for piece in region
            for line in pieces[piece]
        ]
    )
