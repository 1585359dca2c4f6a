"""DocumentPostings: the lexical leg with whole documents for rows, for what is scored by document.

A stage of its own beside the generations (``index/documents/``), written only when asked for:
benchmarks need it, searches do not, and no build should take twice the time for them.

Why not a roll-up of the chunks' postings: sentences that two chunks share, headers that all of them
repeat and headings that stand in a header only would have to be taken out term by term, and a term
frequency that is one too high is a fault nobody sees.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from corpora.document import Document
from corpora.manifest import read_manifest, write_manifest
from corpora.store import DocumentStore
from index.analyzer import Analyzer, Terms
from index.config import IndexConfig
from index.corpus_text import visible_text
from index.generations import Generations
from index.lexical import LexicalIndex, write_lexical
from index.manifest import IndexManifest, load_index_manifest
from index.string_column import StringColumn, write_column

VERSION = 1
"""Raised whenever the same documents would give other postings."""


class DocumentPostings:
    """Read access to what ``write_document_postings`` has written; rows are in order of doc_id."""

    def __init__(self, folder: Path, *, analyzer: Analyzer, config: IndexConfig) -> None:
        self.doc_ids = StringColumn(folder, "doc_ids")
        """Ids of all current documents, those without text included, ascending."""
        self.lexical = LexicalIndex(folder / "lexical", analyzer=analyzer, config=config)


def write_document_postings(build_folder: Path) -> bool:
    """Write the postings of the documents that are indexed now; False where they are there already.

    Raises:
        IndexMissing, IndexCorrupt: there is no index to stand beside.
        IndexBusy: another process is building.
    """
    generations = Generations(build_folder / "index")
    manifest = load_index_manifest(generations.path(generations.current()))
    folder = _folder(build_folder)
    if read_manifest(folder) == _identity(manifest):
        return False
    with generations.building():
        partial = folder.with_name(folder.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)
        doc_ids: list[bytes] = []
        store = DocumentStore(build_folder / "ingest")
        try:
            terms = _terms(store, manifest.lexical.analyzer, doc_ids)
            write_lexical(partial / "lexical", terms)
        finally:
            store.close()
        write_column(partial, "doc_ids", doc_ids)
        write_manifest(partial, _identity(manifest))
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    return True


def open_document_postings(
    build_folder: Path, manifest: IndexManifest, config: IndexConfig
) -> DocumentPostings | None:
    """The postings that belong to ``manifest``; None where they were not written."""
    folder = _folder(build_folder)
    if read_manifest(folder) != _identity(manifest):
        return None
    return DocumentPostings(folder, analyzer=manifest.lexical.analyzer, config=config)


def document_text(document: Document, store: DocumentStore) -> str:
    """Title and visible text of a document, each once, without running headers and footers."""
    left_out = [
        (segment.start, segment.end)
        for segment in store.segments(document.doc_id)
        if segment.hidden or segment.role in {"header", "footer"}
    ]
    text = visible_text(document.text, 0, len(document.text), left_out)
    # a record that is but a title has it for its text
    return text if document.title in ("", text) else f"{document.title}\n{text}"


def _terms(store: DocumentStore, analyzer: Analyzer, doc_ids: list[bytes]) -> Iterator[Terms]:
    """Terms of the documents in order of their ids, which are noted in ``doc_ids``."""
    for document in store.documents():
        doc_ids.append(document.doc_id.encode())
        yield analyzer.document_terms(document_text(document, store), document.language)


def _folder(build_folder: Path) -> Path:
    return build_folder / "index" / "documents"


def _identity(manifest: IndexManifest) -> dict[str, object]:
    """What the postings were made from, as their manifest says it."""
    return {
        "schema": 1,
        "stage": "document-postings",
        "version": VERSION,
        "format": manifest.format,
        "ingest_fingerprint": manifest.ingest_fingerprint,
        "analyzer": manifest.model_dump(mode="json")["lexical"]["analyzer"],
    }
