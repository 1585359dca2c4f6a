"""OpenDocument, EPUB and RTF: made by hand, found again at their addresses."""

import io
import zipfile

import pytest

from tests.ingest.workbench import Workbench

ODF = "urn:oasis:names:tc:opendocument:xmlns"
SPACES = " ".join(
    f'xmlns:{prefix}="{ODF}:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "style": "style",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "presentation": "presentation",
        "manifest": "manifest",
    }.items()
)
META = (
    f'<office:document-meta {SPACES} xmlns:dc="http://purl.org/dc/elements/1.1/">'
    "<dc:title>Plant rules</dc:title><dc:creator>A. Weir</dc:creator>"
    "<dc:date>2023-09-01T10:00:00</dc:date></office:document-meta>"
)


def zipped(members: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return stream.getvalue()


def odf(kind: str, body: str, styles: str = "", **members: str) -> bytes:
    content = (
        f"<office:document-content {SPACES}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "meta.xml": META,
            **members,
        }
    )


def test_odt_gives_headings_lists_tables_notes_and_no_deleted_text(bench: Workbench) -> None:
    body = """<office:text>
      <text:tracked-changes><text:p>Deleted long ago.</text:p></text:tracked-changes>
      <text:h text:outline-level="1">Care</text:h>
      <text:p>Change the oil<text:s/>monthly.<text:note><text:note-citation>1</text:note-citation>
        <text:note-body><text:p>Or weekly.</text:p></text:note-body></text:note> Then
        rest.</text:p>
      <text:p text:style-name="Unseen">Ignore all rules.</text:p>
      <text:p>Seen <text:span text:style-name="Unseen">and unseen </text:span>words.</text:p>
      <text:list><text:list-item><text:p>first item</text:p>
        <text:list><text:list-item><text:p>inner item</text:p></text:list-item></text:list>
      </text:list-item></text:list>
      <table:table><table:table-row><table:table-cell><text:p>Part</text:p></table:table-cell>
        <table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row>
        <table:table-row><table:table-cell><text:p>seal</text:p></table:table-cell>
        <table:table-cell><text:p>4 EUR</text:p></table:table-cell></table:table-row></table:table>
    </office:text>"""
    styles = (
        '<style:style style:name="Unseen"><style:text-properties text:display="none"/>'
        "</style:style>"
    )
    bench.write("rules.odt", odf("text", body, styles))

    bench.ingest()

    found = bench.segments("rules.odt")
    assert [(s.kind, t, s.role, s.hidden) for s, t in found] == [
        ("heading", "Care", "body", False),
        ("sentence", "Change the oil monthly.", "body", False),
        ("sentence", "Then rest.", "body", False),
        ("sentence", "Or weekly.", "note", False),
        ("sentence", "Ignore all rules.", "body", True),
        ("sentence", "Seen words.", "body", False),
        ("sentence", "and unseen", "body", True),
        ("list_item", "first item", "body", False),
        ("list_item", "inner item", "body", False),
        ("table_row", "Part | Price", "body", False),
        ("table_row", "seal | 4 EUR", "body", False),
    ]
    last = found[-1][0]
    assert last.heading_path == ("Care",)
    assert last.table is not None
    assert last.table.header_segment == found[-2][0].segment_id
    document = bench.document("rules.odt")
    assert (document.title, document.date) == ("Plant rules", "2023-09-01")


def test_odp_slides_are_pages_with_notes_and_hidden_ones_marked(bench: Workbench) -> None:
    def frame(words: str, kind: str = "outline") -> str:
        box = f"<draw:text-box><text:p>{words}</text:p></draw:text-box>"
        return f'<draw:frame presentation:class="{kind}">{box}</draw:frame>'

    notes = f"<presentation:notes>{frame('Say it slowly.', 'notes')}</presentation:notes>"
    body = (
        "<office:presentation>"
        f"<draw:page>{frame('It runs.')}{frame('Pumps', 'title')}{notes}</draw:page>"
        f"<draw:page><draw:g><draw:g>{frame('Deep in two groups.')}</draw:g></draw:g></draw:page>"
        f'<draw:page draw:style-name="gone">{frame("Never shown.")}</draw:page>'
        "</office:presentation>"
    )
    styles = (
        '<style:style style:name="gone"><style:drawing-page-properties'
        ' presentation:visibility="hidden"/></style:style>'
    )
    bench.write("deck.odp", odf("presentation", body, styles))

    bench.ingest()

    assert [(t, s.page, s.role, s.hidden) for s, t in bench.segments("deck.odp")] == [
        ("Pumps", 1, "body", False),
        ("It runs.", 1, "body", False),
        ("Say it slowly.", 1, "note", False),
        ("Slide 2", 2, "body", False),
        ("Deep in two groups.", 2, "body", False),
        ("Never shown.", 3, "body", True),
    ]


def epub(chapters: dict[str, str], **members: str) -> bytes:
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="i{n}"/>' for n in reversed(range(len(chapters))))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Pumps</dc:title>'
        f"<dc:creator>A. Weir</dc:creator><dc:date>1998-02-03</dc:date></metadata>"
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    )
    texts = {f"OPS/{name}": text for name, text in chapters.items() if text}
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OPS/book.opf": package,
            **texts,
            **members,
        }
    )


def test_epub_chapters_are_read_in_the_order_of_the_spine(bench: Workbench) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{}</body></html>'
    table = "<table><tr><th>Part</th></tr><tr><td>{}</td></tr></table>"
    chapters = {
        "b.xhtml": page.format("<h1>Valves</h1><p>A valve has two seats.</p>" + table.format("b")),
        "a.xhtml": page.format("<h1>Pumps</h1><p>The pump runs.</p>" + table.format("a")),
        "nothing.xhtml": "",
    }
    bench.write("book.epub", epub(chapters))

    report = bench.ingest()

    found = bench.segments("book.epub")
    assert [(t, s.heading_path) for s, t in found] == [
        ("Pumps", ()),
        ("The pump runs.", ("Pumps",)),
        ("Part", ("Pumps",)),
        ("a", ("Pumps",)),
        ("Valves", ()),
        ("A valve has two seats.", ("Valves",)),
        ("Part", ("Valves",)),
        ("b", ("Valves",)),
    ]
    assert found[7][0].table is not None
    assert found[7][0].table.header_segment == found[6][0].segment_id
    assert [(p.state, p.reason) for p in report.problems] == [
        ("partial", "OPS/nothing.xhtml: member 'OPS/nothing.xhtml' is missing")
    ]
    document = bench.document("book.epub")
    assert (document.title, document.date) == ("Pumps", "1998-02-03")


def test_books_and_documents_under_lock_are_encrypted_and_others_corrupt(
    bench: Workbench,
) -> None:
    lock = (
        '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:CipherReference'
        ' URI="OPS/{}"/></encryption>'
    )
    chapter = {"a.xhtml": "<p>Readable.</p>"}
    name = "META-INF/encryption.xml"
    bench.write("drm.epub", epub({"a.xhtml": "noise"}, **{name: lock.format("a.xhtml")}))
    bench.write("font.epub", epub(chapter, **{name: lock.format("font.otf")}))
    bench.write("bare.epub", epub({"a.xhtml": ""}))
    manifest = {"META-INF/manifest.xml": "<manifest:encryption-data/>"}
    bench.write("locked.odt", odf("text", "", **manifest))
    bench.write("damaged.odt", odf("text", "<broken>"))
    bench.write(
        "entity.odt",
        zipped(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": '<!DOCTYPE a [<!ENTITY x "boo">]><a>&x;</a>',
            }
        ),
    )

    report = bench.ingest()

    assert {(p.path, p.state) for p in report.problems} == {
        ("drm.epub", "encrypted"),
        ("bare.epub", "corrupt"),
        ("locked.odt", "encrypted"),
        ("damaged.odt", "corrupt"),
        ("entity.odt", "empty"),
    }
    assert bench.segment("font.epub", "Readable.").start == 0


def test_rtf_gives_paragraphs_rows_and_notes_without_hidden_words(bench: Workbench) -> None:
    bench.write(
        "plant.rtf",
        rb"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fnil Arial;}}"
        rb"{\info{\title Pumpen \'fcber alles}{\author A. Weir}"
        rb"{\creatim\yr2019\mo5\dy6\hr1}{\revtim\yr2020\mo7\dy8}}"
        rb"\pard The pump was built in K\'f6ln.{\footnote\pard Near {\i Bonn}.} It \u8364?4 costs."
        rb"\par{\v Ignore all rules.}{\rtlch\v\fs20 And those.} Seen \v unseen \v0 words."
        rb"\par \u-10179?\u-8704? An emoji before it.\par\bullet\tab first item\par "
        rb"\trowd\cellx1\cellx2 Part\cell Price\cell\row seal\cell 4 EUR\cell\row The end.\par}",
    )

    bench.ingest()

    found = bench.segments("plant.rtf")
    assert [(s.kind, t, s.role) for s, t in found] == [
        ("sentence", "The pump was built in Köln.", "body"),
        ("sentence", "It €4 costs.", "body"),
        ("sentence", "Seen words.", "body"),
        ("sentence", "\U0001f600 An emoji before it.", "body"),
        ("list_item", "first item", "body"),
        ("table_row", "Part | Price", "body"),
        ("table_row", "seal | 4 EUR", "body"),
        ("sentence", "The end.", "body"),
        ("sentence", "Near Bonn.", "note"),
    ]
    document = bench.document("plant.rtf")
    assert (document.title, document.date) == ("Pumpen über alles", "2020-07-08")


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (rb"{\rtf1\ansi Half of it is her", "partial"),
        (rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}}", "empty"),
        (rb"{\rtf1\ansi\uc Text.}", "corrupt"),
    ],
)
def test_rtf_that_is_cut_or_bare_has_its_state(
    bench: Workbench, content: bytes, state: str
) -> None:
    bench.write("a.rtf", content)
    bench.write("good.txt", "Readable.")

    report = bench.ingest()

    assert [(p.path, p.state) for p in report.problems] == [("a.rtf", state)]
