"""Paragraphs of PDFs: hyphens at line ends, ragged lines, indents, and what runs on every page."""

import pytest
from fpdf import FPDF

from ingest.pdf_hyphens import LineEndHyphens
from tests.ingest.pdf_pages import LEFT, PITCH, TOP, column, draw, ingested, new_page
from tests.ingest.workbench import Workbench


def test_a_hyphen_that_the_line_end_brought_is_gone(bench: Workbench):
    pdf = new_page()
    draw(
        pdf,
        column(
            LEFT,
            [
                "Die Genossenschaftsver-",
                "sammlung fand am 17. Sep-",
                "tember statt, und niemand fehlte.",
            ],
        ),
    )

    assert ingested(bench, pdf) == [
        "Die Genossenschaftsversammlung fand am 17. September statt, und niemand fehlte."
    ]


def test_each_half_of_a_broken_word_lies_in_its_own_box(bench: Workbench):
    pdf = new_page()
    draw(pdf, column(LEFT, ["All of them came for the autumn gather-", "ing of the members."]))
    ingested(bench, pdf)

    boxes = bench.segment(
        "a.pdf", "All of them came for the autumn gathering of the members."
    ).boxes

    assert len(boxes) == 2
    assert boxes[1].y0 - boxes[0].y0 == pytest.approx(PITCH, abs=0.2)
    assert boxes[1].x1 < boxes[0].x1


@pytest.mark.parametrize(
    ("others", "before", "after", "joined"),
    [
        ([], "the Sep-", "tember of", "the September of"),
        ([], "the Sep\x02", "tember of", "the September of"),
        (["a night-watch"], "the night-", "watch of", "the night-watch of"),
        (["by night", "to watch"], "the night-", "watch of", "the night-watch of"),
        (["by night", "to watch", "a nightwatch"], "the night-", "watch of", "the nightwatch of"),
        (["from under", "we stand"], "they under-", "stand it", "they understand it"),
        (["some", "thing"], "do some-", "thing else", "do something else"),
        (["das Wasser", "der Stand"], "der Wasser-", "stand war", "der Wasserstand war"),
        ([], "von Nord-", "Ost her", "von Nord-Ost her"),
        ([], "gegen COVID-", "19 geimpft", "gegen COVID-19 geimpft"),
        ([], "die Vor-", "und Nachteile", "die Vor- und Nachteile"),
        ([], "1987-", "2023 alone", "1987-2023 alone"),
    ],
)
def test_whether_a_hyphen_stays(others: list[str], before: str, after: str, joined: str):
    hyphens = LineEndHyphens([*others, before, after])

    assert hyphens.joined(before, after) + after == joined


def test_ragged_lines_are_one_paragraph_and_its_short_last_line_ends_it(bench: Workbench):
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Times", size=12)
    first = (
        "Newsletter of the Orrowick Ridge Fog-Water Cooperative, printed on 10 October 2024 in the"
        " tea kitchen by Tobiah Quarles and Bettany Rusk of Dunmarrow"
    )
    second = "Quarles drew the first glass himself, held it against the window and drank it."
    for words in (first, second, "Hal Tredgold"):
        pdf.multi_cell(62, 5, words, align="L", new_x="LMARGIN", new_y="NEXT")

    ingested(bench, pdf)

    assert bench.document("a.pdf").text == f"{first}\n\n{second}\n\nHal Tredgold"


def test_lines_of_a_song_stay_lines(bench: Workbench):
    song = [
        "The sun is for the lowland man",
        "The rain is cold",
        "But fog is slow and shy",
        "So there",
    ]
    pdf = new_page()
    draw(pdf, column(LEFT, song))

    assert ingested(bench, pdf) == song


def test_an_indent_begins_a_paragraph(bench: Workbench):
    pdf = new_page()
    lines = column(
        LEFT,
        [
            "The first paragraph fills its lines to the very edge of the page.",
            "And so the next one is known by the indent of its first line, as",
            "in a printed book.",
        ],
    )
    x, y, words = lines[1]
    lines[1] = (x + 15, y, words)
    draw(pdf, lines)
    ingested(bench, pdf)

    assert bench.document("a.pdf").text.split("\n\n") == [
        "The first paragraph fills its lines to the very edge of the page.",
        "And so the next one is known by the indent of its first line, as in a printed book.",
    ]


def test_numbered_clauses_stay_apart(bench: Workbench):
    pdf = new_page()
    clauses = [
        "8.1 Ice on the mesh is left to melt in the sun.",
        "8.2 A frozen gutter is left alone.",
    ]
    draw(pdf, column(LEFT, clauses))
    ingested(bench, pdf)

    assert bench.document("a.pdf").text == "\n\n".join(clauses)


def test_what_runs_on_both_pages_of_two_is_no_part_of_the_sentence_between(bench: Workbench):
    pdf = FPDF(unit="pt", format="A4")
    for number, words in enumerate(("It begins on one page and goes", "on over the next one."), 1):
        new_page(pdf)
        draw(
            pdf, [(LEFT, 40, "Ridge Lamp"), (LEFT, TOP, words), (LEFT, 800, f"page {number} of 2")]
        )

    texts = ingested(bench, pdf)

    assert texts[0] == "It begins on one page and goes on over the next one."
    found = [(segment.role, segment.page, text) for segment, text in bench.segments("a.pdf")]
    assert found[1:] == [
        ("header", 1, "Ridge Lamp"),
        ("footer", 1, "page 1 of 2"),
        ("header", 2, "Ridge Lamp"),
        ("footer", 2, "page 2 of 2"),
    ]
    chunks = [texts[0][: chunk.end] for chunk in bench.store().chunks()]
    assert chunks == [texts[0]]


def test_the_same_words_at_another_height_run_nowhere(bench: Workbench):
    pdf = FPDF(unit="pt", format="A4")
    for number in range(3):
        new_page(pdf)
        draw(pdf, [(LEFT, TOP + 60 * number, "We met in the hut."), (LEFT, 400, f"Item {number}.")])
    ingested(bench, pdf)

    roles = {
        segment.role for segment, text in bench.segments("a.pdf") if text == "We met in the hut."
    }
    assert roles == {"body"}


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_are_those_of_the_page_as_it_is_shown(bench: Workbench, rotation: int):
    pypdfium2 = pytest.importorskip("pypdfium2")
    pdf = new_page()
    draw(pdf, [(LEFT, TOP, "A page that a scanner has turned.")])
    document = pypdfium2.PdfDocument(bytes(pdf.output()))
    page = document[0]
    page.set_rotation(rotation)
    page.set_cropbox(20, 30, 500, 800)
    file = bench.source / "turned.pdf"
    document.save(file)
    document.close()
    bench.ingest()

    (box,) = bench.segment("turned.pdf", "A page that a scanner has turned.").boxes

    width, height = 480, 770
    x, y = LEFT - 20, TOP - (842 - 800)  # the first letter's foot, in the crop box
    corner = {
        0: (box.x0, box.y1),
        90: (box.y0, height - box.x0),
        180: (width - box.x1, height - box.y0),
        270: (width - box.y1, box.x1),
    }
    assert corner[rotation] == pytest.approx((x, y), abs=4)
