"""Scanned pages and images: recognised by tesseract where it is installed, else ``needs_ocr``."""

import io
import shutil
from pathlib import Path

import pytest
from fpdf import FPDF

from corpora.build_demo import WRITERS, Target, parse_source
from ingest import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.ocr import find_engine, recognise
from ingest.ocr_lines import recognised_lines
from ingest.read_image import n_pages
from tests.ingest.workbench import Workbench

SCAN = (
    "# The rope\n\nThe rope was changed in the spring of 1961.\n\nNobody has asked for it since.\n"
)
SENTENCE = "The rope was changed in the spring of 1961."
COLUMNS = "level page_num block_num par_num line_num word_num left top width height conf text"
"""Of tesseract's table, tabs as blanks."""
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="the program tesseract is not installed"
)


def scanned_pdf(markdown: str = SCAN) -> bytes:
    target = Target.model_validate(
        {
            "path": "a.pdf",
            "source": "a.md",
            "written": "1961-05-04",
            "author": "Kerrin",
            "language": "en",
            "layout": "scanned",
        }
    )
    return WRITERS[".pdf", "scanned"](parse_source(markdown), target)


def page_picture(form: str) -> bytes:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(scanned_pdf())
    stream = io.BytesIO()
    document[0].render(scale=200 / 72, grayscale=True).to_pil().save(stream, form)
    document.close()
    return stream.getvalue()


def program(folder: Path, script: str) -> Path:
    """A stand-in on the path that is called tesseract."""
    file = folder / "tesseract"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return folder


@pytest.fixture
def no_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "no programs"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))


@pytest.mark.usefixtures("no_programs")
def test_without_the_program_scans_and_images_need_ocr(bench: Workbench):
    bench.write("scan.pdf", scanned_pdf())
    bench.write("scan.png", page_picture("png"))
    bench.write("good.txt", "Readable.")

    report = bench.ingest()

    assert {problem.path: problem.state for problem in report.problems} == {
        "scan.pdf": "needs_ocr",
        "scan.png": "needs_ocr",
    }
    assert report.problems[0].reason == "no text on its 1 pages (page 1: no text, needs OCR)"


@pytest.mark.usefixtures("no_programs")
def test_a_scanned_page_among_others_leaves_the_document_partial(bench: Workbench):
    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.cell(text="A page with a text layer.")
    pdf.add_page()
    pdf.image(io.BytesIO(page_picture("png")), x=0, y=0, w=pdf.w)
    bench.write("mixed.pdf", bytes(pdf.output()))

    (problem,) = bench.ingest().problems

    assert (problem.state, problem.reason) == ("partial", "page 2: no text, needs OCR")
    assert bench.segment("mixed.pdf", "A page with a text layer.").page == 1


@needs_tesseract
def test_a_scanned_page_is_read_with_its_boxes_and_its_confidence(bench: Workbench):
    bench.write("scan.pdf", scanned_pdf())

    report = bench.ingest(languages=("en",))

    assert report.problems == []
    segment = bench.segment("scan.pdf", SENTENCE)
    (box,) = segment.boxes
    assert segment.page == 1
    assert segment.ocr_confidence is not None
    assert 0.7 < segment.ocr_confidence <= 1
    assert 60 < box.x0 < 90  # 25 mm are 71 points
    assert 9 < box.y1 - box.y0 < 20


@needs_tesseract
@pytest.mark.parametrize("form", ["png", "jpeg", "tiff"])
def test_an_image_is_read(bench: Workbench, form: str):
    bench.write(f"scan.{form}", page_picture(form))

    bench.ingest()

    assert bench.segment(f"scan.{form}", SENTENCE).page == 1
    assert bench.document(f"scan.{form}").media_type == f"image/{form}"


@needs_tesseract
def test_a_language_that_is_not_installed_is_named(bench: Workbench):
    bench.write("scan.pdf", scanned_pdf())
    bench.write("good.txt", "Readable.")

    (problem,) = bench.ingest(IngestConfig(ocr_languages=("tlh",))).problems

    assert problem.state == "needs_ocr"
    assert "needs OCR in tlh; tesseract has" in problem.reason


def test_scans_are_read_again_once_the_program_is_there(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    full.mkdir()
    bench.write("scan.pdf", scanned_pdf())
    bench.write("good.txt", "Readable.")
    monkeypatch.setenv("PATH", str(empty))
    assert bench.ingest().documents["needs_ocr"] == 1
    tsv = COLUMNS.replace(" ", "\\t")
    word = "5\\t1\\t1\\t1\\t1\\t1\\t200\\t300\\t100\\t30\\t96.5\\tRope."
    replies = (
        f'case "$1" in --version) echo "tesseract 5.0";; --list-langs) echo "List:\neng";;'
        f" *) /bin/cat > /dev/null; printf '{tsv}\\n{word}\\n';; esac"
    )
    monkeypatch.setenv("PATH", str(program(full, replies)))

    report = bench.ingest()

    assert report.documents["needs_ocr"] == 0
    segment = bench.segment("scan.pdf", "Rope.")
    assert segment.ocr_confidence == 0.965
    assert segment.boxes[0][1:] == (
        round(200 * 72 / 200, 1),
        round(300 * 72 / 200, 1),
        round(300 * 72 / 200, 1),
        round(330 * 72 / 200, 1),
    )
    assert bench.ingest().changes["unchanged"] == 2


def test_a_program_that_takes_too_long_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    replies = (
        'case "$1" in --version) echo "tesseract 5.0";; --list-langs) echo "List:\neng";;'
        " *) /bin/sleep 60 & wait;; esac"
    )
    monkeypatch.setenv("PATH", str(program(tmp_path, replies)))

    with pytest.raises(ExtractionFailed, match="OCR stopped after 1 s") as failed:
        recognise(b"", IngestConfig(ocr_page_seconds=1))

    assert failed.value.state == "timeout"


def test_a_program_that_does_not_answer_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(program(tmp_path, "exit 1")))

    assert find_engine() is None


def test_ocr_can_be_turned_off(tmp_path: Path):
    with pytest.raises(ExtractionFailed, match="no text, needs OCR"):
        recognise(b"", IngestConfig(ocr_page_seconds=0))


def test_words_become_lines_and_unsure_lines_are_left_out():
    rows = [
        COLUMNS,
        "4 1 1 1 1 0 100 100 230 40 -1 ",
        "5 1 1 1 1 1 100 100 100 40 90 Fog",
        '5 1 1 1 1 2 210 104 120 36 80 "nets"',
        "5 1 2 1 1 1 700 900 10 8 12 .~",
        "5 1 3 1 1 1 100 950 50 40 95 雾水",
        "5 1 3 1 1 2 160 950 50 40 95 合作社",
    ]

    lines = recognised_lines("\n".join(row.replace(" ", "\t") for row in rows), page=4, scale=0.5)

    assert [(line.text, line.region, line.confidence) for line in lines] == [
        ('Fog "nets"', 1, round((90 * 3 + 80 * 6) / 9 / 100, 3)),
        ("雾水合作社", 3, 0.95),
    ]
    assert lines[0].box == (4, 100 / 2, 100 / 2, 330 / 2, 140 / 2)


@pytest.mark.parametrize("n_images", [1, 3])
def test_the_pages_of_a_tiff_are_counted(n_images: int):
    image = pytest.importorskip("PIL.Image")
    stream = io.BytesIO()
    pictures = [image.new("L", (20, 10), 255) for _ in range(n_images)]
    pictures[0].save(stream, "tiff", save_all=True, append_images=pictures[1:])

    assert n_pages(stream.getvalue()) == n_images


def test_a_picture_of_another_format_or_a_damaged_tiff_has_one_page():
    assert n_pages(b"\x89PNG\r\n\x1a\n") == 1
    assert n_pages(b"II*\x00\xff\xff\xff\x00") == 1


def test_pages_that_a_file_has_no_time_for_are_named_and_the_others_kept(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tsv = COLUMNS.replace(" ", "\\t")
    word = "5\\t1\\t1\\t1\\t1\\t1\\t200\\t300\\t100\\t30\\t96.5\\tRope."
    replies = (
        f'case "$1" in --version) echo "tesseract 5.0";; --list-langs) echo "List:\neng";;'
        f" *) /bin/cat > /dev/null; /bin/sleep 1; printf '{tsv}\\n{word}\\n';; esac"
    )
    monkeypatch.setenv("PATH", str(program(tmp_path, replies)))
    bench.write("scan.tiff", two_pages())

    config = IngestConfig(workers=0, max_reader_wall_s=1, ocr_page_seconds=30)
    (problem,) = bench.ingest(config).problems

    assert problem.state == "partial"
    assert problem.reason.startswith("page 2: no time left for OCR")
    assert bench.segment("scan.tiff", "Rope.").page == 1


def two_pages() -> bytes:
    Image = pytest.importorskip("PIL.Image")
    page = Image.new("L", (400, 400), 255)
    stream = io.BytesIO()
    page.save(stream, "tiff", save_all=True, append_images=[page])
    return stream.getvalue()
