"""Exact selection of the best rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from index.ranking import Ranking
from index.scoring import Floats


def best_rows(rows: NDArray[np.int64], scores: Floats, k: int) -> Ranking:
    """The k rows of highest score, best first, ties by row: a prefix of the k + 1 best.

    ``scores`` holds the score of each of ``rows``, which ascend if they are more than k.
    """
    if len(rows) > k:
        threshold = np.partition(scores, len(rows) - k)[len(rows) - k]
        above = scores > threshold
        tied = np.flatnonzero(scores == threshold)[: k - int(above.sum())]
        above[tied] = True
        rows, scores = rows[above], scores[above]
    return Ranking(rows, scores).in_order()


def best_places(
    rows: NDArray[np.integer[Any]], scores: NDArray[np.float32], k: int
) -> NDArray[np.int64]:
    """Positions of the k highest scores, best first, ties by ``rows``; both are (n,)."""
    n = len(scores)
    kept = np.flatnonzero(scores >= np.partition(scores, n - k)[n - k]) if n > k else np.arange(n)
    return kept[np.lexsort((rows[kept], -scores[kept]))[:k]]
