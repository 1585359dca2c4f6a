"""Which reader takes a file: told by its content, and by its name only among kinds of text."""

import io
import zipfile

import pytest

from ingest import ExtractionFailed, IngestConfig, UnsupportedFormat
from ingest.detect import DETECT_VERSION, detect_format
from ingest.readers import named_parsers, parser_id


def container(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return stream.getvalue()


MAIL = b"Received: by x\nFrom: a@example.org\nDate: Tue, 4 Mar 2025 10:00:00 +0000\n\nWords.\n"
DECK = container(**{"ppt/presentation.xml": b""})
WRITER = container(mimetype=b"application/vnd.oasis.opendocument.text")
SLIDES = container(mimetype=b"application/vnd.oasis.opendocument.presentation-template")
BOOK = container(mimetype=b"application/epub+zip")


@pytest.mark.parametrize(
    ("name", "content", "reader"),
    [
        ("deck.docx", DECK, "pptx"),
        ("a.zip", WRITER, "odt"),
        ("a.zip", SLIDES, "odp"),
        ("a.zip", BOOK, "epub"),
        ("letter.doc", b"{\\rtf1 Words.}", "rtf"),
        ("1712.M5P", MAIL, "eml"),
        ("mail.txt", MAIL, "eml"),
        ("mail.md", MAIL, "markdown"),
        ("memo.txt", b"From: Ada\nTo: all\nDate: today\n\nWords.\n", "plain"),
        ("a.eml", b"Words.\n", "eml"),
        ("box", b"From a@x Tue Mar  4 10:00:00 2025\n" + MAIL, "mbox"),
        ("letter.txt", b"From here on it rains.\nWe go home at 10:00.\n", "plain"),
        ("a.json", b"[1]", "json"),
        ("a.jsonl", b"[1]", "jsonl"),
        ("a.py", b"pass\n", "code"),
        ("a.rst", b"Words.\n", "rst"),
        ("page.py", b"<!DOCTYPE html><p>Words.</p>", "html"),
        ("a.unknown", b"Words.\n", "plain"),
    ],
)
def test_the_reader_follows_from_content_first(name: str, content: bytes, reader: str) -> None:
    assert detect_format(content, name, IngestConfig()) == reader


def test_what_no_reader_takes_is_named() -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "__substg1.0_0037".encode("utf-16-le")
    with pytest.raises(UnsupportedFormat, match=r"Outlook message \(\.msg\).*save it as \.eml"):
        detect_format(ole, "a.msg", IngestConfig())
    with pytest.raises(UnsupportedFormat, match="zip package of a kind no reader knows"):
        detect_format(container(readme=b"x"), "a.zip", IngestConfig())
    with pytest.raises(ExtractionFailed, match="damaged container"):
        detect_format(b"PK\x03\x04" + b"\0" * 50, "a.pptx", IngestConfig())


def test_a_reader_enters_a_fingerprint_only_where_it_read_something() -> None:
    without = named_parsers([parser_id("plain"), parser_id("docx")])
    with_deck = named_parsers([parser_id("plain"), parser_id("pptx")])

    assert without == {
        "plain": parser_id("plain"),
        "docx": parser_id("docx"),
        "detect": f"detect:{DETECT_VERSION}",
    }
    assert with_deck.keys() == {"plain", "pptx", "detect"}


def test_plain_text_is_read_again_when_detection_learns_more() -> None:
    """What was plain text to an earlier version may be mail or source code to this one."""
    version, _, _ = parser_id("plain").partition("/")
    assert version.endswith(f".{DETECT_VERSION}")
