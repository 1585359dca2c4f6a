"""DocumentReader: what is read once it is found, as far as the filters show it."""

from collections.abc import Sequence
from functools import lru_cache

from corpora.document import Document, Location, Segment
from corpora.hit import Filters
from corpora.store import DocumentStore
from index.catalogue import Catalogue, place_is_visible
from index.chunk_table import ChunkTable
from index.errors import UnknownDocument
from index.find import find_spans
from index.searcher import Passage

_CACHED_DOCUMENTS = 64
_ALL = Filters()


class DocumentReader:
    """Documents and their parts; safe to share between threads."""

    def __init__(self, store: DocumentStore, catalogue: Catalogue, table: ChunkTable) -> None:
        self._store = store
        self._catalogue = catalogue
        self._table = table
        self.document = lru_cache(_CACHED_DOCUMENTS)(store.document)
        """The document of an id, None where there is none; filters are not asked."""

    def open(self, doc_id: str, span: tuple[int, int] | None, filters: Filters) -> Passage:
        """The document, or a span of it.

        Raises:
            UnknownDocument: no such document or span, or the filters do not admit it.
        """
        document = self._visible_document(doc_id, filters)
        start, end = span or (0, len(document.text))
        if not 0 <= start <= end <= len(document.text):
            message = (
                f"span {start}-{end} lies outside {doc_id!r}, whose text is 0-{len(document.text)}"
            )
            raise UnknownDocument(message)
        return Passage(
            doc_id=doc_id,
            title=document.title,
            uri=shown_uri(document, self.visible_places(document, filters)),
            start=start,
            end=end,
            text=document.text[start:end],
            page=document.page_at(start),
            segments=tuple(self.segments(doc_id, start, end)),
        )

    def around(self, chunk_id: str, *, before: int, after: int, filters: Filters) -> Passage:
        """The chunk with up to so many chunks of its document before and after it.

        Raises:
            UnknownDocument: no such chunk, or the filters do not admit its document.
        """
        row = self._row_of(chunk_id)
        rows = self._table.rows_of(int(self._table.document_of[row]))
        return self._span(max(rows.start, row - before), min(rows.stop - 1, row + after), filters)

    def section(self, chunk_id: str, *, levels_up: int, filters: Filters) -> Passage:
        """The whole section that the chunk stands in, or the one so many headings above it.

        Raises:
            UnknownDocument: no such chunk, or the filters do not admit its document.
        """
        row = self._row_of(chunk_id)
        rows = self._table.rows_of(int(self._table.document_of[row]))
        path = self._table.chunk(row).heading_path
        path = path[: max(0, len(path) - levels_up)]

        def is_inside(other: int) -> bool:
            return self._table.chunk(other).heading_path[: len(path)] == path

        first = last = row
        while first > rows.start and is_inside(first - 1):
            first -= 1
        while last < rows.stop - 1 and is_inside(last + 1):
            last += 1
        return self._span(first, last, filters)

    def find(self, doc_id: str, text: str, filters: Filters) -> list[tuple[int, int]]:
        """Spans of the canonical text that read ``text``; first exactly, else folded.

        Raises:
            UnknownDocument: no such document, or the filters do not admit it.
        """
        return find_spans(self._visible_document(doc_id, filters).text, text)

    def segments(self, doc_id: str, start: int, end: int) -> list[Segment]:
        """Visible segments that overlap ``[start, end)``, in text order."""
        found = self._store.segments(doc_id, start, end)
        return [segment for segment in found if not segment.hidden]

    def visible_places(self, document: Document, filters: Filters) -> list[Location]:
        """Where the document lies, as far as the filters show it."""
        places = self._store.locations(document.doc_id)
        return [place for place in places if place_is_visible(place, filters)]

    def _span(self, first: int, last: int, filters: Filters) -> Passage:
        begin, end = self._table.chunk(first), self._table.chunk(last)
        return self.open(begin.doc_id, (begin.start, end.end), filters)

    def _row_of(self, chunk_id: str) -> int:
        row = self._table.row_of(chunk_id)
        if row is None:
            message = f"there is no chunk {chunk_id!r} here; ids are those of search results"
            raise UnknownDocument(message)
        return row

    def _visible_document(self, doc_id: str, filters: Filters) -> Document:
        document = self.document(doc_id)
        if document is None or not (
            filters.admits_all or doc_id in set(self._catalogue.admitted(filters))
        ):
            message = f"there is no document {doc_id!r} here; ids are those of search results"
            raise UnknownDocument(message)
        return document


def shown_uri(document: Document, places: Sequence[Location]) -> str:
    """The document's own URI where it is among the places shown, else the first of these."""
    uris = [place.uri for place in places]
    return document.uri if document.uri in uris or not uris else uris[0]
