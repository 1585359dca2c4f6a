"""The three PDF layouts, read back with PDFium."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from corpora.build_demo import DEMO, WRITERS, Block, Target, parse_source
from corpora.build_demo.hyphenate import with_soft_hyphens
from corpora.errors import CorpusError

pdfium: Any = pytest.importorskip("pypdfium2")
pytest.importorskip("fpdf")
pytest.importorskip("PIL")

LINE_END_HYPHEN = "\ufffe"
"""What PDFium gives for it."""
GERMAN = "„Die Wasserstände fließen über“ – für 12 € im Jahr: Öl, Äste, Größe."
LONG_WORDS = "Wasserstandsmeldungen der Genossenschaftsversammlung " * 30
TABLE = "| Gerät | Anzahl |\n|---|---|\n| Prüfmanometer | 3 |\n"
SECTION = "## {n}. Abschnitt\n\n" + GERMAN + "\n\n### {n}.1 Näheres\n\n" + LONG_WORDS[:300] + "\n\n"


def write(markdown: str, layout: str) -> bytes:
    target = Target.model_validate(
        {
            "path": "a.pdf",
            "source": "a.md",
            "written": "2024-05-04",
            "author": "Genossenschaft",
            "language": "de",
            "layout": layout,
        }
    )
    return WRITERS[".pdf", layout](parse_source(markdown), target)


@contextmanager
def opened(content: object) -> Iterator[Any]:
    document = pdfium.PdfDocument(content)
    try:
        yield document
    finally:
        document.close()


def page_texts(content: bytes) -> list[str]:
    """Lines joined by blanks; a hyphen that a line end brought is gone."""
    with opened(content) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    return [re.sub(f"{LINE_END_HYPHEN}(\r\n)?", "", text).replace("\r\n", " ") for text in texts]


def test_the_manual_and_the_report_have_three_pages():
    for name in ("manuals/net-maintenance-manual.pdf", "reports/annual-report-2023.pdf"):
        with opened(DEMO / name) as document:
            assert len(document) == 3


@pytest.mark.parametrize("layout", ["plain", "two-column", "scanned"])
def test_the_bytes_are_the_same_on_every_run(layout: str):
    markdown = f"# Größe\n\n{GERMAN}\n"

    assert write(markdown, layout) == write(markdown, layout)


@pytest.mark.parametrize("layout", ["plain", "two-column"])
def test_umlauts_quotation_marks_and_dashes_are_read_back(layout: str):
    assert GERMAN in page_texts(write(f"# Größe\n\n{GERMAN}\n", layout))[0]


@pytest.mark.parametrize("layout", ["plain", "two-column"])
def test_no_heading_is_the_last_line_of_a_page(layout: str):
    markdown = "# Handbuch\n\n" + "".join(SECTION.format(n=n) for n in range(1, 30))
    texts = page_texts(write(markdown, layout))

    assert len(texts) > 2
    for n_page, text in enumerate(texts, start=1):
        body = text.split(f" Handbuch, Seite {n_page}")[0].strip()
        assert not re.search(r"(Abschnitt|Näheres)$", body)


def test_a_table_repeats_its_header_on_the_next_page():
    rows = "".join(f"| Prüfmanometer der Station {n} | {n} |\n" for n in range(1, 60))
    texts = page_texts(write(f"# Geräte\n\n{TABLE}{rows}", "plain"))

    assert len(texts) == 2
    assert all("Gerät Anzahl" in text for text in texts)
    assert "Prüfmanometer der Station 59 59" in texts[1]


def test_the_second_column_is_read_after_the_first():
    markdown = "# Nebel\n\n" + "".join(f"Absatz {n}. {LONG_WORDS}\n\n" for n in range(1, 4))
    content = write(markdown, "two-column")
    with opened(content) as document:
        page = document[0].get_textpage()
        left = page.get_text_bounded(right=document[0].get_width() / 2)
        right = page.get_text_bounded(left=document[0].get_width() / 2)

    assert "Absatz 1." in left
    assert "Absatz 3." in right


def test_a_two_column_page_has_a_header_a_footer_and_hyphens():
    content = write(f"# Nebel\n\n{LONG_WORDS}\n", "two-column")
    with opened(content) as document:
        raw = document[0].get_textpage().get_text_range()

    assert raw.startswith("Genossenschaft 2024-05-04\r\n")
    assert "Nebel, Seite 1" in raw
    assert LINE_END_HYPHEN in raw
    assert LONG_WORDS.strip() in page_texts(content)[0]


def test_a_scanned_page_is_one_picture_without_text():
    content = write(f"# Größe\n\n{GERMAN}\n\n{TABLE}\n---\n\n{LONG_WORDS}\n", "scanned")

    assert len(content) < 100_000
    with opened(content) as document:
        assert len(document) == 2
        for page in document:
            assert page.get_textpage().get_text_range() == ""
            (picture,) = page.get_objects()
            assert picture.get_px_size() == (1654, 2339)  # A4 at 200 dots an inch
            (mode,) = {picture.get_bitmap().to_pil().mode}
            assert mode in {"1", "L"}


def test_a_scan_shows_dark_text_on_white_paper():
    with opened(write(f"# Größe\n\n{LONG_WORDS}\n", "scanned")) as document:
        page = document[0].render(grayscale=True).to_pil()
    histogram = page.histogram()
    n_dark, n_white = sum(histogram[:100]), sum(histogram[230:])

    assert 0.005 < n_dark / (page.width * page.height) < 0.2
    assert n_white / (page.width * page.height) > 0.7


@pytest.mark.parametrize(
    ("write_it", "message"),
    [
        (lambda: write("# Größe\n\n5 → 6\n", "plain"), "the fonts of PDF lack '→'"),
        (lambda: write(f"# Größe\n\n{TABLE}", "two-column"), "layout 'plain' has tables"),
    ],
)
def test_what_a_layout_cannot_show_is_refused(write_it: Callable[[], bytes], message: str):
    with pytest.raises(CorpusError, match=message):
        write_it()


@pytest.mark.parametrize(
    ("word", "broken"),
    [
        ("consultation", "con-sul-tation"),
        ("Genossenschaft", "Genos-senschaft"),
        ("between", "between"),
        ("working", "working"),
        ("net", "net"),
    ],
)
def test_a_word_may_break_between_two_consonants(word: str, broken: str):
    assert with_soft_hyphens(word).replace("\u00ad", "-") == broken


def test_a_page_break_block_leaves_no_trace_in_two_columns():
    assert Block(kind="page_break").line == ""
    (text,) = page_texts(write("# T\n\nEins.\n\n---\n\nZwei.\n", "two-column"))
    assert "Eins. Zwei." in text
