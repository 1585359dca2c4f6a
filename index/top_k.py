"""Exact selection of the best rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from index.scoring import Floats


def top_rows(scores: Floats, eligible: NDArray[np.bool_], k: int) -> NDArray[np.int64]:
    """The k eligible rows of highest score, ties by row: a prefix of the k + 1 best."""
    rows = np.flatnonzero(eligible)
    values = scores[rows]
    if len(rows) > k:
        threshold = np.partition(values, len(values) - k)[len(values) - k]
        above = values > threshold
        tied = np.flatnonzero(values == threshold)[: k - int(above.sum())]
        keep = np.sort(np.concatenate((np.flatnonzero(above), tied)))
        rows, values = rows[keep], values[keep]
    return rows[np.argsort(-values, kind="stable")]


def best_places(
    rows: NDArray[np.integer[Any]], scores: NDArray[np.float32], k: int
) -> NDArray[np.int64]:
    """Positions of the k highest scores, best first, ties by ``rows``; both are (n,)."""
    n = len(scores)
    kept = np.flatnonzero(scores >= np.partition(scores, n - k)[n - k]) if n > k else np.arange(n)
    return kept[np.lexsort((rows[kept], -scores[kept]))[:k]]
