"""DOCX, PPTX and XLSX, read back with other parts of the libraries than those that write."""

import datetime
import io
import zipfile
from itertools import pairwise
from typing import Any

import pytest

from corpora.build_demo import WRITERS, Target, parse_source
from corpora.errors import CorpusError

docx: Any = pytest.importorskip("docx")
pptx: Any = pytest.importorskip("pptx")
openpyxl: Any = pytest.importorskip("openpyxl")

NOON = datetime.datetime(2024, 5, 4, 12)
PAPER = """# Größe der Netze

Die Netze sind groß.

- ein Haken
- zwei Haken

1. waschen

## 清洗

雾网每年清洗一次。

| Netz | m2 |
|---|---|
| HK-201 | 90 |
"""
DECK = """# 雾网 2024

Orrowick Ridge

---

## What changed

- More nets

1. Wash them

Notes: The spring was dry.

---

## Yields

Litres a day.

| Station | Litres |
|---|---|
| Cold Lectern | 1,612 |
| Pell Shoulder | 958 |
"""
BOOK = """# Register

## Nets

| Net | Area | Loss | Installed | Code | Litres |
|---|---|---|---|---|---|
| HK-201 | 90 | 12.50 | 2014-05-20 | 007 | 1,620 |
| HK-202 | 0 | -0.5 | n/a | A1 | -3 |
"""


def write(markdown: str, suffix: str) -> bytes:
    target = Target.model_validate(
        {
            "path": f"a{suffix}",
            "source": "a.md",
            "written": "2024-05-04",
            "author": "Wardens",
            "language": "en",
        }
    )
    return WRITERS[suffix, "plain"](parse_source(markdown), target)


@pytest.mark.parametrize(
    ("markdown", "suffix"), [(PAPER, ".docx"), (DECK, ".pptx"), (BOOK, ".xlsx")]
)
def test_the_archive_is_the_same_on_every_run_and_holds_no_time_of_writing(
    markdown: str, suffix: str
):
    content = write(markdown, suffix)

    assert content == write(markdown, suffix)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        properties = archive.read("docProps/core.xml").decode()
    assert members[0].filename == "[Content_Types].xml"
    assert {(member.date_time[0], member.compress_type) for member in members} == {
        (1980, zipfile.ZIP_STORED)
    }
    assert properties.count("2024-05-04T12:00:00Z") == 2
    assert "Wardens" in properties


def test_a_word_document_has_headings_bullets_typed_numbers_and_tables():
    document = docx.Document(io.BytesIO(write(PAPER, ".docx")))

    assert [(paragraph.style.name, paragraph.text) for paragraph in document.paragraphs] == [
        ("Heading 1", "Größe der Netze"),
        ("Normal", "Die Netze sind groß."),
        ("List Bullet", "ein Haken"),
        ("List Bullet", "zwei Haken"),
        ("Normal", "1. waschen"),
        ("Heading 2", "清洗"),
        ("Normal", "雾网每年清洗一次。"),
    ]
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Netz", "m2"],
        ["HK-201", "90"],
    ]


def test_a_presentation_has_titles_text_tables_and_notes():
    deck = pptx.Presentation(io.BytesIO(write(DECK, ".pptx")))
    opening, changes, yields = deck.slides

    assert [slide.shapes.title.text for slide in deck.slides] == [
        "雾网 2024",
        "What changed",
        "Yields",
    ]
    assert opening.slide_layout.name == "Title Slide"
    assert opening.placeholders[1].text == "Orrowick Ridge"
    assert changes.placeholders[1].text == "More nets\n1. Wash them"
    assert changes.notes_slide.notes_text_frame.text == "The spring was dry."
    assert not opening.has_notes_slide
    assert yields.placeholders[1].text == "Litres a day."
    (table,) = (shape.table for shape in yields.shapes if shape.has_table)
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Station", "Litres"],
        ["Cold Lectern", "1,612"],
        ["Pell Shoulder", "958"],
    ]
    assert deck.core_properties.created.replace(tzinfo=None) == NOON


def test_nothing_on_a_slide_overlaps_or_leaves_it():
    deck = pptx.Presentation(io.BytesIO(write(DECK, ".pptx")))

    for slide in deck.slides:
        shapes = sorted(slide.shapes, key=lambda shape: shape.top)
        for above, below in pairwise(shapes):
            assert above.top + above.height <= below.top
        assert shapes[-1].top + shapes[-1].height <= deck.slide_height


def test_a_presentation_keeps_nothing_of_the_template_but_what_it_uses():
    content = write(DECK, ".pptx")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()

    assert len(content) < 80_000
    assert [name for name in names if "thumbnail" in name or "printer" in name] == []
    assert sum(name.startswith("ppt/slideLayouts/slideLayout") for name in names) == 2


@pytest.mark.parametrize(
    ("slide", "message"),
    [
        ("No heading.", "a slide begins with its heading, not with 'No heading.'"),
        ("## Full\n\n" + "word " * 1_000, "slide 'Full' holds more than fits"),
    ],
)
def test_a_slide_that_cannot_be_shown_is_refused(slide: str, message: str):
    with pytest.raises(CorpusError, match=message):
        write(f"# T\n\n---\n\n{slide}\n", ".pptx")


def test_a_workbook_holds_plain_numbers_as_numbers_and_all_else_as_text():
    workbook = openpyxl.load_workbook(io.BytesIO(write(BOOK, ".xlsx")))
    sheet = workbook["Nets"]

    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["Net", "Area", "Loss", "Installed", "Code", "Litres"],
        ["HK-201", 90, 12.5, "2014-05-20", "007", "1,620"],
        ["HK-202", 0, -0.5, "n/a", "A1", -3],
    ]
    assert sheet["C2"].number_format == "0.00"
    assert sheet["B2"].number_format == "General"


@pytest.mark.parametrize(
    ("markdown", "message"),
    [
        (BOOK + "\nA remark.\n", "'A remark.' stands in no table"),
        (BOOK.replace("## Nets", "## Nets/Frames"), "'Nets/Frames' cannot name a sheet"),
        (BOOK.replace("## Nets", "## " + "N" * 32), "1 to 31 characters"),
        (BOOK + "\n---\n\n## Nets\n\n| a |\n|---|\n| 1 |\n", "stands in no table|each name once"),
        (BOOK + "\n## Nets\n\n| a |\n|---|\n| 1 |\n", "each name once"),
    ],
)
def test_what_a_workbook_cannot_hold_is_refused(markdown: str, message: str):
    with pytest.raises(CorpusError, match=message):
        write(markdown, ".xlsx")
