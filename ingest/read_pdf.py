"""PDF: canonical text built from pdfium's characters, page by page, so that page ↔ offset holds.

Must not run in two threads at once: pdfium is not thread-safe, even on different documents.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from corpora.document import DocumentState
from ingest.config import IngestConfig
from ingest.errors import ExtractionFailed
from ingest.extract import Extract
from ingest.ocr import last_begin
from ingest.pdf_blocks import build_extract
from ingest.pdf_headings import OutlineEntry
from ingest.pdf_lines import Line
from ingest.pdf_open import opened_pdf
from ingest.pdf_page import read_page
from ingest.pdf_scan import is_drawn_on, is_noise, needs_ocr, picture_share, scanned_lines

if TYPE_CHECKING:
    import pypdfium2

PDF_VERSION = 3
_LOCK = threading.Lock()
_OUTLINE_DEPTH = 6
_PAGES_NAMED = 10
_UNREAD = "could not be read"
_NO_WORDS = "no words seen by OCR"


@dataclass(slots=True, kw_only=True)
class _Pages:
    """What was found on a document's pages, and what was not."""

    lines: list[Line] = field(default_factory=list)
    problems: dict[str, list[int]] = field(default_factory=dict)
    """Pages by what is wrong with them."""
    states: set[DocumentState] = field(default_factory=set)
    """What the document would be, were all its pages like those that failed."""
    wants_ocr: bool = False
    ocr_until: float
    damage: str = ""
    """What the file had to be repaired from."""

    def note(self, reason: str, page: int, state: DocumentState) -> None:
        self.problems.setdefault(reason, []).append(page)
        self.states.add(state)

    @property
    def missing(self) -> str:
        named = [f"{_named(pages)}: {reason}" for reason, pages in self.problems.items()]
        return "; ".join([self.damage, *named] if self.damage else named)


def read_pdf(content: bytes, config: IngestConfig) -> Extract:
    """Text of all pages that can be read; ``missing`` names the others.

    Raises:
        ExtractionFailed: ``encrypted``, ``corrupt``, or where no page has text ``needs_ocr``,
            ``timeout`` or ``empty``.
    """
    with _LOCK:
        document, damage = opened_pdf(content)
        try:
            pages = _Pages(damage=damage, ocr_until=last_begin(config))
            for index in range(len(document)):
                _read_page(document, index, pages, config)
            if not pages.lines and not pages.problems:
                for index in range(len(document)):
                    _read_drawing(document, index, pages, config)
            _require_lines(pages, len(document))
            metadata = document.get_metadata_dict(skip_empty=True)
            outline = _outline(document)
        finally:
            document.close()
    extract = build_extract(
        pages.lines,
        outline,
        title=metadata.get("Title", ""),
        date=metadata.get("CreationDate"),
        author=metadata.get("Author", ""),
        missing=pages.missing,
    )
    return replace(extract, wants_ocr=pages.wants_ocr)


def _read_page(
    document: "pypdfium2.PdfDocument", index: int, pages: _Pages, config: IngestConfig
) -> None:
    import pypdfium2

    try:
        page = document[index]
        lines = read_page(page, index + 1)
        if lines and all(line.hidden for line in lines) and picture_share(page):
            # Recognised text laid invisibly over a scan is what the reader sees.
            lines = [replace(line, hidden=False) for line in lines]
        if needs_ocr(page, lines):
            lines = _scanned(page, index + 1, lines, pages, config)
    except pypdfium2.PdfiumError:
        pages.note(_UNREAD, index + 1, "corrupt")
        return
    pages.lines += lines


def _read_drawing(
    document: "pypdfium2.PdfDocument", index: int, pages: _Pages, config: IngestConfig
) -> None:
    """A page of a document without any text: letters may be drawn as shapes."""
    page = document[index]
    if is_drawn_on(page):
        pages.lines += _scanned(page, index + 1, [], pages, config)


def _scanned(
    page: "pypdfium2.PdfPage",
    number: int,
    lines: list[Line],
    pages: _Pages,
    config: IngestConfig,
) -> list[Line]:
    """Lines by OCR, or those of the text layer where they say more."""
    layer = [] if is_noise(lines) else lines
    pages.wants_ocr = True
    try:
        found = scanned_lines(page, number, config, until=pages.ocr_until)
    except ExtractionFailed as failure:
        pages.note(str(failure), number, failure.state)
        return layer
    if not found and not layer:
        pages.note(_NO_WORDS, number, "empty")
    return max(found, layer, key=lambda each: sum(len(line.text) for line in each))


def _require_lines(pages: _Pages, n_pages: int) -> None:
    if pages.lines:
        return
    states: tuple[DocumentState, ...] = ("needs_ocr", "timeout", "empty")
    state = next((state for state in states if state in pages.states), None)
    if state is None and (n_pages == 0 or pages.states):
        message = f"none of its {n_pages} pages can be read"
        raise ExtractionFailed(message)
    reason = pages.missing or "nothing is drawn on them"
    message = f"no text on its {n_pages} pages ({reason})"
    raise ExtractionFailed(message, state=state or "empty")


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
