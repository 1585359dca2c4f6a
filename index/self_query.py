"""Self-query: after a build, a sentence of a document must find that document.

It catches what no count shows: text that was indexed under other terms than it is searched by.
"""

from corpora.document import Segment
from corpora.store import DocumentStore
from index.chunk_table import ChunkTable
from index.errors import IndexingError
from index.lexical import LexicalIndex
from index.manifest import SelfQuery

_SAMPLE = 20
_WITHIN = 10


def query_itself(lexical: LexicalIndex, table: ChunkTable, store: DocumentStore) -> SelfQuery:
    """Results for up to 20 documents, spread evenly over the corpus.

    Documents without any searchable word are left out.

    Raises:
        IndexingError: not one of them was found.
    """
    n_documents = len(table.documents)
    step = max(1, -(-n_documents // _SAMPLE))
    asked = 0
    missed: list[str] = []
    for number in range(0, n_documents, step):
        doc_id = table.documents[number]
        sentence = _longest_sentence(doc_id, table, number, store)
        if not lexical.analyzer.query_terms(sentence).content:
            continue
        asked += 1
        hits = lexical.search(sentence, k=_WITHIN)
        if number not in {int(table.document_of[hit.row]) for hit in hits}:
            missed.append(doc_id)
    if asked and len(missed) == asked:
        message = f"none of {asked} documents is found by its own sentence; this index is unusable"
        raise IndexingError(message)
    return SelfQuery(documents=asked, found=asked - len(missed), missed=tuple(missed))


def _longest_sentence(doc_id: str, table: ChunkTable, number: int, store: DocumentStore) -> str:
    """Text of the longest visible segment in the document's first chunk, or all of that chunk."""
    chunk = table.chunk(int(table.document_of.searchsorted(number)))
    document = store.document(doc_id)
    if document is None:
        return ""
    visible = [
        segment
        for segment in store.segments(doc_id, chunk.start, chunk.end)
        if not segment.hidden and chunk.start <= segment.start and segment.end <= chunk.end
    ]
    longest = max(visible, key=_length, default=None)
    start, end = (longest or chunk).start, (longest or chunk).end
    return document.text[start:end]


def _length(segment: Segment) -> int:
    return segment.end - segment.start
