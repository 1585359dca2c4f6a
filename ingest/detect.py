"""Format of a file: by its content first, by its name only among kinds of text."""

import re
from pathlib import PurePosixPath
from typing import Literal

from ingest.archive import Archive
from ingest.charset import bare_utf16
from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed, UnsupportedFormat

FormatName = Literal[
    "markdown",
    "html",
    "plain",
    "csv",
    "tsv",
    "pdf",
    "png",
    "jpeg",
    "tiff",
    "docx",
    "spreadsheet",
    "pptx",
    "eml",
    "mbox",
    "epub",
    "odt",
    "odp",
    "rtf",
    "rst",
    "json",
    "jsonl",
    "code",
]
DETECT_VERSION = 5
_CODE_SUFFIXES = (
    "py pyi js mjs cjs jsx ts tsx c h cc cpp cxx hpp hh cs java kt kts scala go rs rb php pl pm lua"
    " swift m mm r jl hs ml mli ex exs erl clj el lisp scm sh bash zsh fish ps1 bat sql proto"
    " css scss less vue svelte f90 f95 for pas asm s v vhd sv zig nim dart groovy gradle cmake mk"
    " toml yaml yml ini cfg conf properties tf nix"
)
_TEXT_SUFFIXES: dict[str, FormatName] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".rst": "rst",
    ".rest": "rst",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    **{f".{suffix}": "code" for suffix in _CODE_SUFFIXES.split()},
}
_MARKED_UP = frozenset({"markdown", "html", "csv", "tsv"})
_HEADER = rb"[A-Za-z][A-Za-z0-9-]*:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*"
_HEADERS = re.compile(rb"(?:\xef\xbb\xbf)?(?:%s){3,}" % _HEADER)
_HEADER_NAME = re.compile(rb"^([A-Za-z][A-Za-z0-9-]*):", re.MULTILINE)
_MAIL_MARKS = {b"message-id", b"received", b"mime-version", b"return-path", b"delivered-to"}
"""Written by mail programs; ``From:`` and ``Date:`` alone also head memos."""
_ENVELOPE = re.compile(rb"From [^\r\n]*\d\d:\d\d[^\r\n]*\r?\n>?[A-Za-z][A-Za-z0-9-]*:")
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*>|<!--.*?-->)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_IMAGES: tuple[tuple[bytes, FormatName], ...] = (
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
)
_KNOWN_BINARIES = (
    (b"GIF8", "GIF image"),
    (b"RIFF", "RIFF media file"),
    (b"\x7fELF", "ELF program"),
    (b"MZ", "Windows program"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ", "xz archive"),
    (b"7z\xbc\xaf", "7-Zip archive"),
    (b"Rar!", "RAR archive"),
    (b"%!PS", "PostScript document"),
    (b"SQLite format 3", "SQLite database"),
)
_RTF = b"{\\rtf"
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
    is_code = _TEXT_SUFFIXES.get(suffix) == "code"  # may speak of PDF
    if b"%PDF-" in head and b"endobj" in content and not is_code:
        return "pdf"
    if head.startswith(_ZIP):
        return _in_zip(content, config)
    if head.startswith(_OLE):
        return _in_ole(content, suffix)
    for magic, name in _IMAGES:
        if head.startswith(magic):
            return name
    for magic, kind in _KNOWN_BINARIES:
        if head.startswith(magic) and not (magic in {b"MZ", b"BZh", b"RIFF"} and _is_text(head)):
            message = f"{kind}: no reader for it"
            raise UnsupportedFormat(message)
    if head.startswith(_RTF):
        return "rtf"
    if not _is_text(head):
        message = "binary file of unknown kind"
        raise UnsupportedFormat(message)
    named = _TEXT_SUFFIXES.get(suffix, "plain")
    return named if named in _MARKED_UP else _mail_kind(head, suffix) or named


def _mail_kind(head: bytes, suffix: str) -> FormatName | None:
    """Whether a text is a message or a mailbox."""
    if _ENVELOPE.match(head):
        return "mbox"
    headers = _HEADERS.match(head)
    names = {name.lower() for name in _HEADER_NAME.findall(headers.group())} if headers else set()
    if suffix == ".eml" or (names >= {b"from", b"date"} and names & _MAIL_MARKS):
        return "eml"
    return None


def _in_zip(content: bytes, config: IngestConfig) -> FormatName:
    archive = Archive(content, config)
    names = set(archive.names)
    if "word/document.xml" in names:
        return "docx"
    if names & {"xl/workbook.xml", "xl/workbook.bin"}:
        archive.check_sizes()
        return "spreadsheet"
    if "ppt/presentation.xml" in names:
        return "pptx"
    media_type = archive.read("mimetype").strip() if "mimetype" in names else b""
    if b"opendocument.spreadsheet" in media_type:
        archive.check_sizes()
        return "spreadsheet"
    if b"opendocument.text" in media_type:
        return "odt"
    if b"opendocument.presentation" in media_type:
        return "odp"
    if media_type == b"application/epub+zip" or "META-INF/container.xml" in names:
        return "epub"
    message = "zip package of a kind no reader knows"
    raise UnsupportedFormat(message)


def _in_ole(content: bytes, suffix: str) -> FormatName:
    if "EncryptedPackage".encode("utf-16-le") in content:
        message = "encrypted Office document"
        raise ExtractionFailed(message, state="encrypted")
    if "Workbook".encode("utf-16-le") in content or "Book".encode("utf-16-le") in content:
        return "spreadsheet"
    if "__substg1.0_".encode("utf-16-le") in content:
        message = "Outlook message (.msg): no reader for it; save it as .eml"
        raise UnsupportedFormat(message)
    message = (
        f"Office document of the format before 2007 ({suffix or 'no suffix'}): no reader for it"
    )
    raise UnsupportedFormat(message)


def _is_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return True
    if bare_utf16(head):
        return True
    # A stray NUL or two in a text is a blemish; a tenth of control characters is another format.
    return len(_CONTROL.findall(head)) <= len(head) // 10
