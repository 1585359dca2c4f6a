"""Small files that readers got wrong: what is lost, shown or made up where nobody looks."""

import io
import zipfile

import openpyxl
import pytest

from tests.ingest.nasty_office import W, docx, paragraph, run
from tests.ingest.workbench import Workbench

MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
WHITE = '<w:color w:val="FFFFFF"/>'
EPUB = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="c.opf"/></rootfiles></container>"""
OPF = """<package xmlns="http://www.idpf.org/2007/opf"><manifest>
  <item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>
  <item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>{}</package>"""


def shown(bench: Workbench, path: str) -> list[str]:
    return [text for segment, text in bench.segments(path) if not segment.hidden]


def epub(spine: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", EPUB)
        archive.writestr("c.opf", OPF.format(spine))
        for name in "ab":
            archive.writestr(f"{name}.xhtml", f"<html><p>Chapter {name}.</p></html>")
    return packed.getvalue()


@pytest.mark.parametrize(
    "unseen",
    [
        paragraph(run("Secret.", "<w:vanish/>")),
        paragraph(run("Secret.", WHITE)),
        paragraph(run("Secret.", '<w:sz w:val="2"/>')),
        paragraph('<w:pPr><w:pStyle w:val="Gone"/></w:pPr>', run("Secret.")),
        paragraph(run("Secret.", '<w:rStyle w:val="Gone"/>')),
    ],
)
def test_docx_text_that_cannot_be_seen_is_hidden(bench: Workbench, unseen: str) -> None:
    styles = f"""<w:styles {W}><w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>
      <w:style w:styleId="Gone"><w:basedOn w:val="Base"/></w:style></w:styles>"""
    bench.write(
        "a.docx", docx(paragraph(run("Seen.")) + unseen, more=[("word/styles.xml", styles)])
    )

    bench.ingest()

    assert shown(bench, "a.docx") == ["Seen."]
    assert bench.segment("a.docx", "Secret.").hidden


@pytest.mark.parametrize(
    "body",
    [
        paragraph(run("White.", WHITE + '<w:shd w:fill="000080"/>')),
        paragraph('<w:pPr><w:shd w:fill="000080"/></w:pPr>', run("White.", WHITE)),
        f"<w:tbl><w:tr><w:tc>{paragraph(run('White.', WHITE))}</w:tc></w:tr></w:tbl>",
        paragraph(
            '<w:pPr><w:pStyle w:val="Gone"/></w:pPr>', run("White.", '<w:vanish w:val="0"/>')
        ),
    ],
)
def test_docx_text_on_a_shading_and_text_that_is_shown_again_are_seen(
    bench: Workbench, body: str
) -> None:
    styles = (
        f'<w:styles {W}><w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
    )
    bench.write("a.docx", docx(body, more=[("word/styles.xml", styles)]))

    bench.ingest()

    assert shown(bench, "a.docx") == ["White."]


def test_docx_deleted_rows_are_out_and_formulas_in(bench: Workbench) -> None:
    rows = [
        f"<w:tr>{mark}<w:tc>{paragraph(run(text))}</w:tc></w:tr>"
        for mark, text in (("", "Kept"), ("<w:trPr><w:del/></w:trPr>", "Struck"))
    ]
    formula = f'<m:oMath xmlns:m="{MATH}"><m:r><m:t>E=mc2</m:t></m:r></m:oMath>'
    bench.write("a.docx", docx(f"<w:tbl>{''.join(rows)}</w:tbl>{paragraph(formula)}"))

    bench.ingest()

    assert shown(bench, "a.docx") == ["Kept", "E=mc2"]


def test_docx_in_the_strict_variant_is_read(bench: Workbench) -> None:
    bench.write("keep.txt", "Kept.")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(
            "word/document.xml",
            '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body>'
            "<w:p><w:r><w:t>Strict words.</w:t></w:r></w:p></w:body></w:document>",
        )
    bench.write("a.docx", packed.getvalue())

    bench.ingest()

    assert shown(bench, "a.docx") == ["Strict words."]


def test_docx_with_damaged_footnotes_keeps_its_body(bench: Workbench) -> None:
    bench.write("a.docx", docx(paragraph(run("Body.")), more=[("word/footnotes.xml", "<broken")]))

    report = bench.ingest()

    assert shown(bench, "a.docx") == ["Body."]
    (problem,) = report.problems
    assert (problem.state, problem.reason[:30]) == ("partial", "word/footnotes.xml is damaged:")


@pytest.mark.parametrize("spine", ["", "<spine/>", 2 * '<spine><itemref idref="a"/></spine>'])
def test_epub_chapters_are_read_once_and_without_a_spine_all_of_them(
    bench: Workbench, spine: str
) -> None:
    bench.write("a.epub", epub(spine))

    bench.ingest()

    named = ["Chapter a."] if "itemref" in spine else ["Chapter a.", "Chapter b."]
    assert shown(bench, "a.epub") == named


@pytest.mark.parametrize("data", [b"}}}}}}", b"\\par {x", b"{{{{{{{", b"\\bin99 "])
def test_rtf_binary_data_is_no_text_and_ends_none(bench: Workbench, data: bytes) -> None:
    picture = b"{\\pict\\bin%d %s}" % (len(data), data)
    bench.write("a.rtf", b"{\\rtf1\\ansi Before.\\par " + picture + b"After.\\par}")

    bench.ingest()

    assert shown(bench, "a.rtf") == ["Before.", "After."]


def test_json_numbers_are_as_written(bench: Workbench) -> None:
    bench.write("a.json", '{"price": 1.10, "far": 1e999, "key": ' + "9" * 5000 + "}")

    report = bench.ingest()

    assert bench.document("a.json").text.startswith("price: 1.10\nfar: 1e999\nkey: 999")
    assert report.problems == []


def test_markdown_of_one_long_line_full_of_marks_is_read(bench: Workbench) -> None:
    bench.write("a.md", "# The *long* [line](x)\n\n" + "*a* [b](c) " * 20_000)

    bench.ingest()

    assert bench.document("a.md").title == "The long line"


def test_xlsx_hidden_rows_and_columns_are_hidden_wherever_the_sheet_begins(
    bench: Workbench,
) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row, cells in enumerate((("part", "cost", "price"), ("seal", 1, 4), ("cork", 2, 5)), 3):
        for column, value in enumerate(cells, 2):
            sheet.cell(row, column, value)
    sheet.column_dimensions["C"].hidden = True
    sheet.row_dimensions[5].hidden = True
    saved = io.BytesIO()
    workbook.save(saved)
    bench.write("a.xlsx", saved.getvalue())

    bench.ingest()

    assert [text.strip(" |") for text in shown(bench, "a.xlsx")] == [
        "Sheet",
        "part | price",
        "seal | 4",
    ]
    hidden = [text for segment, text in bench.segments("a.xlsx") if segment.hidden]
    assert hidden == ["cost", "1", "cork | 2 | 5"]


def test_xlsx_formulas_without_a_value_are_told(bench: Workbench) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.append(["sum", "=1+1"])
    saved = io.BytesIO()
    workbook.save(saved)
    bench.write("a.xlsx", saved.getvalue())

    (problem,) = bench.ingest().problems

    assert problem.reason == "sheet 'Sheet': 1 formulas have no value in the file"
