"""The table of readers, and the one way from a file's bytes to an Extract."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ingest.canonical import CANONICAL_VERSION
from ingest.charset import declared_charset, decode_bytes
from ingest.config import IngestConfig
from ingest.detect import DETECT_VERSION, FormatName, detect_format
from ingest.errors import ExtractionFailed, UnsupportedFormat
from ingest.extract import Extract
from ingest.hook import hooked_parser
from ingest.ocr import find_engine
from ingest.read_code import CODE_VERSION, read_code
from ingest.read_delimited import DELIMITED_VERSION, read_delimited
from ingest.read_docx import DOCX_VERSION, read_docx
from ingest.read_epub import EPUB_VERSION, read_epub
from ingest.read_html import HTML_VERSION, read_html
from ingest.read_image import IMAGE_VERSION, read_image
from ingest.read_json import JSON_VERSION, read_json, read_json_lines
from ingest.read_mail import MAIL_VERSION, read_eml, read_mbox
from ingest.read_markdown import MARKDOWN_VERSION, read_markdown
from ingest.read_odf import ODF_VERSION, read_odp, read_odt
from ingest.read_pdf import PDF_VERSION, read_pdf
from ingest.read_plain import PLAIN_VERSION, read_plain
from ingest.read_pptx import PPTX_VERSION, read_pptx
from ingest.read_rst import RST_VERSION, read_rst
from ingest.read_rtf import RTF_VERSION, read_rtf
from ingest.read_spreadsheet import SPREADSHEET_VERSION, read_spreadsheet
from ingest.segment import SEGMENT_VERSION

CONTAINER = "container:2"
"""Parser recorded for a file that holds other files and is no document itself."""
DETECTOR = f"detect:{DETECT_VERSION}"
"""Parser recorded for a file that no reader was chosen for."""


class Reader(NamedTuple):
    """One format's reader and the version that is recorded with what it read."""

    version: int
    media_type: str
    read: Callable[[bytes, IngestConfig], Extract]


def _reads_text(
    read: Callable[[str], Extract], *, names_charset: bool = False
) -> Callable[[bytes, IngestConfig], Extract]:
    def read_bytes(content: bytes, _: IngestConfig) -> Extract:
        declared = declared_charset(content) if names_charset else ""
        decoded = decode_bytes(content, declared=declared)
        if decoded is None:
            message = "neither text in a known charset nor a known binary format"
            raise UnsupportedFormat(message)
        return read(decoded.text)

    return read_bytes


READERS: dict[FormatName, Reader] = {
    "markdown": Reader(MARKDOWN_VERSION, "text/markdown", _reads_text(read_markdown)),
    "html": Reader(HTML_VERSION, "text/html", _reads_text(read_html, names_charset=True)),
    "plain": Reader(PLAIN_VERSION, "text/plain", _reads_text(read_plain)),
    "csv": Reader(DELIMITED_VERSION, "text/csv", _reads_text(read_delimited)),
    "tsv": Reader(
        DELIMITED_VERSION,
        "text/tab-separated-values",
        _reads_text(lambda text: read_delimited(text, delimiter="\t")),
    ),
    "pdf": Reader(PDF_VERSION, "application/pdf", read_pdf),
    "png": Reader(IMAGE_VERSION, "image/png", read_image),
    "jpeg": Reader(IMAGE_VERSION, "image/jpeg", read_image),
    "tiff": Reader(IMAGE_VERSION, "image/tiff", read_image),
    "docx": Reader(
        DOCX_VERSION,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        read_docx,
    ),
    "spreadsheet": Reader(SPREADSHEET_VERSION, "application/vnd.ms-excel", read_spreadsheet),
    "pptx": Reader(
        PPTX_VERSION,
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        read_pptx,
    ),
    "eml": Reader(MAIL_VERSION, "message/rfc822", read_eml),
    "mbox": Reader(MAIL_VERSION, "application/mbox", read_mbox),
    "epub": Reader(EPUB_VERSION, "application/epub+zip", read_epub),
    "odt": Reader(ODF_VERSION, "application/vnd.oasis.opendocument.text", read_odt),
    "odp": Reader(ODF_VERSION, "application/vnd.oasis.opendocument.presentation", read_odp),
    "rtf": Reader(RTF_VERSION, "application/rtf", read_rtf),
    "rst": Reader(RST_VERSION, "text/x-rst", _reads_text(read_rst)),
    "json": Reader(JSON_VERSION, "application/json", _reads_text(read_json)),
    "jsonl": Reader(JSON_VERSION, "application/jsonl", _reads_text(read_json_lines)),
    "code": Reader(CODE_VERSION, "text/x-source", _reads_text(read_code)),
}
_OCR_FORMATS: tuple[FormatName, ...] = ("pdf", "png", "jpeg", "tiff")


def parser_id(name: FormatName, hook: str = "", *, wants_ocr: bool = False) -> str:
    """What is recorded with a file: reader, its version, and the versions of what comes after.

    Plain text is what detection has left over, so it is read again whenever detection learns more;
    what stands in pictures is read again whenever the OCR program is another. Where a hook was
    asked before, its name is part of it.
    """
    ocr = f"+{_ocr_program()}" if wants_ocr else ""
    detection = f".{DETECT_VERSION}" if name == "plain" else ""
    version = f"{READERS[name].version}{detection}"
    asked = f"+{hook}" if hook else ""
    return f"{name}{ocr}:{version}/{CANONICAL_VERSION}/{SEGMENT_VERSION}{asked}"


def is_ocr(parser: str) -> bool:
    """Whether a recorded parser read pictures, or would have."""
    return "+" in parser.partition(":")[0]


def _ocr_program() -> str:
    engine = find_engine()
    return engine.name if engine else "no-ocr"


def named_parsers(recorded: Iterable[str]) -> dict[str, str]:
    """Parsers that a fingerprint names: those that read a document, and the detector."""
    return {**{parser.partition(":")[0]: parser for parser in recorded}, "detect": DETECTOR}


def _hook_id(hook: str) -> str:
    return f"hook:{hook}/{CANONICAL_VERSION}/{SEGMENT_VERSION}"


def current_parsers(config: IngestConfig) -> frozenset[str]:
    """Parser ids of this version under ``config``."""
    hook = config.parser
    names = {parser_id(name, hook) for name in READERS} | {DETECTOR, CONTAINER}
    names |= {parser_id(name, hook, wants_ocr=True) for name in _OCR_FORMATS}
    return frozenset(names | {_hook_id(hook)} if hook else names)


class ReadFile(NamedTuple):
    """What one file's bytes were found to be and hold."""

    parser: str
    media_type: str
    extract: Extract


def read_content(
    content: bytes,
    path: str,
    config: IngestConfig,
    *,
    tell: Callable[[str], None],
) -> ReadFile:
    """The extract of one file's bytes; ``tell`` hears the parser's id before it begins.

    Raises:
        ExtractionFailed: with the state the file ends in, among them ``empty``.
    """
    if not content:
        message = "zero bytes"
        raise ExtractionFailed(message, state="empty")
    parser = _hook_id(config.parser) if config.parser else DETECTOR
    with_ocr = ""
    try:
        found: Extract | None = None
        media_type = "application/octet-stream"
        if config.parser:
            tell(parser)
            found = hooked_parser(config.parser)(content, path)
        if found is None:
            parser = DETECTOR
            name = detect_format(content, path, config)
            parser, media_type = parser_id(name, config.parser), READERS[name].media_type
            if name in _OCR_FORMATS:
                with_ocr = parser_id(name, config.parser, wants_ocr=True)
            tell(parser)
            found = READERS[name].read(content, config)
        if len(found.text) > config.max_text_chars:
            message = f"{len(found.text)} characters; max_text_chars allows {config.max_text_chars}"
            raise ExtractionFailed(message, state="refused")
        if not any(found.text[block.start : block.end].strip() for block in found.blocks):
            message = "no text in it"
            raise ExtractionFailed(message, state="empty")
    except ExtractionFailed as failure:
        is_textless = failure.state in {"needs_ocr", "timeout", "empty"}
        failure.parser = with_ocr if with_ocr and is_textless else parser
        raise
    except RecursionError as error:
        message = f"nested too deep for the {parser.partition(':')[0]} reader"
        failed = ExtractionFailed(message)
        failed.parser = parser
        raise failed from error
    return ReadFile(with_ocr if found.wants_ocr else parser, media_type, found)
