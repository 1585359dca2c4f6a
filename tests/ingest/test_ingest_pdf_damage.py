"""Damaged PDFs: what is whole is read, what is not is named; and characters of two units."""

from pathlib import Path

import pytest
from fpdf import FPDF

from ingest.pdf_repair import repaired_pdf
from tests.ingest.pdf_pages import LEFT, TOP, draw, new_page
from tests.ingest.workbench import Workbench


def two_pages() -> bytes:
    pdf = FPDF(unit="pt", format="A4")
    for number in (1, 2):
        new_page(pdf)
        draw(pdf, [(LEFT, TOP, f"The words of page {number}.")])
    return bytes(pdf.output())


@pytest.mark.parametrize(
    ("lost", "pages", "reason"),
    [
        (b"10 0 obj", [1, 2], "damaged: 2 whole pages were found, others may be lost"),
        (b"9 0 obj", [1], "damaged: 1 whole page was found, 1 in part, others may be lost"),
    ],
)
def test_whole_pages_are_found_when_the_end_of_the_file_is_lost(
    bench: Workbench, lost: bytes, pages: list[int], reason: str
):
    content = two_pages()
    bench.write("cut.pdf", content[: content.index(lost)])

    (problem,) = bench.ingest().problems

    assert (problem.state, problem.reason) == ("partial", reason)
    assert [(segment.page, text) for segment, text in bench.segments("cut.pdf")] == [
        (page, f"The words of page {page}.") for page in pages
    ]


def test_a_page_without_its_fonts_is_not_read_in_others():
    content = two_pages()
    fonts = content.index(b"/Type /Font")

    assert repaired_pdf(content[: content.rindex(b" obj", 0, fonts)]) is None


def test_an_encrypted_file_is_not_repaired():
    assert repaired_pdf(two_pages() + b"trailer<</Encrypt 9 0 R>>") is None


@pytest.mark.parametrize(
    "content", [b"", b"%PDF-1.4", b"1 0 obj", b"1 0 obj<</Type/Page/Parent 1 0 R"]
)
def test_where_no_page_is_whole_nothing_is_repaired(content: bytes):
    assert repaired_pdf(content) is None


def test_a_page_that_cannot_be_read_leaves_the_others(bench: Workbench):
    content = two_pages()
    second = content.rindex(b"/Type /Page\n")
    bench.write("a.pdf", content[:second] + b"/Type /Pagf\n" + content[second + 12 :])

    (problem,) = bench.ingest().problems

    assert (problem.state, problem.reason) == ("partial", "page 2: could not be read")
    assert bench.segment("a.pdf", "The words of page 1.").page == 1


def test_characters_of_two_units_shift_no_offset(bench: Workbench):
    matplotlib = pytest.importorskip("matplotlib")
    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    pdf = new_page()
    pdf.add_font("DejaVu", fname=font)
    pdf.set_font("DejaVu", size=10)
    draw(pdf, [(LEFT, TOP, "\U0001d538\U0001d539 first. The cited sentence. Last.")])
    bench.write("a.pdf", bytes(pdf.output()))

    bench.ingest()

    segment = bench.segment("a.pdf", "The cited sentence.")
    assert segment.start == len("\U0001d538\U0001d539 first. ")
