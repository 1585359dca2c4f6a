"""Reading: a segment as a model reads it, with what it needs from around it.

A table row says nothing without its column names, and a sentence that begins with "She" nothing
without the one before. Offsets and quotes stay those of the segment; only what is shown, searched
and judged is the reading.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from corpora.document import Document, Segment
from corpora.hit import Hit
from corpora.store import DocumentStore

CELL = " | "


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The readings of a call's segments; ``headers`` is header segment id → its text."""

    headers: Mapping[str, str]

    def of(self, hit: Hit, segment: Segment) -> str:
        """The segment's text; for a table row ``column: cell`` for each cell that is filled."""
        text = hit.text[segment.start - hit.start : segment.end - hit.start]
        place = segment.table
        header = self.headers.get(place.header_segment or "") if place else None
        return labelled_row(header, text) if header else text

    def before(self, hit: Hit, segment: Segment) -> str:
        """The sentence before this one in the same section of the same hit; "" if there is none."""
        if segment.kind != "sentence":
            return ""
        earlier = [s for s in hit.segments if s.end <= segment.start and not s.hidden]
        last = max(earlier, key=lambda s: s.start, default=None)
        if last is None or last.kind != "sentence" or last.heading_path != segment.heading_path:
            return ""
        return self.of(hit, last)

    def is_header(self, segment: Segment) -> bool:
        """Whether the segment is the header row of a table of which a row was found."""
        return segment.segment_id in self.headers


def labelled_row(header: str, row: str) -> str:
    """``Net: HK-204; Mesh: LZ-6`` of two rows; the row itself where they do not fit together."""
    names, cells = header.split(CELL), row.split(CELL)
    if len(cells) > len(names) or len(names) < 2:
        return row
    pairs = zip(names, cells, strict=False)
    return "; ".join(f"{name}: {cell}" for name, cell in pairs if name.strip() and cell.strip())


def read_headers(hits: list[Hit], store: DocumentStore) -> Readings:
    """The header rows of all table rows in the hits, each document read once."""
    wanted = {
        segment.table.header_segment: hit.doc_id
        for hit in hits
        for segment in hit.segments
        if segment.table is not None
        and segment.table.header_segment not in (None, segment.segment_id)
    }
    documents: dict[str, Document | None] = {
        doc_id: store.document(doc_id) for doc_id in sorted(set(wanted.values()))
    }
    headers: dict[str, str] = {}
    for header, doc_id in wanted.items():
        document = documents[doc_id]
        if header is not None and document is not None:
            start, end = (int(offset) for offset in header.rpartition(":")[2].split("-"))
            headers[header] = document.text[start:end]
    return Readings(headers=headers)
