"""Reading: a segment as a model reads it, with what it needs from around it.

A table row says nothing without its column names, and a sentence that begins with "She" nothing
without the one before. Offsets and quotes stay those of the segment; only what is shown, searched
and judged is the reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpora.document import CELL, Segment, parse_span_id
from corpora.hit import Filters, Hit
from index.searcher import Searcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The readings of a call's segments; ``headers`` is header segment id → its text."""

    headers: Mapping[str, str]

    def of(self, hit: Hit, segment: Segment) -> str:
        """The segment's text; for a table row ``column: cell`` for each cell that is filled."""
        text = hit.text_of(segment)
        place = segment.table
        header = self.headers.get(place.header_segment or "") if place else None
        return labelled_row(header, text) if header else text

    def before(self, hit: Hit, segment: Segment) -> str:
        """The sentence before this one in the same section of the same hit; "" if there is none."""
        if segment.kind != "sentence":
            return ""
        earlier = [s for s in hit.segments if s.end <= segment.start and not s.hidden]
        last = max(earlier, key=lambda s: s.start, default=None)
        kind = (segment.kind, segment.role, segment.heading_path)
        if last is None or (last.kind, last.role, last.heading_path) != kind:
            return ""
        return hit.text_of(last)

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


def read_headers(hits: Sequence[Hit], searcher: Searcher, *, filters: Filters | None) -> Readings:
    """The header rows of all table rows in the hits, each read once."""
    wanted = {
        segment.table.header_segment
        for hit in hits
        for segment in hit.segments
        if segment.table is not None and segment.table.header_segment != segment.segment_id
    }
    headers: dict[str, str] = {}
    for header in sorted(filter(None, wanted)):
        doc_id, start, end = parse_span_id(header)
        headers[header] = searcher.open(doc_id, (start, end), filters=filters).text
    return Readings(headers=headers)
