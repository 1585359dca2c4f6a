"""Reading order of PDF pages: columns one after the other, and nothing else torn apart."""

import random

import pytest

from corpora.build_demo import SOURCES, WRITERS, Target, parse_source
from tests.ingest.pdf_pages import (
    LEFT,
    PITCH,
    RIGHT,
    TOP,
    Placed,
    column,
    draw,
    ingested,
    new_page,
)
from tests.ingest.workbench import Workbench

FOG = [
    "The fog came up the valley before the sun",
    "had touched the roofs, and by the time the",
    "bell was rung nobody could see the mast.",
    "It stayed for nine days and filled the tank",
    "to the mark that had been cut in 1961 by",
    "the engineer who did not trust the gauge.",
]
ROPE = [
    "The rope was changed in the spring of that",
    "year, and the old one lies behind the shed.",
    "Visitors are shown its broken strands in a",
    "glass case, next to the shears that cut it.",
    "Nobody has asked for it back since then,",
    "and the children use the drum as a table.",
]
FOG_SENTENCES = [
    "The fog came up the valley before the sun had touched the roofs, and by the time the bell was"
    " rung nobody could see the mast.",
    "It stayed for nine days and filled the tank to the mark that had been cut in 1961 by the"
    " engineer who did not trust the gauge.",
]
ROPE_SENTENCES = [
    "The rope was changed in the spring of that year, and the old one lies behind the shed.",
    "Visitors are shown its broken strands in a glass case, next to the shears that cut it.",
    "Nobody has asked for it back since then, and the children use the drum as a table.",
]
TITLE = (LEFT + 60, TOP - 40, "A title that stands across both of the columns of this page")


def row_by_row(left: list[Placed], right: list[Placed]) -> list[Placed]:
    return [line for row in zip(left, right, strict=True) for line in row]


def shuffled(left: list[Placed], right: list[Placed]) -> list[Placed]:
    lines = left + right
    random.Random(7).shuffle(lines)
    return lines


@pytest.mark.parametrize(
    "order", [lambda left, right: left + right, row_by_row, shuffled], ids=["set", "rows", "random"]
)
def test_the_left_column_is_read_before_the_right_however_they_are_drawn(bench: Workbench, order):
    pdf = new_page()
    draw(pdf, [TITLE, *order(column(LEFT, FOG), column(RIGHT, ROPE))])

    assert ingested(bench, pdf) == [TITLE[2], *FOG_SENTENCES, *ROPE_SENTENCES]


def test_the_newsletter_of_the_demo_corpus_reads_as_its_source_does(bench: Workbench):
    blocks = parse_source((SOURCES / "ridge-lamp-autumn-2024.md").read_text("utf-8"))
    target = Target.model_validate(
        {
            "path": "a.pdf",
            "source": "ridge-lamp-autumn-2024.md",
            "written": "2024-10-10",
            "author": "Orrowick Ridge Fog-Water Cooperative",
            "language": "en",
            "layout": "two-column",
        }
    )
    bench.write("a.pdf", WRITERS[".pdf", "two-column"](blocks, target))
    bench.ingest()

    words = bench.document("a.pdf").text.split()

    # Words alone: a full line that happens to end in a full stop may have ended a paragraph.
    edge = "Orrowick Ridge Fog-Water Cooperative 2024-10-10"
    edges = f"{edge} The Ridge Lamp, page 1 {edge} The Ridge Lamp, page 2"
    assert words == [*(word for block in blocks for word in block.text.split()), *edges.split()]
    assert {segment.page for segment, _ in bench.segments("a.pdf")} == {1, 2}


def test_a_segment_of_a_column_has_the_boxes_of_its_lines_alone(bench: Workbench):
    pdf = new_page()
    draw(pdf, row_by_row(column(LEFT, FOG), column(RIGHT, ROPE)))
    ingested(bench, pdf)

    boxes = bench.segment("a.pdf", ROPE_SENTENCES[0]).boxes

    assert [round(box.x0) for box in boxes] == [RIGHT, RIGHT]
    assert boxes[1].y0 - boxes[0].y0 == pytest.approx(PITCH, abs=0.2)
    assert TOP - 10 < boxes[0].y0 < TOP < boxes[0].y1 < TOP + 4


def test_what_stands_across_parts_the_columns_above_from_those_below(bench: Workbench):
    pdf = new_page()
    middle = TOP + 7 * PITCH
    across = (LEFT, middle, "Here one line runs from the left edge to the right, over the gutter.")
    draw(pdf, row_by_row(column(LEFT, FOG), column(RIGHT, FOG)))
    draw(pdf, [across])
    draw(
        pdf,
        row_by_row(
            column(LEFT, ROPE, top=middle + 2 * PITCH), column(RIGHT, ROPE, top=middle + 2 * PITCH)
        ),
    )

    assert ingested(bench, pdf) == [
        *FOG_SENTENCES * 2,
        across[2],
        *ROPE_SENTENCES * 2,
    ]


def test_three_columns_are_read_from_left_to_right(bench: Workbench):
    pdf = new_page()
    columns = [
        column(
            40 + 180 * number,
            [
                f"{name} begins with a few words",
                "and goes on with a few more,",
                "which are there to fill a line,",
                f"until {name} comes to its end.",
            ],
        )
        for number, name in enumerate(("alpha", "beta", "gamma"))
    ]
    draw(pdf, [line for row in zip(*columns, strict=True) for line in row])

    assert ingested(bench, pdf) == [
        f"{name} begins with a few words and goes on with a few more,"
        f" which are there to fill a line, until {name} comes to its end."
        for name in ("alpha", "beta", "gamma")
    ]


def test_a_paragraph_runs_on_into_the_next_column(bench: Workbench):
    pdf = new_page()
    draw(
        pdf, row_by_row(column(LEFT, FOG[:5]), column(RIGHT, ["Tredgold, who made it.", *ROPE[:4]]))
    )

    assert FOG_SENTENCES[1].partition("the engineer")[0] + "Tredgold, who made it." in ingested(
        bench, pdf
    )


def test_a_table_without_rules_is_left_as_it_is(bench: Workbench):
    pdf = new_page()
    rows = [
        ("Lining of the old cistern, in three coats", "4,120"),
        ("Ladders, of which two are aluminium", "860"),
        ("Needles of bone and a reel of cord", "94"),
        ("Lamp glasses, seven of each colour", "560"),
        ("Overtime of the crew on three nights", "1,204"),
        ("Biscuits for the auditors of the year", "12"),
    ]
    for number, (name, price) in enumerate(rows):
        draw(pdf, [(LEFT, TOP + number * PITCH, name), (400, TOP + number * PITCH, price)])

    assert ingested(bench, pdf) == [f"{name} {price}" for name, price in rows]


def test_one_column_with_short_lines_keeps_its_order(bench: Workbench):
    pdf = new_page()
    verses = ["The sun is for the lowland man,", "Who has it on his bread;"]
    long = [
        "This page has one column, and its lines run from the left edge to the right one without a",
        "gap. Some of them end early, as the last lines of paragraphs do, and below them are lines",
        "of a song that nobody would take for a column of their own.",
    ]
    lines = column(LEFT, [*long, *verses])
    lines.insert(4, (RIGHT, lines[3][1], "(to be sung slowly)"))
    draw(pdf, lines)

    texts = ingested(bench, pdf)

    assert " ".join(texts) == " ".join([*long, verses[0], "(to be sung slowly)", verses[1]])


def test_a_header_of_two_parts_is_no_first_line_of_two_columns(bench: Workbench):
    pdf = new_page()
    draw(
        pdf,
        [
            (LEFT, 40, "Proceedings of the Ridge Society"),
            (RIGHT + 60, 40, "Volume 63, autumn 2024"),
        ],
    )
    draw(pdf, row_by_row(column(LEFT, FOG), column(RIGHT, ROPE)))

    assert ingested(bench, pdf) == [
        "Proceedings of the Ridge Society Volume 63, autumn 2024",
        *FOG_SENTENCES,
        *ROPE_SENTENCES,
    ]
