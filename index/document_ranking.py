"""Rankings of documents: what test collections judge, where a search returns chunks.

Sparse is BM25 over whole documents, dense gives a document the score of its best chunk, hybrid
fuses the two as chunks are fused, bridged follows names from document to document. Why not roll up
the fused chunks: a document's best chunk by words and its best by meaning are often two, and each
leg should say all it knows of the document.

Equal scores stand in order of doc_id.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora.hit import Mode
from index.bridges import Bridges
from index.chunk_table import ChunkTable
from index.config import IndexConfig
from index.dense_legs import DenseLegs
from index.document_names import DocumentNames
from index.document_postings import DocumentPostings
from index.fuse_legs import fuse_legs
from index.mentions import Mentions
from index.ranking import Ranking

_CACHED_QUERIES = 16
"""The legs of a query are asked for twice: alone and fused."""


DocumentMode = Mode | Literal["bridged"]
"""The modes of a search; here the bridged ranking stands beside the bare hybrid one."""


class ScoredDocument(NamedTuple):
    """A document and its score in one ranking; the names are those of ir-measures."""

    doc_id: str
    score: float


class DocumentRanking:
    """Ranks the documents of one index; safe to share between threads."""

    def __init__(
        self,
        *,
        postings: DocumentPostings,
        dense: DenseLegs,
        mentions: Mentions,
        table: ChunkTable,
        config: IndexConfig,
    ) -> None:
        self._postings = postings
        self._dense = dense
        self._table = table
        self._config = config
        n_documents = len(table.documents)
        self._bridges = Bridges(
            DocumentNames(mentions, table),
            np.arange(n_documents, dtype=np.int32),
            config.bridges,
        )
        self._rankings: Mapping[DocumentMode, Callable[[str, int], Ranking]] = {
            "sparse": lru_cache(_CACHED_QUERIES)(self._rank_sparse),
            "dense": lru_cache(_CACHED_QUERIES)(self._rank_dense),
            "hybrid": self._rank_hybrid,
            "bridged": self._rank_bridged,
        }

    def rank(self, query: str, *, k: int, mode: DocumentMode) -> list[ScoredDocument]:
        """The k best documents, best first; ``hybrid`` and ``bridged`` fuse as many of each leg as
        the configuration's ``depth`` says, whatever k is.
        """
        return [
            ScoredDocument(self._doc_ids[row], score)
            for row, score in self._rankings[mode](query, max(k, self._config.depth))[:k]
        ]

    def _rank_sparse(self, query: str, k: int) -> Ranking:
        return self._postings.lexical.search(query, k=k)

    def _rank_dense(self, query: str, k: int) -> Ranking:
        """Documents by their best chunk; so many chunks are fetched that k documents are."""
        if not query.strip():
            return Ranking()
        n_documents, n_chunks = len(self._table.documents), len(self._table)
        wanted = min(k, n_documents)
        fetched = min(n_chunks, wanted * (n_chunks // n_documents + 1))
        while True:
            chunks = self._dense.search(query, k=fetched)
            documents = self._table.document_of[chunks.rows]
            best = np.sort(np.unique(documents, return_index=True)[1])
            if len(best) >= wanted or len(chunks) < fetched or fetched == n_chunks:
                return Ranking(self._rows[documents[best]], chunks.scores[best])[:k]
            fetched = min(n_chunks, 2 * fetched)

    def _rank_hybrid(self, query: str, k: int) -> Ranking:
        depth = self._config.depth
        sparse = self._rankings["sparse"](query, k)[:depth]
        dense = self._rankings["dense"](query, k)[:depth]
        return fuse_legs(sparse, dense, self._config, abroad=self._abroad(query, dense))

    def _abroad(self, query: str, dense: Ranking) -> NDArray[np.bool_] | None:
        """Documents whose words are not the query's, by row of the postings, (n,); None: none."""
        chunks = self._dense.abroad(query) if dense else None
        if chunks is None:
            return None
        documents = np.zeros(len(self._doc_ids), dtype=np.bool_)
        documents[self._rows[np.unique(self._table.document_of[chunks])]] = True
        return documents

    def _rank_bridged(self, query: str, k: int) -> Ranking:
        hybrid = self._rank_hybrid(query, k)
        numbers = self._numbers[hybrid.rows]
        has_chunks = numbers >= 0
        numbered = Ranking(numbers[has_chunks], hybrid.scores[has_chunks])
        reached = self._bridges.follow(query, numbered, None).ranking
        return Ranking(
            np.concatenate([hybrid.rows[~has_chunks], self._rows[reached.rows]]),
            np.concatenate([hybrid.scores[~has_chunks], reached.scores]),
        ).in_order()

    @cached_property
    def _doc_ids(self) -> list[str]:
        """By row of the postings."""
        return [self._postings.doc_ids[row] for row in range(len(self._postings.doc_ids))]

    @cached_property
    def _rows(self) -> NDArray[np.int64]:
        """Row of the postings by number of the chunk table, which lacks documents without text."""
        rows = {doc_id: row for row, doc_id in enumerate(self._doc_ids)}
        documents = self._table.documents
        return np.array([rows[documents[n]] for n in range(len(documents))], dtype=np.int64)

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        """Number of the chunk table by row of the postings; -1 for documents without text."""
        numbers = np.full(len(self._doc_ids), -1, dtype=np.int64)
        numbers[self._rows] = np.arange(len(self._rows))
        return numbers
