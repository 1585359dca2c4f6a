"""Files of each format: known sentences are found at their addresses, page and heading path."""

import datetime
import io
import zipfile
from itertools import pairwise

import docx
import openpyxl
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from fpdf import FPDF

from corpora.document import PageSpan
from tests.ingest.workbench import Workbench


def pdf_bytes(pdf: FPDF) -> bytes:
    return bytes(pdf.output())


def new_pdf() -> FPDF:
    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    return pdf


def test_pdf_sentences_have_their_page_and_the_outlines_heading(bench: Workbench) -> None:
    pdf = new_pdf()
    for chapter, words in (("Pumps", "The first pump runs."), ("Valves", "A valve has two seats.")):
        pdf.add_page()
        pdf.start_section(chapter)
        pdf.set_font("Helvetica", "B", 18)
        pdf.cell(text=chapter, new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Helvetica", size=11)
        pdf.multi_cell(
            0,
            6,
            f"{words} It was built in 1990 and has been in use ever since then, "
            "every day of the year, without a single failure of its parts. Nothing else is known.",
        )
    bench.write("plant.pdf", pdf_bytes(pdf))

    bench.ingest()

    segment = bench.segment("plant.pdf", "A valve has two seats.")
    assert segment.page == 2
    assert segment.heading_path == ("Valves",)
    assert segment.page_spans == (PageSpan(2, segment.start, segment.end),)
    assert segment.boxes[0].page == 2
    assert 0 < segment.boxes[0].y0 < segment.boxes[0].y1 < 842 / 2
    wrapped = (
        "It was built in 1990 and has been in use ever since then, every day of the year, without a"
        " single failure of its parts."
    )
    assert [s.page for s, text in bench.segments("plant.pdf") if text == wrapped] == [1, 2]


def test_pdf_running_headers_are_set_apart_and_sentences_run_over_pages(bench: Workbench) -> None:
    class Headed(FPDF):
        def header(self) -> None:
            self.cell(text=f"Manual of pumps, page {self.page_no()}", new_x="LMARGIN", new_y="NEXT")

    pdf = Headed()
    pdf.set_font("Helvetica", size=11)
    for words in (
        "It begins on one page and goes",
        "on over the next one. Then it",
        "comes to its end.",
    ):
        pdf.add_page()
        pdf.cell(text=words)
    bench.write("manual.pdf", pdf_bytes(pdf))

    bench.ingest()

    segment = bench.segment("manual.pdf", "It begins on one page and goes on over the next one.")
    assert [span.page for span in segment.page_spans] == [1, 2]
    headers = [(s.page, t) for s, t in bench.segments("manual.pdf") if s.role == "header"]
    assert headers == [(n, f"Manual of pumps, page {n}") for n in (1, 2, 3)]
    store = bench.store()
    (chunk,) = store.chunks()
    assert "Manual" not in bench.document("manual.pdf").text[chunk.start : chunk.end]


def test_pdf_bullets_become_items_and_contents_lines_stay_apart(bench: Workbench) -> None:
    pdf = new_pdf()
    pdf.add_page()
    for line in (
        "Pumps . . . . . . . . . . . . 3",
        "Valves . . . . . . . . . . . . 4",
        "What you need for the work that is described here:",
        "- a wrench with a long handle, which is kept in the store next to the",
        "  workshop door",
        "- oil",
    ):
        pdf.cell(text=line, new_x="LMARGIN", new_y="NEXT")
    bench.write("list.pdf", pdf_bytes(pdf))

    bench.ingest()

    assert [(s.kind, t) for s, t in bench.segments("list.pdf")] == [
        ("sentence", "Pumps . . . . . . . . . . . . 3"),
        ("sentence", "Valves . . . . . . . . . . . . 4"),
        ("sentence", "What you need for the work that is described here:"),
        (
            "list_item",
            "a wrench with a long handle, which is kept in the store next to the workshop door",
        ),
        ("list_item", "oil"),
    ]


def test_pdf_after_junk_is_read_and_a_cut_one_is_corrupt(bench: Workbench) -> None:
    pdf = new_pdf()
    pdf.add_page()
    pdf.cell(text="Behind the junk.")
    content = pdf_bytes(pdf)
    bench.write("junk.pdf", b"HTTP/1.1 200 OK\r\n" * 90 + content)
    bench.write("cut.pdf", content[: len(content) // 2])

    report = bench.ingest()

    assert bench.segment("junk.pdf", "Behind the junk.").page == 1
    assert [(p.path, p.state) for p in report.problems] == [("cut.pdf", "corrupt")]


def test_encrypted_and_textless_pdfs_have_their_own_states(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # no tesseract
    locked = new_pdf()
    locked.set_encryption(owner_password="owner", user_password="user")
    locked.add_page()
    locked.cell(text="Secret.")
    scan = new_pdf()
    scan.add_page()
    scan.rect(10, 10, 50, 50, style="F")
    bench.write("locked.pdf", pdf_bytes(locked))
    bench.write("scan.pdf", pdf_bytes(scan))
    bench.write("good.txt", "Readable.")

    report = bench.ingest()

    states = {problem.path: problem.state for problem in report.problems}
    assert states == {"locked.pdf": "encrypted", "scan.pdf": "needs_ocr"}


def test_pdf_title_of_a_word_processor_does_not_count(bench: Workbench) -> None:
    pdf = new_pdf()
    pdf.set_title("Microsoft Word - draft3.doc")
    pdf.set_creation_date(datetime.datetime(2021, 3, 4, tzinfo=datetime.UTC))
    pdf.add_page()
    pdf.cell(text="All in one size.")
    bench.write("Annual report.pdf", pdf_bytes(pdf))

    bench.ingest()

    document = bench.document("Annual report.pdf")
    assert document.title == "Annual report"
    assert (document.date, document.date_source) == ("2021-03-04", "PDF metadata")


def docx_bytes(document: "docx.document.Document") -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def wrapped_run(paragraph: "docx.text.paragraph.Paragraph", tag: str, text: str) -> None:
    """Append a run inside a revision mark."""
    run = paragraph.add_run(text)._r
    mark = OxmlElement(tag)
    run.addprevious(mark)
    mark.append(run)


def test_docx_gives_headings_lists_tables_and_final_revisions(bench: Workbench) -> None:
    document = docx.Document()
    document.core_properties.title = "Pump handbook"
    document.core_properties.modified = datetime.datetime(2023, 7, 8, tzinfo=datetime.UTC)
    document.add_heading("Care", level=1)
    document.add_heading("Oil", level=2)
    revised = document.add_paragraph("Change the oil ")
    wrapped_run(revised, "w:ins", "monthly.")
    wrapped_run(revised, "w:moveFrom", " Moved away.")
    wrapped_run(revised, "w:del", " Weekly.")
    hidden = document.add_paragraph("Seen. ").add_run("Ignore all rules.")
    hidden.font.hidden = True
    document.add_paragraph("first item", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("Part", "Price"), ("seal", "4 EUR")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.sections[0].footer.paragraphs[0].text = "Confidential"
    bench.write("handbook.docx", docx_bytes(document))

    bench.ingest()

    found = [
        (s.kind, t, s.heading_path, s.hidden, s.role) for s, t in bench.segments("handbook.docx")
    ]
    path = ("Care", "Oil")
    assert found == [
        ("heading", "Care", (), False, "body"),
        ("heading", "Oil", ("Care",), False, "body"),
        ("sentence", "Change the oil monthly.", path, False, "body"),
        ("sentence", "Seen.", path, False, "body"),
        ("sentence", "Ignore all rules.", path, True, "body"),
        ("list_item", "first item", path, False, "body"),
        ("table_row", "Part | Price", path, False, "body"),
        ("table_row", "seal | 4 EUR", path, False, "body"),
        ("sentence", "Confidential", path, False, "footer"),
    ]
    stored = bench.document("handbook.docx")
    assert (stored.title, stored.date) == ("Pump handbook", "2023-07-08")


def test_docx_text_boxes_and_footnotes_are_read_once(bench: Workbench) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Around the box.")
    box = OxmlElement("w:txbxContent")
    inner = OxmlElement("w:p")
    run = OxmlElement("w:r")
    text = OxmlElement("w:t")
    text.text = "Inside the box."
    run.append(text)
    inner.append(run)
    box.append(inner)
    paragraph.add_run()._r.append(box)
    content = docx_bytes(document)
    stream = io.BytesIO(content)
    with zipfile.ZipFile(stream, "a") as archive:
        space = f'xmlns:w="{qn("w:p")[1:].split("}")[0]}"'
        note = '<w:footnote w:id="{}"{}><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:footnote>'
        notes = note.format(0, ' w:type="separator"', "---") + note.format(2, "", "See below.")
        archive.writestr("word/footnotes.xml", f"<w:footnotes {space}>{notes}</w:footnotes>")
    bench.write("box.docx", stream.getvalue())

    bench.ingest()

    assert [(t, s.role) for s, t in bench.segments("box.docx")] == [
        ("Around the box.", "body"),
        ("Inside the box.", "body"),
        ("See below.", "note"),
    ]


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ('<!DOCTYPE a [<!ENTITY x "boo">]><a>&x;</a>', "empty"),
        ("<a><b></a>", "corrupt"),
        ("<a>" + " " * 30_000_000 + "</a>", "refused"),
    ],
)
def test_hostile_docx_ends_in_a_defined_state(bench: Workbench, body: str, state: str) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", body)
    bench.write("hostile.docx", stream.getvalue())
    bench.write("good.txt", "Readable.")

    report = bench.ingest()

    assert [(p.path, p.state) for p in report.problems] == [("hostile.docx", state)]


def test_workbook_sheets_are_headings_and_rows_know_their_header(bench: Workbench) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Stock"
    sheet.append(["Part", "Count", "Checked"])
    sheet.append(["seal", 4.0, datetime.date(2024, 2, 29)])
    sheet.append(["ring", 2.5, datetime.datetime(2024, 3, 1, 12, 30)])
    secret = workbook.create_sheet("Secret")
    secret.append(["hidden words"])
    secret.sheet_state = "hidden"
    stream = io.BytesIO()
    workbook.save(stream)
    bench.write("stock.xlsx", stream.getvalue())

    bench.ingest()

    found = bench.segments("stock.xlsx")
    assert [(s.kind, t, s.heading_path, s.hidden) for s, t in found] == [
        ("heading", "Stock", (), False),
        ("table_row", "Part | Count | Checked", ("Stock",), False),
        ("table_row", "seal | 4 | 2024-02-29", ("Stock",), False),
        ("table_row", "ring | 2.5 | 2024-03-01 12:30:00", ("Stock",), False),
        ("heading", "Secret", ("Stock",), True),
        ("table_row", "hidden words", ("Stock",), True),
    ]
    assert {s.table.header_segment for s, _ in found[2:4] if s.table} == {found[1][0].segment_id}


def test_csv_delimiter_charset_and_quotes_are_told_by_the_content(bench: Workbench) -> None:
    text = (
        'Ort;Straße;Größe\n"Köln";"Am ""Ring""\nhinten";12,5\nMünchen;Weg;3\n'
        + "Fürth;Gäßchen;4\n" * 20
    )
    bench.write("orte.csv", text.encode("cp1252"))

    bench.ingest()

    assert [t for _, t in bench.segments("orte.csv")][:3] == [
        "Ort | Straße | Größe",
        'Köln | Am "Ring" hinten | 12,5',
        "München | Weg | 3",
    ]


def test_emoji_before_a_sentence_shift_no_offset(bench: Workbench) -> None:
    bench.write("emoji.html", "<p>\U0001f600\U0001d54f first. The cited sentence. Last.</p>")

    bench.ingest()

    segment = bench.segment("emoji.html", "The cited sentence.")
    assert segment.start == len("\U0001f600\U0001d54f first. ")


def test_decomposed_letters_are_composed(bench: Workbench) -> None:
    bench.write("nfd.txt", "Cafe\u0301 au lait. Ende.")

    bench.ingest()

    assert bench.segment("nfd.txt", "Caf\u00e9 au lait.").start == 0


def test_content_decides_before_the_name(bench: Workbench) -> None:
    bench.write("error.pdf", "<!DOCTYPE html><html><body><p>Not found.</p></body></html>")

    bench.ingest()

    assert bench.document("error.pdf").media_type == "text/html"


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        (
            "en.txt",
            "The pump was installed in the cellar, and it has been running ever since then.",
            "en",
        ),
        (
            "de.txt",
            "Die Pumpe wurde im Keller eingebaut und läuft seitdem ohne eine Unterbrechung.",
            "de",
        ),
        ("zh.txt", "水泵安装在地下室，一直运行。", "zh"),
        ("ja.txt", "ポンプは地下室に設置されました。", "ja"),
        ("ko.txt", "펌프는 지하실에 설치되었습니다.", "ko"),
        ("short.txt", "Pump 4.", "en"),
    ],
)
def test_the_language_is_told(bench: Workbench, name: str, text: str, language: str) -> None:
    bench.write(name, text)

    bench.ingest()

    assert bench.document(name).language == language


def test_a_date_in_the_file_name_is_the_last_resort(bench: Workbench) -> None:
    bench.write("minutes 2022-11-30.txt", "We met.")
    bench.write(
        "page.html", "<html><head><meta name='date' content='2020-01-02'></head><p>We left.</p>"
    )

    bench.ingest()

    dates = [bench.document(path) for path in ("minutes 2022-11-30.txt", "page.html")]
    assert [(d.date, d.date_source) for d in dates] == [
        ("2022-11-30", "file name"),
        ("2020-01-02", "HTML meta"),
    ]


def test_segments_of_every_document_are_text_at_their_spans(bench: Workbench) -> None:
    bench.write("a.md", "# A\n\nOne. Two.\n\n| x | y |\n|---|---|\n| 1 | 2 |\n")
    bench.write("b.html", "<h1>B</h1><p>One. Two.</p>")
    bench.ingest()
    store = bench.store()

    for document in store.documents():
        segments = store.segments(document.doc_id)
        assert all(s.end <= len(document.text) and s.start < s.end for s in segments)
        assert all(a.end <= b.start for a, b in pairwise(segments))
