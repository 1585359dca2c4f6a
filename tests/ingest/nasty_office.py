"""Nasty office files, books and mail (cases 17 to 22)."""

import io
import zipfile
from collections.abc import Iterable

import openpyxl
import pptx
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.ingest.nasty_file import Nasty

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LAUGHS = "".join(
    f'<!ENTITY l{n} "{"".join(f"&l{n - 1};" for _ in range(10))}">' for n in range(1, 10)
)


def zipped(members: Iterable[tuple[str, str]]) -> bytes:
    """A ZIP of the members in order; the same name may come twice."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members:
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def docx(body: str, *, before: str = "", more: Iterable[tuple[str, str]] = ()) -> bytes:
    document = f"{before}<w:document {W}><w:body>{body}</w:body></w:document>"
    return zipped([("word/document.xml", document), *more])


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def everything_in_word() -> bytes:
    cell = f"<w:tc>{paragraph(run('Inner cell.'))}</w:tc>"
    inner = f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>"
    return docx(
        paragraph(run("Kept words. "), f"<w:ins>{run('Added words. ')}</w:ins>")
        + paragraph("<w:del><w:r><w:delText>Struck words.</w:delText></w:r></w:del>")
        + paragraph(run("Secret order.", "<w:vanish/>"))
        + paragraph(
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
            '<w:r><w:instrText> INCLUDETEXT "c:\\secret" </w:instrText></w:r>'
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
            + run("Field result.")
            + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )
        + f"<w:sdt><w:sdtContent>{paragraph(run('Controlled words.'))}</w:sdtContent></w:sdt>"
        + f"<w:tbl><w:tr><w:tc>{inner}{paragraph(run('Outer cell.'))}</w:tc></w:tr></w:tbl>"
        + paragraph(f"<w:r><w:txbxContent>{paragraph(run('Boxed words.'))}</w:txbxContent></w:r>")
    )


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Part", "Price"])
    sheet.append(["seal", "=1+3"])
    sheet.append(["gasket", "#DIV/0!"])
    sheet.merge_cells("A4:B4")
    sheet["A4"] = "Merged words"
    hidden = book.create_sheet("Back")
    hidden.append(["Hidden sheet words"])
    hidden.sheet_state = "hidden"
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def with_dimension(content: bytes, reference: str) -> bytes:
    """The workbook with a first sheet that claims to be as large as ``reference``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            body = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                start, end = body.index(b"<dimension"), body.index(b"<sheetViews")
                body = body[:start] + f'<dimension ref="{reference}"/>'.encode() + body[end:]
            new.writestr(name, body)
    return buffer.getvalue()


def deck() -> bytes:
    slides = pptx.Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[6])
    box = (Inches(1), Inches(1), Inches(3), Inches(1))
    group = slide.shapes.add_group_shape().shapes.add_group_shape()
    group.shapes.add_textbox(*box).text_frame.text = "Grouped words."
    slide.shapes.add_table(1, 1, *box).table.cell(0, 0).text = "Cell words."
    data = CategoryChartData()
    data.categories = ["Pumps"]
    data.add_series("Failures", (3,))
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, *box, data)
    slide.notes_slide.notes_text_frame.text = "Noted words."
    buffer = io.BytesIO()
    slides.save(buffer)
    return buffer.getvalue()


def mail(headers: str, body: bytes) -> bytes:
    head = (
        f"From: a@example.org\nDate: Mon, 6 May 2024 10:00:00 +0000\n{headers}MIME-Version: 1.0\n"
    )
    return head.encode("latin-1") + b"\n" + body


def nested_mail(depth: int) -> bytes:
    inner = mail("Subject: core\n", b"The core words.\n")
    for level in range(depth):
        inner = mail(f"Subject: level {level}\nContent-Type: message/rfc822\n", inner)
    return inner


def multipart(*parts: bytes) -> bytes:
    body = b"".join(b"--x\n" + part + b"\n" for part in parts) + b"--x--\n"
    return mail("Subject: parts\nContent-Type: multipart/mixed; boundary=x\n", body)


def book(*, spine: str, more: Iterable[tuple[str, str]] = ()) -> bytes:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Page words.</p></body></html>'
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>'
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/>'
        f"</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf"/></rootfiles></container>'
    )
    return zipped(
        [
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", container),
            ("book.opf", package),
            ("a.xhtml", page),
            *more,
        ]
    )


def nasty_office_files() -> list[Nasty]:
    entity = f'<!DOCTYPE w [<!ENTITY l0 "ha">{LAUGHS}]>'
    external = '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    padding = f"<w:p>{' ' * 40_000_000}</w:p>"
    drm = '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">{}</encryption>'
    locked = (
        '<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod'
        ' Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData>'
        '<CipherReference URI="a.xhtml"/></CipherData></EncryptedData>'
    )
    return [
        Nasty(
            path="17 everything.docx",
            content=everything_in_word(),
            ends="ok",
            holds="Controlled words.",
            hides="Secret order.",
        ),
        Nasty(
            path="18 laughs.docx",
            content=docx(paragraph(run("Near. &l9;")), before=entity),
            ends="ok|corrupt|empty",
            hides="hahahaha",
        ),
        Nasty(
            path="18 xxe.docx",
            content=docx(paragraph(run("Near. &x;")), before=external),
            ends="ok|corrupt|empty",
            hides="root:",
        ),
        Nasty(
            path="18 huge.docx",
            content=docx(padding),
            ends="refused",
            says="inflates beyond",
        ),
        Nasty(
            path="18 traversal.docx",
            content=docx(paragraph(run("Safe words.")), more=[("../../evil.txt", "out")]),
            ends="ok",
            holds="Safe words.",
        ),
        Nasty(path="19 sheet.xlsx", content=workbook(), ends="partial", holds="Merged words"),
        Nasty(
            path="19 dimension.xlsx",
            content=with_dimension(workbook(), "A1:XFD1048576"),
            ends="partial|refused",
        ),
        Nasty(path="20 deck.pptx", content=deck(), ends="ok", holds="Grouped words."),
        Nasty(
            path="21 nested.eml",
            content=nested_mail(50),
            ends="ok",
            holds="level 49",
        ),
        Nasty(
            path="21 wrong charset.eml",
            content=mail(
                "Subject: x\nContent-Type: text/plain; charset=no-such\n", "Prüfung.\n".encode()
            ),
            ends="ok",
            holds="Prüfung.",
        ),
        Nasty(
            path="21 base64.eml",
            content=mail(
                "Subject: x\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n",
                b"VGhlIHdvcmRz\n!!!!A",
            ),
            ends="partial",
            says="base64 is damaged",
        ),
        Nasty(
            path="21 winmail.eml",
            content=multipart(
                b"Content-Type: text/plain\n\nRead the file.",
                b"Content-Type: application/ms-tnef\n"
                b'Content-Disposition: attachment; filename="winmail.dat"\n\n\x78\x9f\x3e\x22',
            ),
            ends="ok",
            holds="Read the file.",
        ),
        Nasty(
            path="21 html only.eml",
            content=mail(
                "Subject: x\nContent-Type: text/html\n", b"<p>Only <b>HTML</b> words.</p>"
            ),
            ends="ok",
            holds="Only HTML words.",
        ),
        Nasty(
            path="21 raw headers.eml",
            content=mail("Subject: Gr\xfc\xdfe\n", b"Eight bit words.\n"),
            ends="ok",
            holds="Eight bit words.",
        ),
        Nasty(
            path="21 outlook.msg",
            content=b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
            + bytes(504)
            + "__substg1.0_1000001F".encode("utf-16-le"),
            ends="unsupported",
            says="save it as .eml",
        ),
        Nasty(
            path="22 locked.epub",
            content=book(
                spine='<itemref idref="a"/>',
                more=[("META-INF/encryption.xml", drm.format(locked))],
            ),
            ends="encrypted",
        ),
        Nasty(
            path="22 gone.epub",
            content=book(spine='<itemref idref="a"/><itemref idref="gone"/>'),
            ends="partial",
            says="gone.xhtml",
            holds="Page words.",
        ),
        Nasty(
            path="22 no nav.epub", content=book(spine='<itemref idref="a"/>'), ends="ok|duplicate"
        ),
    ]
