"""Document, Segment and Chunk: what ingestion writes and everything downstream reads.

All spans are half-open code-point offsets into the document's canonical text (one ``str``: LF line
ends, NFC, characters that UTF-8 or SQLite cannot hold replaced by U+FFFD; nothing else changed).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

SegmentKind = Literal["sentence", "list_item", "table_row", "heading", "caption", "code"]
SegmentRole = Literal["body", "header", "footer", "note", "caption"]
DocumentState = Literal[
    "ok",
    "partial",
    "empty",
    "duplicate",
    "needs_ocr",
    "encrypted",
    "corrupt",
    "crashed",
    "unsupported",
    "unreadable",
    "refused",
    "timeout",
]

CELL = " | "
"""Stands between the cells of a table row's text."""


class PageSpan(NamedTuple):
    """Page ``page`` (from 1) holds the text's ``[start, end)``."""

    page: int
    start: int
    end: int


class Box(NamedTuple):
    """A rectangle on a page, in points, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class TableCell(NamedTuple):
    """Place of a table row: row from 0, column of its first cell, the header row's segment id."""

    row: int
    column: int
    header_segment: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """One place where a document's bytes were found; one visible place makes it visible."""

    doc_id: str
    uri: str
    """``corpus:///relative/path``; members of containers: ``corpus:///a.eml!/b.pdf``."""
    labels: tuple[str, ...] = ()
    mtime: float | None = None
    parent_doc_id: str | None = None
    member_path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One source with its canonical text."""

    doc_id: str
    """``d_`` + 16 hex of the source's SHA-256; in a test collection the collection's own id."""
    uri: str
    title: str
    text: str
    text_sha256: str
    source_sha256: str
    media_type: str
    language: str = "und"
    """ISO 639-1 code of the majority language, ``und`` where it cannot be told."""
    labels: tuple[str, ...] = ()
    date: str | None = None
    """ISO 8601 date, with ``date_source`` saying where it was read."""
    date_source: str | None = None
    page_spans: tuple[PageSpan, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    def page_at(self, offset: int) -> int | None:
        """Page that holds ``offset``; None for a document without pages."""
        for span in self.page_spans:
            if span.start <= offset < span.end:
                return span.page
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The citation unit: one sentence, list item, table row, heading, caption or code group."""

    doc_id: str
    start: int
    end: int
    kind: SegmentKind
    heading_path: tuple[str, ...] = ()
    """Headings above this segment, outermost first; for a heading, those above itself."""
    page_spans: tuple[PageSpan, ...] = ()
    boxes: tuple[Box, ...] = ()
    role: SegmentRole = "body"
    hidden: bool = False
    """Text a reader cannot see; never shown to a model, never indexed."""
    ocr_confidence: float | None = None
    table: TableCell | None = None

    @property
    def segment_id(self) -> str:
        """``doc_id:start-end``, the id under which it is stored."""
        return f"{self.doc_id}:{self.start}-{self.end}"

    @property
    def page(self) -> int | None:
        """Page of the first character; None without pages."""
        return self.page_spans[0].page if self.page_spans else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """The indexed unit: whole consecutive segments, never across a heading, table or code fence."""

    doc_id: str
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    language: str = "und"
    labels: tuple[str, ...] = ()
    header: str = ""
    """``title > heading path``, put before the text in both index legs, never part of a quote."""
    n_tokens: int = 0
    """Header and text together, in tokens of the encoder the manifest names."""

    @property
    def chunk_id(self) -> str:
        """``doc_id:start-end``."""
        return f"{self.doc_id}:{self.start}-{self.end}"


def parse_span_id(span_id: str) -> tuple[str, int, int]:
    """Split ``doc_id:start-end`` at its last colon.

    Raises:
        ValueError: the text is no span id.
    """
    doc_id, _, span = span_id.rpartition(":")
    start, _, end = span.partition("-")
    if not doc_id or not start.isdecimal() or not end.isdecimal():
        message = f"{span_id!r} is no span id; expected 'doc_id:start-end'"
        raise ValueError(message)
    return doc_id, int(start), int(end)
