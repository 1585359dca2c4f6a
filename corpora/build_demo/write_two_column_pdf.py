"""A source text as a PDF of two columns, as a journal prints them.

Why not ``FPDF.text_columns``: it leaves a heading alone at the foot of a column.
"""

from typing import TYPE_CHECKING

from corpora.build_demo.block import Block, first_of_kind
from corpora.build_demo.hyphenate import with_soft_hyphens
from corpora.build_demo.pdf_document import ENCODING, PAGE_WORD, prepare_pdf, require_letters
from corpora.build_demo.targets import Target
from corpora.errors import CorpusError

if TYPE_CHECKING:
    from fpdf import FPDF

# All in millimetres, on A4.
LEFT, TOP, BOTTOM = 20.0, 26.0, 272.0
COLUMN, GUTTER = 81.0, 8.0
ACROSS = 2 * COLUMN + GUTTER
LINE = 4.6
GAP = 2.0
"""Between blocks."""


def write_two_column_pdf(blocks: list[Block], target: Target) -> bytes:
    """A4 pages in Times: the title across, two columns below, header and footer on every page.

    Lines are ragged at the right, and long words are broken with a hyphen.

    Raises:
        CorpusError: a table, or letters that the fonts lack.
    """
    from fpdf import FPDF

    require_letters(blocks)
    if table := first_of_kind(blocks, "table"):
        message = f"the table {table.rows[0]!r} does not fit a column; layout 'plain' has tables"
        raise CorpusError(message)
    title, *rest = blocks

    class Pages(FPDF):
        def header(self) -> None:
            self.set_font("Times", "I", 9)
            self.set_xy(LEFT, 13)
            self.cell(ACROSS, 5, target.author)
            self.set_xy(LEFT, 13)
            self.cell(ACROSS, 5, target.written.isoformat(), align="R")
            self.line(LEFT, 19, LEFT + ACROSS, 19)

        def footer(self) -> None:
            self.set_font("Times", "I", 9)
            self.set_xy(LEFT, 280)
            word = PAGE_WORD[target.language]
            self.cell(ACROSS, 5, f"{title.text}, {word} {self.page_no()}", align="C")

    pdf = Pages(format="A4")
    prepare_pdf(pdf, title=title.text, target=target)
    pdf.set_auto_page_break(False)
    pdf.add_page()
    pdf.set_font("Times", "B", 18)
    pdf.set_xy(LEFT, TOP)
    pdf.multi_cell(ACROSS, 8, title.text, align="C", new_y="NEXT")
    fill_columns(pdf, [block for block in rest if block.kind != "page_break"], top=pdf.get_y() + 5)
    return bytes(pdf.output())


def fill_columns(pdf: "FPDF", blocks: list[Block], *, top: float) -> None:
    """Sets the blocks line by line, from ``top`` on this page and from ``TOP`` on those after it.

    A heading stays with two lines of what follows, and no first line stands alone at the foot.
    """
    from fpdf.enums import MethodReturnValue

    column, y = 0, top
    for block in blocks:
        is_heading = block.kind == "heading"
        pdf.set_font("Times", "B" if is_heading else "", 12 if block.level == 2 else 10)
        text = block.line if is_heading else with_soft_hyphens(block.line)
        lines = pdf.multi_cell(
            COLUMN, LINE, text, align="L", dry_run=True, output=MethodReturnValue.LINES
        )
        assert isinstance(lines, list)
        together = len(lines) + 2 if is_heading else min(len(lines), 2)
        for n_set, line in enumerate(lines):
            if y + (LINE if n_set else together * LINE) > BOTTOM:
                column, y = 1 - column, top
                if column == 0:
                    pdf.add_page()
                    y = top = TOP
            pdf.set_xy(LEFT + column * (COLUMN + GUTTER), y)
            # The lines come back as the font's codes, not as letters.
            pdf.cell(COLUMN, LINE, line.encode("latin-1").decode(ENCODING))
            y += LINE
        y += GAP
