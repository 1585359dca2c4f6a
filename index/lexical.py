"""The lexical leg: BM25 over memory-mapped postings, exact, ties in row order.

Stop words have postings of their own, read only for queries that consist of nothing else: they
neither lengthen documents nor cost time, and yet ``to be or not to be`` finds something.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.analyzer import Analyzer, Terms
from index.config import IndexConfig
from index.fuse import ScoredRow
from index.postings import Postings, PostingsWriter
from index.rank_bm25_backend import RankBm25Backend
from index.scoring import SCORERS, Floats, Parameters, length_norm
from index.top_k import top_rows


class Bm25:
    """One variant over one set of postings."""

    def __init__(self, postings: Postings, config: IndexConfig) -> None:
        self._postings = postings
        self._scorer = SCORERS[config.variant]
        self._parameters = Parameters(
            k1=config.k1, b=config.b, delta=config.delta, epsilon=config.epsilon
        )
        self._norm = length_norm(postings.lengths.astype(np.float64), config.b)  # (n,) float64
        document_frequencies = postings.document_frequencies().astype(np.float64)
        self._idf = self._scorer.idf(
            document_frequencies, postings.n_documents, self._parameters
        )  # (n_terms,) float64

    def scores(self, terms: Sequence[str]) -> Floats:
        """Score of every document, (n,) float64; negatives as the variant gives them."""
        scores = np.zeros(self._postings.n_documents)
        for term, times in Counter(terms).items():
            row = self._postings.terms.row_of(term)
            if row is None:
                continue
            documents, frequencies = self._postings.posting_list(row)
            weights = self._scorer.weight(
                frequencies.astype(np.float64), self._norm[documents], self._parameters
            )
            scores[documents] += times * self._idf[row] * weights
        return scores


class LexicalIndex:
    """Search by words; safe to share between threads."""

    def __init__(self, folder: Path, *, analyzer: Analyzer, config: IndexConfig) -> None:
        self.analyzer = analyzer
        self._content = Postings(folder / "content")
        self._bm25: Bm25 | RankBm25Backend = (
            Bm25(self._content, config)
            if config.backend == "postings"
            else RankBm25Backend(self._content, config)
        )
        self._stop_bm25 = Bm25(Postings(folder / "stop"), config)

    @property
    def n_chunks(self) -> int:
        """Chunks indexed, including those without a single term."""
        return self._content.n_documents

    def scores(self, terms: Sequence[str]) -> Floats:
        """Score of every chunk for content terms, (n,) float64; may be negative in ``okapi``."""
        return self._bm25.scores(terms)

    def search(
        self, query: str, *, k: int, admitted: NDArray[np.bool_] | None = None
    ) -> list[ScoredRow]:
        """The k best admitted chunks with a score above 0, best first, ties in row order."""
        terms = self.analyzer.query_terms(query)
        if terms.content:
            scores = self._bm25.scores(terms.content)
        else:
            scores = self._stop_bm25.scores(terms.stop)
        matching = scores > 0
        if admitted is not None:
            matching &= admitted
        return [ScoredRow(int(row), float(scores[row])) for row in top_rows(scores, matching, k)]

    def idf(self, term: str) -> float:
        """Lucene's idf of a term, ln(1 + (N - n + 0.5) / (n + 0.5)); highest for an unknown one."""
        row = self._content.terms.row_of(term)
        n = 0 if row is None else len(self._content.posting_list(row).documents)
        return float(np.log1p((self.n_chunks - n + 0.5) / (n + 0.5)))


def write_lexical(folder: Path, chunks: Iterable[Terms]) -> None:
    """Write the leg's files for chunks given as their terms, in row order."""
    content = PostingsWriter(folder / "content")
    stop = PostingsWriter(folder / "stop")
    for terms in chunks:
        content.add(terms.content, length=max(terms.n_words, min(1, len(terms.content))))
        stop.add(terms.stop, length=len(terms.stop))
    content.finish()
    stop.finish()
