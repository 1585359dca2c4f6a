"""The documents of highest score, exactly, over postings held as arrays: term by term in windows.

Rows are worked through in windows whose scores stay in the processor's cache; only what beats the
best so far leaves a window. So a posting costs about as little as reading it, and time grows with
the number of postings of the query's terms.

Every document's score is summed in the same order whatever k and filter, so equal documents have
equal floats, and the k best are a prefix of the k + 1 best.

Why not skip postings that cannot reach the k best, as MaxScore and block-max WAND do: tried, with
look-ups in the frequent terms' postings for documents still in question. At 100,000 and at a
million chunks it read less and took up to twice as long.
"""

import numpy as np
from numpy.typing import NDArray

WINDOW = 8192
"""Rows scored at a time: 64 kB of scores."""
_STRIP = 64
"""Rows tested together."""

SIGNATURE = "int32[], int32[], float64[], int64[], int64[], float64[], boolean[], int64, int64"


def score_windows(  # noqa: PLR0912, PLR0915, PLR0917 - compiled: no calls, no keywords
    documents: NDArray[np.int32],
    impacts: NDArray[np.int32],
    weights: NDArray[np.float64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    factors: NDArray[np.float64],
    admitted: NDArray[np.bool_],
    n_documents: int,
    k: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows ascending and scores of at least the k best documents with a score above 0.

    A document's score is the sum over the terms that hold it, in the order given, of factor times
    the weight of the posting's impact. ``first[t]`` and ``last[t]`` bound the postings of term t.
    ``admitted`` is one flag per document, or empty to admit all. More than k may come back; where
    fewer do, no other document scores above 0.
    """
    cursor = first.copy()
    scores = np.zeros(WINDOW)
    candidates = np.empty(WINDOW + 1, dtype=np.int64)
    found_rows = np.empty(2 * k + 64, dtype=np.int64)
    found_scores = np.empty(2 * k + 64)
    n_found = 0
    bar = 0.0  # the k-th best score so far; a later row must beat it, for ties go to earlier rows
    while True:
        start = n_documents
        for t in range(len(first)):
            if cursor[t] < last[t]:
                start = min(start, documents[cursor[t]])
        if start == n_documents:
            break
        end = start + WINDOW
        scores[:] = 0
        for t in range(len(first)):
            # The first posting at or after the window's end: in doubling steps, then by halving.
            low, high, step = cursor[t], last[t], 1
            while low + step <= high and documents[low + step - 1] < end:
                low += step
                step *= 2
            high = min(high, low + step - 1)
            while low < high:
                middle = (low + high) >> 1
                if documents[middle] < end:
                    low = middle + 1
                else:
                    high = middle
            factor = factors[t]
            for posting in range(cursor[t], low):
                # Unsigned, or each access would first ask whether the index counts from the end.
                slot = np.uint64(documents[posting] - start)
                scores[slot] += factor * weights[np.uint64(impacts[posting])]
            cursor[t] = low
        n_candidates = 0
        for strip in range(0, WINDOW, _STRIP):
            n_above = 0
            for i in range(strip, strip + _STRIP):
                n_above += scores[i] > bar
            if n_above > 0:
                for i in range(strip, strip + _STRIP):
                    candidates[n_candidates] = i
                    n_candidates += scores[i] > bar  # no branch, which would be mispredicted
        for c in range(n_candidates):
            row = start + candidates[c]
            score = scores[candidates[c]]
            if score <= bar or (len(admitted) > 0 and not admitted[row]):
                continue
            found_rows[n_found] = row
            found_scores[n_found] = score
            n_found += 1
            if n_found == len(found_rows):  # keep the k best and raise the bar
                bar = np.partition(found_scores, n_found - k)[n_found - k]
                n_ties = k - (found_scores > bar).sum()
                n_found = 0
                for i in range(len(found_rows)):
                    if found_scores[i] > bar or (found_scores[i] == bar and n_ties > 0):
                        n_ties -= found_scores[i] == bar
                        found_rows[n_found] = found_rows[i]
                        found_scores[n_found] = found_scores[i]
                        n_found += 1
    return found_rows[:n_found], found_scores[:n_found]
