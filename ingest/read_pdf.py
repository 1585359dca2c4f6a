"""PDF: canonical text built from pdfium's characters, page by page, so that page ↔ offset holds.

Must not run in two threads at once: pdfium is not thread-safe, even on different documents.
"""

import re
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.pdf_blocks import build_extract
from ingest.pdf_headings import OutlineEntry
from ingest.pdf_lines import Line, has_image, page_lines

if TYPE_CHECKING:
    import pypdfium2

PDF_VERSION = 1
_LOCK = threading.Lock()
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]")
_UNREADABLE_SHARE = 0.3
"""A page with more of these has fonts without a character map: its text is noise."""
_OUTLINE_DEPTH = 6
_PAGES_NAMED = 10


def read_pdf(content: bytes, _: IngestConfig) -> Extract:
    """Text of all pages that can be read; ``missing`` names the others.

    Raises:
        ExtractionFailed: ``encrypted``, ``corrupt``, or ``needs_ocr`` where no page has text.
    """
    import pypdfium2

    with _LOCK:
        document = _opened(content)
        try:
            lines: list[Line] = []
            failed: list[int] = []
            without_text: list[int] = []
            for index in range(len(document)):
                try:
                    page = document[index]
                    found = page_lines(page, index + 1)
                    if _is_noise(found):
                        without_text.append(index + 1)
                        continue
                    if not found and has_image(page):
                        without_text.append(index + 1)
                    lines += found
                except pypdfium2.PdfiumError:
                    failed.append(index + 1)
            if not lines:
                _fail_without_text(len(document), failed)
            metadata = document.get_metadata_dict(skip_empty=True)
            outline = _outline(document)
        finally:
            document.close()
    missing = []
    if failed:
        missing.append(f"{_named(failed)}: could not be read")
    if without_text:
        missing.append(f"{_named(without_text)}: no text, needs OCR")
    return build_extract(
        lines,
        outline,
        title=metadata.get("Title", ""),
        date=metadata.get("CreationDate"),
        author=metadata.get("Author", ""),
        missing="; ".join(missing),
    )


def _opened(content: bytes) -> "pypdfium2.PdfDocument":
    import pypdfium2
    import pypdfium2.raw as pdfium

    header = content.find(b"%PDF-")
    attempts = [content] if header <= 0 else [content, content[header:]]
    for attempt in attempts:
        try:
            return pypdfium2.PdfDocument(attempt)
        except pypdfium2.PdfiumError as error:
            if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
                message = "encrypted with a password"
                raise ExtractionFailed(message, state="encrypted") from error
            reason = str(error)
    message = f"not a readable PDF: {reason}"
    raise ExtractionFailed(message)


def _fail_without_text(n_pages: int, failed: Sequence[int]) -> None:
    if n_pages == 0 or len(failed) == n_pages:
        message = f"none of its {n_pages} pages can be read"
        raise ExtractionFailed(message)
    message = f"no text on its {n_pages} pages"
    raise ExtractionFailed(message, state="needs_ocr")


def _is_noise(lines: Sequence[Line]) -> bool:
    text = "".join(line.text.rstrip("\x02") for line in lines)
    return len(_UNREADABLE.findall(text)) > _UNREADABLE_SHARE * len(text)


def _outline(document: "pypdfium2.PdfDocument") -> list[OutlineEntry]:
    entries = []
    for bookmark in document.get_toc(max_depth=_OUTLINE_DEPTH):
        target = bookmark.get_dest()
        index = target.get_index() if target is not None else None
        if index is not None:
            entries.append(OutlineEntry(bookmark.get_title(), bookmark.level + 1, index + 1))
    return entries


def _named(pages: Sequence[int]) -> str:
    named = ", ".join(str(page) for page in pages[:_PAGES_NAMED])
    more = f" and {len(pages) - _PAGES_NAMED} more" if len(pages) > _PAGES_NAMED else ""
    return f"page{'s' * (len(pages) > 1)} {named}{more}"
