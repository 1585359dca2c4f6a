"""Segments of a collection's record: its own sentences where it names them, ours elsewhere."""

from collections.abc import Iterator

from corpora.document import Segment
from ingest.canonical import canonical_text
from ingest.read_plain import read_plain
from ingest.segment import segment_extract
from ingest.sentences import sentence_spans


def segment_record(text: str, sentences: object, *, doc_id: str, language: str) -> list[Segment]:
    """Segments of a canonical text; ``sentences``, a list of strings, gives their exact bounds."""
    if isinstance(sentences, list):
        return [
            Segment(doc_id=doc_id, start=start, end=end, kind="sentence")
            for start, end in _located(text, sentences, language)
        ]
    return segment_extract(read_plain(text), doc_id=doc_id, language=language)


def _located(text: str, sentences: list[object], language: str) -> Iterator[tuple[int, int]]:
    """The sentences' spans, found one after the other; text between them is segmented by us."""
    position = 0
    for sentence in sentences:
        wanted = canonical_text(str(sentence)).text.strip()
        start = text.find(wanted, position) if wanted else -1
        if start < 0:
            continue
        yield from sentence_spans(text, position, start, language=language)
        yield start, start + len(wanted)
        position = start + len(wanted)
    yield from sentence_spans(text, position, len(text), language=language)
