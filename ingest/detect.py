"""Format of a file: by its content first, by its name only among kinds of text."""

import re
from pathlib import PurePosixPath
from typing import Literal

from ingest.archive import Archive
from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed, UnsupportedFormat

FormatName = Literal["markdown", "html", "plain", "csv", "tsv", "pdf", "docx", "spreadsheet"]
DETECT_VERSION = 1
_TEXT_SUFFIXES: dict[str, FormatName] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
}
_MAIL_SUFFIXES = frozenset({".eml", ".mbox", ".msg"})
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*>|<!--.*?-->)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_KNOWN_BINARIES = (
    (b"\x89PNG", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"II*\x00", "TIFF image"),
    (b"MM\x00*", "TIFF image"),
    (b"RIFF", "RIFF media file"),
    (b"\x7fELF", "ELF program"),
    (b"MZ", "Windows program"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ", "xz archive"),
    (b"7z\xbc\xaf", "7-Zip archive"),
    (b"Rar!", "RAR archive"),
    (b"{\\rtf", "RTF document"),
    (b"%!PS", "PostScript document"),
    (b"SQLite format 3", "SQLite database"),
)
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SNIFF_BYTES = 4096
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def detect_format(content: bytes, path: str, config: IngestConfig) -> FormatName:
    """The reader that suits ``content``.

    Raises:
        UnsupportedFormat: no reader does; the message names what the file is.
        ExtractionFailed: a damaged or encrypted container.
    """
    suffix = PurePosixPath(path).suffix.lower()
    head = content[:_SNIFF_BYTES]
    if head.startswith(b"%PDF-"):
        return "pdf"
    if _HTML_START.match(head):
        return "html"
    if b"%PDF-" in head and b"endobj" in content:
        return "pdf"
    if head.startswith(_ZIP):
        return _in_zip(content, config)
    if head.startswith(_OLE):
        return _in_ole(content, suffix)
    for magic, kind in _KNOWN_BINARIES:
        if head.startswith(magic) and not (magic in {b"MZ", b"BZh", b"RIFF"} and _is_text(head)):
            message = f"{kind}: no reader for it"
            raise UnsupportedFormat(message)
    if suffix in _MAIL_SUFFIXES:
        message = f"mail ({suffix}): no reader for it"
        raise UnsupportedFormat(message)
    if not _is_text(head):
        message = "binary file of unknown kind"
        raise UnsupportedFormat(message)
    return _TEXT_SUFFIXES.get(suffix, "plain")


def _in_zip(content: bytes, config: IngestConfig) -> FormatName:
    archive = Archive(content, config)
    names = set(archive.names)
    if "word/document.xml" in names:
        return "docx"
    if names & {"xl/workbook.xml", "xl/workbook.bin"}:
        archive.check_sizes()
        return "spreadsheet"
    if "mimetype" in names and b"opendocument.spreadsheet" in archive.read("mimetype"):
        archive.check_sizes()
        return "spreadsheet"
    message = "zip container of a kind no reader knows"
    if any(name.startswith("ppt/") for name in names):
        message = "PPTX presentation: no reader for it"
    raise UnsupportedFormat(message)


def _in_ole(content: bytes, suffix: str) -> FormatName:
    if "EncryptedPackage".encode("utf-16-le") in content:
        message = "encrypted Office document"
        raise ExtractionFailed(message, state="encrypted")
    if "Workbook".encode("utf-16-le") in content or "Book".encode("utf-16-le") in content:
        return "spreadsheet"
    message = (
        f"Office document of the format before 2007 ({suffix or 'no suffix'}): no reader for it"
    )
    raise UnsupportedFormat(message)


def _is_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return True
    # A stray NUL or two in a text is a blemish; a tenth of control characters is another format.
    return len(_CONTROL.findall(head)) <= len(head) // 10
