"""PDF pages written line by line, each line at its place."""

from collections.abc import Iterable

from fpdf import FPDF

from tests.ingest.workbench import Workbench

LEFT, RIGHT, TOP, PITCH = 60.0, 310.0, 100.0, 14.0
"""Points: left edges of two columns, the first line's height, the distance of lines."""

Placed = tuple[float, float, str]
"""Left edge and baseline in points, and the words."""


def new_page(pdf: FPDF | None = None) -> FPDF:
    """A further A4 page, measured in points, in Helvetica 10."""
    pdf = pdf or FPDF(unit="pt", format="A4")
    pdf.set_auto_page_break(False)
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    return pdf


def draw(pdf: FPDF, lines: Iterable[Placed]) -> None:
    """Draw the lines in the order given."""
    for x, y, words in lines:
        pdf.text(x, y, words)


def column(x: float, lines: Iterable[str], *, top: float = TOP) -> list[Placed]:
    """Lines below each other."""
    return [(x, top + number * PITCH, words) for number, words in enumerate(lines)]


def ingested(bench: Workbench, pdf: FPDF) -> list[str]:
    """Texts of the segments of ``a.pdf``, which ``pdf`` is written to."""
    bench.write("a.pdf", bytes(pdf.output()))
    bench.ingest()
    return [text for _, text in bench.segments("a.pdf")]
