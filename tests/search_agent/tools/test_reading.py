"""A reading gives a table row its column names and a sentence the one before it."""

import pytest

from corpora.document import Segment, TableCell
from corpora.hit import Hit
from search_agent.tools.passages import Passage, showable, without_headers
from search_agent.tools.reading import Readings, labelled_row

TEXT = "Net | Mesh | Installed\nHK-204 | LZ-6 | 2016-09-06\nThe Widow is old. She weighs 96 kg."
HEADER = Segment(doc_id="d", start=0, end=22, kind="table_row", table=TableCell(0, 0, None))
ROW = Segment(doc_id="d", start=23, end=49, kind="table_row", table=TableCell(1, 0, "d:0-22"))
WIDOW = Segment(doc_id="d", start=50, end=67, kind="sentence")
WEIGHS = Segment(doc_id="d", start=68, end=85, kind="sentence")
READINGS = Readings(headers={"d:0-22": "Net | Mesh | Installed"})


def hit(*segments: Segment) -> Hit:
    return Hit(
        chunk_id=f"d:0-{len(TEXT)}",
        doc_id="d",
        title="Nets",
        uri="corpus:///nets.md",
        page=None,
        heading_path=(),
        start=0,
        end=len(TEXT),
        text=TEXT,
        score=1.0,
        rank=0,
        segments=segments,
    )


@pytest.mark.parametrize(
    ("header", "row", "reading"),
    [
        ("Net | Mesh", "HK-204 | LZ-6", "Net: HK-204; Mesh: LZ-6"),
        ("Net | Mesh | Note", "HK-204 |  | torn", "Net: HK-204; Note: torn"),
        ("Net | Mesh | Note", "HK-204 | LZ-6", "Net: HK-204; Mesh: LZ-6"),
        ("Net | Mesh", "HK-204 | LZ-6 | torn", "HK-204 | LZ-6 | torn"),
        ("Nets", "HK-204", "HK-204"),
    ],
)
def test_a_row_is_read_with_its_column_names_where_the_two_fit(header, row, reading):
    assert labelled_row(header, row) == reading


def test_only_a_row_under_a_known_header_is_labelled():
    whole = hit(HEADER, ROW, WIDOW, WEIGHS)
    assert READINGS.of(whole, ROW) == "Net: HK-204; Mesh: LZ-6; Installed: 2016-09-06"
    assert READINGS.of(whole, WEIGHS) == "She weighs 96 kg."
    assert Readings(headers={}).of(whole, ROW) == "HK-204 | LZ-6 | 2016-09-06"


def test_the_sentence_before_is_one_of_the_same_section():
    assert READINGS.before(hit(WIDOW, WEIGHS), WEIGHS) == "The Widow is old."
    assert READINGS.before(hit(ROW, WEIGHS), WEIGHS) == ""
    assert READINGS.before(hit(WEIGHS), WEIGHS) == ""
    assert READINGS.before(hit(WIDOW, ROW), ROW) == ""


def test_a_header_row_is_shown_only_where_no_row_carries_its_names():
    rows = Passage(hit=hit(HEADER, ROW), queries=(1,), segments=(HEADER, ROW))
    assert without_headers(rows, READINGS).segments == (ROW,)
    alone = Passage(hit=hit(HEADER), queries=(1,), segments=(HEADER,))
    assert without_headers(alone, READINGS).segments == (HEADER,)


def test_a_heading_is_shown_only_where_there_is_nothing_else():
    heading = Segment(doc_id="d", start=0, end=3, kind="heading")
    assert showable(hit(heading, WIDOW)) == (WIDOW,)
    assert showable(hit(heading)) == (heading,)
