"""HybridSearcher: rankings cached and cut into pages, hits with all that is known of them."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from corpora.document import Segment
from corpora.hit import Bridge, Filters, Hit, Mention, Mode
from corpora.store import DocumentStore
from index.bridges import Bridges, Link
from index.catalogue import Catalogue
from index.chunk_ranking import ChunkRanking, RankedChunk, RankedChunks
from index.chunk_table import ChunkTable
from index.config import IndexConfig
from index.dense import DenseIndex
from index.dense_legs import DenseLegs
from index.document_postings import DocumentPostings
from index.document_ranking import DocumentMode, DocumentRanking, ScoredDocument
from index.errors import IndexingError, IndexMissing, IndexStale
from index.lexical import LexicalIndex
from index.mentions import Mentions
from index.reading import DocumentReader, shown_uri
from index.searcher import Passage

_CACHED_RANKINGS = 256
_CACHED_FILTERS = 32
_ALL = Filters()


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
        mentions: Mentions,
        config: IndexConfig,
        documents: DocumentPostings | None = None,
        is_stale: bool = False,
    ) -> None:
        self.corpus = corpus
        self.is_stale = is_stale
        """Whether other documents have been ingested since the build."""
        self.fingerprint = fingerprint
        self.store = store
        self.languages = frozenset(table.languages)
        self._catalogue = catalogue
        self._table = table
        self._lexical = lexical
        self._dense = DenseLegs(dense, table, languages=lexical.analyzer.languages)
        self._mentions = mentions
        self._reader = DocumentReader(store, catalogue, table)
        self._chunks = ChunkRanking(
            lexical=lexical,
            dense=self._dense,
            bridges=Bridges(mentions, table.document_of, config.bridges),
            table=table,
            config=config,
        )
        self._documents = (
            None
            if documents is None
            else DocumentRanking(
                postings=documents, dense=self._dense, mentions=mentions, table=table, config=config
            )
        )
        self._ranking = lru_cache(_CACHED_RANKINGS)(self._rank)
        self._admitted = lru_cache(_CACHED_FILTERS)(self._admit)

    def close(self) -> None:
        """Release the document store."""
        self._chunks.close()
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
        bridges: bool = True,
    ) -> list[list[Hit]]:
        """One ranking per query: ranks ``(page - 1) * k`` to ``page * k - 1`` of a deep one.

        The score is the fused one in mode ``hybrid``, the leg's own in the others. With ``bridges``
        mode ``hybrid`` also brings up what the query and the best hits name (``bridges.py``).

        Raises:
            IndexingError: mode ``dense`` without an encoder.
            ValueError: ``k`` or ``page`` below 1.
        """
        if k < 1 or page < 1:
            message = f"k {k!r} and page {page!r} count from 1"
            raise ValueError(message)
        self._check_mode(mode)
        wanted = filters or _ALL
        version = self._catalogue.version()
        readable = [_readable(query) for query in queries]
        first = (page - 1) * k
        return [
            [
                self._hit(ranked, first + place, wanted, query)
                for place, ranked in enumerate(
                    self._ranking(query, mode, wanted, version, bridges).page(first, first + k)
                )
            ]
            for query in readable
        ]

    def rank_documents(
        self, query: str, *, k: int, mode: DocumentMode = "bridged"
    ) -> list[ScoredDocument]:
        """The k best of all documents, best first, ties by doc_id; see ``document_ranking``.

        Raises:
            IndexMissing: ``write_document_postings`` has not been called for this index.
            IndexingError: mode ``dense`` without an encoder.
        """
        self._check_mode(mode)
        if self._documents is None:
            message = f"index {self.corpus!r} has no postings of whole documents to rank these by"
            raise IndexMissing(message)
        return self._documents.rank(_readable(query), k=k, mode=mode)

    def open(
        self, doc_id: str, span: tuple[int, int] | None = None, *, filters: Filters | None = None
    ) -> Passage:
        """The document, or a span of it.

        Raises:
            UnknownDocument: no such document or span, or the filters do not admit it.
        """
        return self._reader.open(doc_id, span, filters or _ALL)

    def around(
        self, chunk_id: str, *, before: int = 1, after: int = 1, filters: Filters | None = None
    ) -> Passage:
        """A hit's chunk with so many chunks of its document before and after it.

        Raises:
            UnknownDocument: no such chunk, or the filters do not admit its document.
        """
        return self._reader.around(chunk_id, before=before, after=after, filters=filters or _ALL)

    def section(
        self, chunk_id: str, *, levels_up: int = 0, filters: Filters | None = None
    ) -> Passage:
        """The whole section that a hit's chunk stands in, or the one so many headings above it.

        Raises:
            UnknownDocument: no such chunk, or the filters do not admit its document.
        """
        return self._reader.section(chunk_id, levels_up=levels_up, filters=filters or _ALL)

    def find(
        self, doc_id: str, text: str, *, filters: Filters | None = None
    ) -> list[tuple[int, int]]:
        """Spans of the canonical text that read ``text``; first exactly, else folded.

        Raises:
            UnknownDocument: no such document, or the filters do not admit it.
        """
        return self._reader.find(doc_id, text, filters or _ALL)

    def segments(self, doc_id: str, start: int, end: int) -> list[Segment]:
        """Visible segments that overlap ``[start, end)``, in text order."""
        return self._reader.segments(doc_id, start, end)

    def content_tokens(self, text: str) -> list[str]:
        """Terms of a text as the lexical leg compares them, without stop words."""
        return self._lexical.analyzer.query_terms(text).content

    def idf(self, token: str) -> float:
        """How rare a term is in this corpus; above 0, highest for an unknown one."""
        return self._lexical.idf(token)

    def _check_mode(self, mode: DocumentMode) -> None:
        if mode == "dense" and not self._dense:
            message = "this index is open without an encoder; use mode 'sparse' or 'hybrid'"
            raise IndexingError(message)

    def _rank(
        self, query: str, mode: Mode, filters: Filters, version: int, bridges: bool
    ) -> RankedChunks:
        """The whole ranking; ``version`` is that of the store, so that the cache follows it."""
        admitted = None if filters.admits_all else self._admitted(filters, version)
        return self._chunks.rank(query, mode, admitted, bridges=bridges)

    def _admit(self, filters: Filters, _version: int) -> NDArray[np.bool_]:
        """True for the rows of admitted documents, (n,)."""
        documents = np.zeros(len(self._table.documents), dtype=np.bool_)
        for doc_id in self._catalogue.admitted(filters):
            number = self._table.documents.row_of(doc_id)
            if number is not None:
                documents[number] = True
        return documents[self._table.document_of]

    def _hit(self, ranked: RankedChunk, rank: int, filters: Filters, query: str) -> Hit:
        chunk = self._table.chunk(ranked.row)
        document = self._reader.document(chunk.doc_id)
        if document is None:
            message = f"document {chunk.doc_id!r} has been purged since the build; run `make index`"
            raise IndexStale(message)
        places = self._reader.visible_places(document, filters)
        labels = {label for place in places for label in place.labels}
        return Hit(
            chunk_id=chunk.chunk_id,
            doc_id=chunk.doc_id,
            title=document.title,
            uri=shown_uri(document, places),
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
            bridge=None if ranked.link is None else self._bridge(ranked.link, query),
        )

    def _bridge(self, link: Link, query: str) -> Bridge | None:
        """The link with the words that make it, read off the text that holds them.

        None where they are not there in one piece: hidden text may have stood between them.
        """
        doc_id, text, places = None, query, [(0, len(query))]
        if link.mentioned_in is not None:
            chunk = self._table.chunk(link.mentioned_in)
            document = self._reader.document(chunk.doc_id)
            doc_id, text = chunk.doc_id, "" if document is None else document.text
            inside = self.segments(chunk.doc_id, chunk.start, chunk.end)
            places = [*((s.start, s.end) for s in inside), (chunk.start, chunk.end)]
        found = next(filter(None, (self._place(link.name, text, *p) for p in places)), None)
        if found is None:
            return None
        start, end = found
        return Bridge(
            from_chunk_id=None if link.source is None else self._table.chunk(link.source).chunk_id,
            mention=Mention(doc_id, start, end, text[start:end]),
            weight=link.gain,
        )

    def _place(self, name: int, text: str, start: int, end: int) -> tuple[int, int] | None:
        found = self._mentions.find_name(name, text[start:end])
        return None if found is None else (start + found[0], start + found[1])


def _readable(query: str) -> str:
    """The query without lone surrogates, which a model's JSON may hold and no tokenizer reads."""
    return query.encode("utf-8", "replace").decode()
