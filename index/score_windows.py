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
    """Rows and scores of the k best documents with a score above 0, in any order.

    A document's score is the sum over the terms that hold it, in the order given, of factor times
    the weight of the posting's impact. ``first[t]`` and ``last[t]`` bound the postings of term t.
    ``admitted`` is one flag per document, or empty to admit all.
    """
    cursor = first.copy()
    scores = np.zeros(WINDOW)
    candidates = np.empty(WINDOW + 1, dtype=np.int64)
    # The best so far as a heap: the worst, of equal ones the last row, at the root.
    heap_rows = np.empty(k, dtype=np.int64)
    heap_scores = np.empty(k)
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
            if n_found < k:  # a free place at the heap's end; upwards past what is better
                place = n_found
                n_found += 1
                while place > 0 and score <= heap_scores[(place - 1) >> 1]:
                    heap_rows[place] = heap_rows[(place - 1) >> 1]
                    heap_scores[place] = heap_scores[(place - 1) >> 1]
                    place = (place - 1) >> 1
            else:  # the root's place; downwards past what is worse
                place = 0
                while 2 * place + 1 < k:
                    child = 2 * place + 1
                    if child + 1 < k and (
                        heap_scores[child + 1] < heap_scores[child]
                        or (
                            heap_scores[child + 1] == heap_scores[child]
                            and heap_rows[child + 1] > heap_rows[child]
                        )
                    ):
                        child += 1
                    if score <= heap_scores[child]:
                        break
                    heap_rows[place] = heap_rows[child]
                    heap_scores[place] = heap_scores[child]
                    place = child
            heap_rows[place] = row
            heap_scores[place] = score
            if n_found == k:
                bar = heap_scores[0]
    return heap_rows[:n_found], heap_scores[:n_found]
