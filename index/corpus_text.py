"""The chunks of an ingest folder with the text that is indexed of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from corpora.store import DocumentStore
from index.catalogue import Catalogue
from index.chunk_table import IndexedChunk
from index.errors import IndexingError


@dataclass(frozen=True, slots=True)
class IndexedChunks:
    """All chunks of current documents in row order; text a reader cannot see is left out.

    Read from the store each time they are gone through, so that memory need not hold them.

    Raises:
        IndexingError: a chunk names a document that is not there, or a span outside its text.
    """

    ingest_folder: Path

    def __iter__(self) -> Iterator[IndexedChunk]:
        store = DocumentStore(self.ingest_folder)
        catalogue = Catalogue(self.ingest_folder)
        try:
            hidden = catalogue.hidden_spans()
            for doc_id, chunks in groupby(store.chunks(), key=lambda chunk: chunk.doc_id):
                document = store.document(doc_id)
                for chunk in chunks:
                    if document is None or not 0 <= chunk.start < chunk.end <= len(document.text):
                        message = (
                            f"chunk {chunk.chunk_id!r} lies outside its document's text;"
                            " delete the ingest folder and run `make ingest`"
                        )
                        raise IndexingError(message)
                    unseen = hidden.get(doc_id, [])
                    text = visible_text(document.text, chunk.start, chunk.end, unseen)
                    yield IndexedChunk(chunk, text, document.title)
        finally:
            catalogue.close()
            store.close()


def visible_text(text: str, start: int, end: int, hidden: list[tuple[int, int]]) -> str:
    """``text[start:end]`` without the spans in ``hidden``, which are in ascending order."""
    kept: list[str] = []
    for hidden_start, hidden_end in hidden:
        if hidden_end > start and hidden_start < end:
            kept.append(text[start : max(start, hidden_start)])
            start = min(end, hidden_end)
    return "".join((*kept, text[start:end]))
