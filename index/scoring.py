"""BM25 variants as pure functions of document frequency, term frequency and document length.

Every variant scores only documents that hold the term: a document without any query term is no
hit. (``rank_bm25``'s Plus and L give such documents a constant, which moves no rank among matches.)

Symbols: N documents, n of them hold the term, tf its frequency in the document, L the document's
length over the average length, K = 1 - b + b L.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Variant = Literal["lucene", "okapi", "bm25plus", "bm25l"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The constants of a variant."""

    k1: float
    b: float
    delta: float
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """One variant: the idf of every term, and the weight of a term in a document."""

    idf: Callable[[Floats, int], Floats]
    """(n per term, N) to idf per term."""
    weight: Callable[[Floats, Floats, Parameters], Floats]
    """(tf, K, parameters) to the factor that idf is multiplied with."""
    is_floored: bool = False
    """A negative idf becomes epsilon times the mean idf of the vocabulary."""


def _idf_lucene(n: Floats, n_documents: int) -> Floats:
    """ln(1 + (N - n + 0.5) / (n + 0.5)): above 0 for every n."""
    return np.log1p((n_documents - n + 0.5) / (n + 0.5))


def _idf_okapi(n: Floats, n_documents: int) -> Floats:
    """ln(N - n + 0.5) - ln(n + 0.5): negative for a term of more than half of the documents."""
    return np.log(n_documents - n + 0.5) - np.log(n + 0.5)


def _idf_plus(n: Floats, n_documents: int) -> Floats:
    """ln((N + 1) / n). Source: Lv and Zhai, CIKM 2011, equation 6."""
    return np.log((n_documents + 1) / n)


def _idf_l(n: Floats, n_documents: int) -> Floats:
    """ln((N + 1) / (n + 0.5)). Source: Lv and Zhai, SIGIR 2011, equation 5."""
    return np.log((n_documents + 1) / (n + 0.5))


def _weight_lucene(tf: Floats, norm: Floats, p: Parameters) -> Floats:
    """Weight: tf / (tf + k1 K), as Lucene without its one-byte lengths."""
    return tf / (tf + p.k1 * norm)


def _weight_okapi(tf: Floats, norm: Floats, p: Parameters) -> Floats:
    """Weight: tf (k1 + 1) / (tf + k1 K)."""
    return tf * (p.k1 + 1) / (tf + p.k1 * norm)


def _weight_plus(tf: Floats, norm: Floats, p: Parameters) -> Floats:
    """Weight: delta + tf (k1 + 1) / (tf + k1 K), so at least delta in a long document."""
    return p.delta + _weight_okapi(tf, norm, p)


def _weight_l(tf: Floats, norm: Floats, p: Parameters) -> Floats:
    """Weight: (k1 + 1) (c + delta) / (k1 + c + delta) with c = tf / K."""
    shifted = tf / norm + p.delta
    return (p.k1 + 1) * shifted / (p.k1 + shifted)


SCORERS: dict[Variant, Scorer] = {
    "lucene": Scorer(idf=_idf_lucene, weight=_weight_lucene),
    "okapi": Scorer(idf=_idf_okapi, weight=_weight_okapi, is_floored=True),
    "bm25plus": Scorer(idf=_idf_plus, weight=_weight_plus),
    "bm25l": Scorer(idf=_idf_l, weight=_weight_l),
}


def length_norm(lengths: Floats, *, average: float, b: float) -> Floats:
    """K of documents of these lengths; 1 throughout where all documents are empty."""
    if average == 0:
        return np.ones_like(lengths)
    return 1 - b + b * lengths / average
