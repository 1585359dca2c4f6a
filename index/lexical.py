"""The lexical leg: BM25 over memory-mapped postings, exact, ties in row order.

Stop words have postings of their own, read only for queries that consist of nothing else: they
neither lengthen documents nor cost time, and yet ``to be or not to be`` finds something.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.compiled import compiled
from index.analyzer import Analyzer, Terms
from index.config import IndexConfig
from index.postings import Postings
from index.postings_writer import PostingsWriter
from index.rank_bm25_backend import RankBm25Backend
from index.ranking import Ranking
from index.score_windows import SIGNATURE, score_windows
from index.scoring import SCORERS, Floats, Parameters, length_norm
from index.top_k import best_rows

LEXICAL_PARTS = ("content", "stop")
"""Folders of postings that make up the leg."""

_NO_MASK = np.empty(0, dtype=np.bool_)


class Bm25:
    """One variant over one set of postings."""

    def __init__(self, postings: Postings, config: IndexConfig) -> None:
        self._postings = postings
        self._scorer = SCORERS[config.variant]
        self._parameters = Parameters(
            k1=config.k1, b=config.b, delta=config.delta, epsilon=config.epsilon
        )
        frequencies, lengths = postings.pairs.T.astype(np.float64)
        norm = length_norm(lengths, average=postings.average_length, b=config.b)
        # Of each impact, (n_pairs,) float64
        self._weights = self._scorer.weight(frequencies, norm, self._parameters)

    def scores(self, terms: Sequence[str]) -> Floats:
        """Score of every document, (n,) float64; negatives as the variant gives them."""
        scores = np.zeros(self._postings.n_documents)
        for row, factor in zip(*self._factors(terms), strict=True):
            documents, impacts = self._postings.posting_list(row)
            scores[documents] += factor * self._weights[impacts]
        return scores

    def best(self, terms: Sequence[str], *, k: int, admitted: NDArray[np.bool_] | None) -> Ranking:
        """The k best admitted documents with a score above 0, best first, ties in row order."""
        rows, factors = self._factors(terms)
        order = np.argsort(rows)  # the same sums whatever the order of the query's words
        found_rows, found_scores = compiled(score_windows, SIGNATURE)(
            self._postings.documents,
            self._postings.impacts,
            self._weights,
            self._postings.starts[rows[order]],
            self._postings.starts[rows[order] + 1],
            factors[order],
            _NO_MASK if admitted is None else admitted,
            self._postings.n_documents,
            min(k, self._postings.n_documents),
        )
        return best_rows(found_rows, found_scores, k)

    def _factors(self, terms: Sequence[str]) -> tuple[NDArray[np.int64], Floats]:
        """Rows of the known terms, each once, and idf times occurrences in the query."""
        counts = Counter(terms)
        rows = self._postings.terms.rows_of(tuple(counts))
        known = rows >= 0
        idf = self._idf(self._postings.document_frequencies(rows[known]))
        return rows[known], idf * np.array([*counts.values()], dtype=np.float64)[known]

    def _idf(self, document_frequencies: NDArray[np.int64]) -> Floats:
        idf = self._scorer.idf(document_frequencies.astype(np.float64), self._postings.n_documents)
        if self._scorer.is_floored and (idf < 0).any():
            return np.where(idf < 0, self._floor, idf)
        return idf

    @cached_property
    def _floor(self) -> float:
        """Epsilon times the mean idf of the vocabulary; read for a very common term only."""
        frequencies = self._postings.document_frequencies().astype(np.float64)
        idf = self._scorer.idf(frequencies, self._postings.n_documents)
        return self._parameters.epsilon * float(idf.mean())


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

    def search(self, query: str, *, k: int, admitted: NDArray[np.bool_] | None = None) -> Ranking:
        """The k best admitted chunks with a score above 0, best first, ties in row order."""
        terms = self.analyzer.query_terms(query)
        if terms.content:
            return self._bm25.best(terms.content, k=k, admitted=admitted)
        return self._stop_bm25.best(terms.stop, k=k, admitted=admitted)

    def idf(self, term: str) -> float:
        """Lucene's idf of a term, ln(1 + (N - n + 0.5) / (n + 0.5)); highest for an unknown one."""
        row = self._content.terms.row_of(term)
        n = 0 if row is None else len(self._content.posting_list(row).documents)
        return float(np.log1p((self.n_chunks - n + 0.5) / (n + 0.5)))


def write_lexical(folder: Path, chunks: Iterable[Terms]) -> None:
    """Write the leg's files for chunks given as their terms, in row order."""
    content, stop = (PostingsWriter(folder / part) for part in LEXICAL_PARTS)
    for terms in chunks:
        content.add(terms.content, length=max(terms.n_words, min(1, len(terms.content))))
        stop.add(terms.stop, length=len(terms.stop))
    content.finish()
    stop.finish()
