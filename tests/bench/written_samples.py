"""Samples of the formats that neither the demo corpus nor the nasty files hold, small and dense."""

import bz2
import gzip
import io
import lzma
import tarfile

from tests.ingest.nasty_office import mail, multipart, zipped

_NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "style": "style",
        "draw": "drawing",
        "fo": "xsl-fo-compatible",
        "presentation": "presentation",
    }.items()
)
_PLAIN = b"The pump is green.\n" * 50
_ENVELOPE = b"From ada@example.org Mon May  6 10:00:00 2024\n"
_TEXT = """<text:tracked-changes><text:changed-region><text:deletion><text:p>Struck.</text:p>
</text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">Seals</text:h>
<text:p>A seal <text:s text:c="2"/>costs 4 EUR<text:note><text:note-citation>1</text:note-citation>
<text:note-body><text:p>Without tax.</text:p></text:note-body></text:note>.</text:p>
<text:list><text:list-item><text:p>Grey</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>Part</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="3"><text:p>Price</text:p></table:table-cell>
</table:table-row></table:table>"""
_SLIDES = """<draw:page><draw:frame presentation:class="title"><draw:text-box>
<text:p>Pumps</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box>
<text:p>Say it slowly.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"""
_RTF = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Seals}{\author A. Weir}}
\pard The gr\'fcne seal \u8364? {\b costs} 4 EUR.{\footnote Without tax.}\par
{\v Hidden order.}{\pict\bin6 }}{{\p}\trowd\cellx1\cellx2 Part\cell Price\cell\row
\pard{\field{\*\fldinst{HYPERLINK "x"}}{\fldrslt{A link}}}\par}"""


def written_samples() -> dict[str, bytes]:
    """Content by suffix; the same bytes whenever they are made."""
    attached = b"Content-Disposition: attachment; filename=a.txt\n\nThe attached words.\n"
    parts = multipart(b"Content-Type: text/plain\n\nThe pump is green.\n", attached)
    return {
        ".odt": _opendocument("text", _TEXT),
        ".odp": _opendocument("presentation", _SLIDES),
        ".rtf": _RTF,
        ".mbox": _ENVELOPE + parts + b"\n" + _ENVELOPE + mail("Subject: two\n", b"It leaks.\n"),
        ".zip": zipped([("a.txt", "The pump is green."), ("b/c.md", "# Seal\n\n- 4 EUR\n")]),
        ".tar": _tar(),
        ".gz": gzip.compress(_PLAIN, mtime=0),
        ".bz2": bz2.compress(_PLAIN),
        ".xz": lzma.compress(_tar()),
        ".json": b'{"parts": [{"name": "seal", "price": 1.10}, {"name": "cork", "tags": [1]}]}',
        ".rst": b"Seals\n=====\n\nA seal costs ``4`` EUR.\n\n* grey\n* green\n\n.. note:: Old.\n",
    }


def _opendocument(kind: str, body: str) -> bytes:
    content = (
        f"<office:document-content {_NAMES}><office:body><office:{kind}>{body}</office:{kind}>"
        "</office:body></office:document-content>"
    )
    return zipped(
        [("mimetype", f"application/vnd.oasis.opendocument.{kind}"), ("content.xml", content)]
    )


def _tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in (("a.txt", b"The pump is green."), ("b.md", b"# Seal\n\nIt is grey.\n")):
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return packed.getvalue()
