"""The demo corpus's binary files are what their source texts say, byte for byte."""

from pathlib import Path

import pytest

from corpora import build_demo
from corpora.build_demo import DEMO, TARGETS, Block, build_target, main, parse_source

LIBRARIES = {".pdf": "fpdf", ".docx": "docx", ".xlsx": "openpyxl"}


@pytest.mark.parametrize("target", TARGETS)
def test_a_file_is_reproduced_byte_for_byte(target: str):
    pytest.importorskip(LIBRARIES[Path(target).suffix])

    assert build_target(target) == (DEMO / target).read_bytes()


def test_check_is_content_with_what_is_checked_in(capsys: pytest.CaptureFixture[str]):
    for library in LIBRARIES.values():
        pytest.importorskip(library)

    assert main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_every_binary_file_of_the_corpus_is_made_by_the_script():
    binaries = {
        path.relative_to(DEMO).as_posix()
        for path in DEMO.rglob("*")
        if path.suffix in build_demo.WRITERS
    }

    assert binaries == set(TARGETS)
    sources = {path.name for path in build_demo.SOURCES.iterdir()}
    assert sources == {origin.source for origin in TARGETS.values()}


def test_a_source_text_is_read_as_blocks():
    source = "# T\n\nOne\n\n1. a\n2. b\n\n---\n\n| x | y |\n|---|---|\n| 1 | 2 |\n"

    assert parse_source(source) == [
        Block(kind="heading", text="T", level=1),
        Block(kind="paragraph", text="One"),
        Block(kind="item", text="1. a"),
        Block(kind="item", text="2. b"),
        Block(kind="page_break"),
        Block(kind="table", rows=(("x", "y"), ("1", "2"))),
    ]


def test_the_manual_and_the_report_have_three_pages():
    pdfium = pytest.importorskip("pypdfium2")

    for name in ("manuals/net-maintenance-manual.pdf", "reports/annual-report-2023.pdf"):
        document = pdfium.PdfDocument(DEMO / name)
        n_pages = len(document)
        document.close()
        assert n_pages == 3
