"""A source text as a PDF of one column, of any length."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpora.build_demo.block import Block
from corpora.build_demo.pdf_document import PAGE_WORD, prepare_pdf, require_letters
from corpora.build_demo.targets import Target

if TYPE_CHECKING:
    from fpdf import FPDF

KEEP_MM = 35
"""A heading with less room than this below it moves to the next page, with what it heads."""

MARGIN_MM = 2.5
"""Left and right of a cell's text together, and a little more."""
WIDE_MM = 60
"""A column that wants more than this is content with it."""


def write_pdf(blocks: list[Block], target: Target) -> bytes:
    """A4 pages in Times with the title and page number below; tables repeat their header."""
    from fpdf import FPDF
    from fpdf.enums import XPos, YPos

    require_letters(blocks)
    title = blocks[0].text

    class Pages(FPDF):
        def footer(self) -> None:
            self.set_y(-18)
            self.set_font("Times", "I", 9)
            word = PAGE_WORD[target.language]
            self.cell(0, 6, f"{title}, {word} {self.page_no()}", align="C")

    pdf = Pages(format="A4")
    prepare_pdf(pdf, title=title, target=target)
    pdf.set_margins(25, 22)
    pdf.set_auto_page_break(True, margin=25)
    pdf.add_page()
    for block in blocks:
        match block.kind:
            case "page_break":
                pdf.add_page()
            case "table":
                pdf.set_font("Times", "", 10.5)
                widths = column_widths(pdf, block.rows)
                with pdf.table(
                    line_height=5.5, first_row_as_headings=True, col_widths=widths
                ) as table:
                    for row in block.rows:
                        table.row(row)
                pdf.ln(4)
            case _:
                if block.kind == "heading" and pdf.will_page_break(KEEP_MM):
                    pdf.add_page()
                size = {1: 20, 2: 14}.get(block.level, 11.5)
                pdf.set_font("Times", "B" if block.kind == "heading" else "", size)
                pdf.multi_cell(
                    0, size * 0.5, block.line, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT
                )
                pdf.ln(2.5)
    return bytes(pdf.output())


def column_widths(pdf: "FPDF", rows: Sequence[Sequence[str]]) -> list[float] | None:
    """The columns' shares of the width; none, which makes them equal, where every cell fits so."""
    columns = zip(*rows, strict=True)
    wanted = [max(map(pdf.get_string_width, column)) + MARGIN_MM for column in columns]
    if max(wanted) <= pdf.epw / len(wanted):
        return None
    return [min(width, WIDE_MM) for width in wanted]
