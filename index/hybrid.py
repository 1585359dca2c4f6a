"""HybridSearcher: both legs searched deep, fused, collapsed, cached, and cut into pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from corpora.document import Document, Location, Segment
from corpora.hit import Filters, Hit, Mode
from corpora.store import DocumentStore
from index.catalogue import Catalogue, place_is_visible
from index.chunk_table import ChunkTable
from index.config import IndexConfig
from index.dense import DenseIndex
from index.dense_legs import DenseLegs
from index.errors import IndexingError, IndexStale, UnknownDocument
from index.find import find_spans
from index.fuse import Run, ScoredRow, fuse_runs
from index.lexical import LexicalIndex
from index.searcher import Passage

_CACHED_RANKINGS = 256
_CACHED_FILTERS = 32
_CACHED_DOCUMENTS = 64
_ALL = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A row in one leg."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """A row of a fused ranking, and the rows of equal text that it stands for."""

    row: int
    score: float
    sparse: _Found | None
    dense: _Found | None
    duplicates: tuple[int, ...]


class HybridSearcher:
    """A ``Searcher`` over one generation; made by ``open_index``, safe to share between threads."""

    def __init__(
        self,
        *,
        corpus: str,
        fingerprint: str,
        store: DocumentStore,
        catalogue: Catalogue,
        table: ChunkTable,
        lexical: LexicalIndex,
        dense: Sequence[DenseIndex],
        config: IndexConfig,
    ) -> None:
        self.corpus = corpus
        self.fingerprint = fingerprint
        self.store = store
        self.languages = frozenset(table.languages)
        self._catalogue = catalogue
        self._table = table
        self._lexical = lexical
        self._dense = DenseLegs(dense, table, languages=lexical.analyzer.languages)
        self._config = config
        self._ranking = lru_cache(_CACHED_RANKINGS)(self._rank)
        self._admitted = lru_cache(_CACHED_FILTERS)(self._admit)
        self._document = lru_cache(_CACHED_DOCUMENTS)(store.document)

    def close(self) -> None:
        """Release the document store."""
        self._catalogue.close()
        self.store.close()

    def search(
        self,
        queries: Sequence[str],
        *,
        k: int,
        mode: Mode = "hybrid",
        filters: Filters | None = None,
        page: int = 1,
    ) -> list[list[Hit]]:
        """One ranking per query: ranks ``(page - 1) * k`` to ``page * k - 1`` of a deep one.

        The score is the fused one in mode ``hybrid``, the leg's own in the others.

        Raises:
            IndexingError: mode ``dense`` without an encoder.
            ValueError: ``k`` or ``page`` below 1.
        """
        if k < 1 or page < 1:
            message = f"k {k!r} and page {page!r} count from 1"
            raise ValueError(message)
        if mode == "dense" and not self._dense:
            message = "this index is open without an encoder; use mode 'sparse' or 'hybrid'"
            raise IndexingError(message)
        wanted = filters or _ALL
        version = self._catalogue.version()
        # Lone surrogates, which a model's JSON may hold, have no UTF-8 for tokenizers to read.
        readable = [query.encode("utf-8", "replace").decode() for query in queries]
        first = (page - 1) * k
        return [
            [
                self._hit(ranked, first + place, wanted)
                for place, ranked in enumerate(
                    self._ranking(query, mode, wanted, version)[first : first + k]
                )
            ]
            for query in readable
        ]

    def open(
        self, doc_id: str, span: tuple[int, int] | None = None, *, filters: Filters | None = None
    ) -> Passage:
        """The document, or a span of it.

        Raises:
            UnknownDocument: no such document or span, or the filters do not admit it.
        """
        wanted = filters or _ALL
        document = self._visible_document(doc_id, wanted)
        start, end = span or (0, len(document.text))
        if not 0 <= start <= end <= len(document.text):
            message = (
                f"span {start}-{end} lies outside {doc_id!r}, whose text is 0-{len(document.text)}"
            )
            raise UnknownDocument(message)
        return Passage(
            doc_id=doc_id,
            title=document.title,
            uri=_shown_uri(document, self._visible_places(document, wanted)),
            start=start,
            end=end,
            text=document.text[start:end],
            page=document.page_at(start),
            segments=tuple(self.segments(doc_id, start, end)),
        )

    def find(
        self, doc_id: str, text: str, *, filters: Filters | None = None
    ) -> list[tuple[int, int]]:
        """Spans of the canonical text that read ``text``; first exactly, else folded.

        Raises:
            UnknownDocument: no such document, or the filters do not admit it.
        """
        return find_spans(self._visible_document(doc_id, filters or _ALL).text, text)

    def segments(self, doc_id: str, start: int, end: int) -> list[Segment]:
        """Visible segments that overlap ``[start, end)``, in text order."""
        found = self.store.segments(doc_id, start, end)
        return [segment for segment in found if not segment.hidden]

    def content_tokens(self, text: str) -> list[str]:
        """Terms of a text as the lexical leg compares them, without stop words."""
        return self._lexical.analyzer.query_terms(text).content

    def idf(self, token: str) -> float:
        """How rare a term is in this corpus; above 0, highest for an unknown one."""
        return self._lexical.idf(token)

    def _rank(self, query: str, mode: Mode, filters: Filters, version: int) -> tuple[_Ranked, ...]:
        """The whole ranking; ``version`` is that of the store, so that the cache follows it."""
        admitted = None if filters.admits_all else self._admitted(filters, version)
        depth = self._config.depth
        sparse: list[ScoredRow] = []
        dense: list[ScoredRow] = []
        if mode != "dense":
            sparse = self._lexical.search(query, k=depth, admitted=admitted)
        if mode != "sparse" and query.strip():
            dense = self._dense.search(query, k=depth, admitted=admitted)
        match mode:
            case "sparse":
                fused = sparse
            case "dense":
                fused = dense
            case "hybrid":
                fused = fuse_runs(
                    [
                        Run(
                            rows=sparse,
                            weight=1 - self._config.weight_dense,
                            blind_to=self._dense.abroad(query) if dense else None,
                        ),
                        Run(rows=dense, weight=self._config.weight_dense),
                    ],
                    method=self._config.fusion,
                    rrf_k=self._config.rrf_k,
                )
        return self._collapse(fused, _places(sparse), _places(dense))[:depth]

    def _collapse(
        self, fused: list[ScoredRow], sparse: dict[int, _Found], dense: dict[int, _Found]
    ) -> tuple[_Ranked, ...]:
        """The ranking with each text once, at its best place."""
        alike: dict[bytes, list[ScoredRow]] = {}
        for scored in fused:
            alike.setdefault(self._table.text_key(scored.row), []).append(scored)
        return tuple(
            _Ranked(
                row=best.row,
                score=best.score,
                sparse=sparse.get(best.row),
                dense=dense.get(best.row),
                duplicates=tuple(other.row for other in others),
            )
            for best, *others in alike.values()
        )

    def _admit(self, filters: Filters, _version: int) -> NDArray[np.bool_]:
        """True for the rows of admitted documents, (n,)."""
        documents = np.zeros(len(self._table.documents), dtype=np.bool_)
        for doc_id in self._catalogue.admitted(filters):
            number = self._table.documents.row_of(doc_id)
            if number is not None:
                documents[number] = True
        return documents[self._table.document_of]

    def _hit(self, ranked: _Ranked, rank: int, filters: Filters) -> Hit:
        chunk = self._table.chunk(ranked.row)
        document = self._document(chunk.doc_id)
        if document is None:
            message = f"document {chunk.doc_id!r} has been purged since the build; run `make index`"
            raise IndexStale(message)
        places = self._visible_places(document, filters)
        labels = {label for place in places for label in place.labels}
        return Hit(
            chunk_id=chunk.chunk_id,
            doc_id=chunk.doc_id,
            title=document.title,
            uri=_shown_uri(document, places),
            page=chunk.page,
            heading_path=chunk.heading_path,
            start=chunk.start,
            end=chunk.end,
            text=document.text[chunk.start : chunk.end],
            score=ranked.score,
            rank=rank,
            legs={
                "sparse": ranked.sparse.rank if ranked.sparse else None,
                "dense": ranked.dense.rank if ranked.dense else None,
            },
            leg_scores={
                "sparse": ranked.sparse.score if ranked.sparse else None,
                "dense": ranked.dense.score if ranked.dense else None,
            },
            segments=tuple(self.segments(chunk.doc_id, chunk.start, chunk.end)),
            language=chunk.language,
            labels=tuple(sorted(labels)) if places else chunk.labels,
            duplicates=tuple(self._table.chunk(row).chunk_id for row in ranked.duplicates),
        )

    def _visible_document(self, doc_id: str, filters: Filters) -> Document:
        document = self._document(doc_id)
        if document is None or not (
            filters.admits_all or doc_id in set(self._catalogue.admitted(filters))
        ):
            message = f"there is no document {doc_id!r} here; ids are those of search results"
            raise UnknownDocument(message)
        return document

    def _visible_places(self, document: Document, filters: Filters) -> list[Location]:
        """Where the document lies, as far as the filters show it."""
        places = self.store.locations(document.doc_id)
        return [place for place in places if place_is_visible(place, filters)]


def _shown_uri(document: Document, places: Sequence[Location]) -> str:
    """The document's own URI where it is among the places shown, else the first of these."""
    uris = [place.uri for place in places]
    return document.uri if document.uri in uris or not uris else uris[0]


def _places(rows: list[ScoredRow]) -> dict[int, _Found]:
    return {scored.row: _Found(rank=rank, score=scored.score) for rank, scored in enumerate(rows)}
