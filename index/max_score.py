"""The k documents of highest score, exactly, over postings held as arrays: MaxScore in windows.

Rows are worked through in windows whose scores fit the processor's cache. Terms are added in
descending order of the most they can give. Once k documents are known, the score of the k-th is a
bar: when what the remaining terms can give stays below it, only documents already met can still
pass, and of the remaining terms only these documents' postings are looked up, where that is cheaper
than reading them all.

Every document's score is summed in the same order whatever k, filter or window, so equal documents
have equal floats, and the k best are a prefix of the k + 1 best.

Source: Turtle and Flood, Query evaluation: strategies and optimizations, 1995, for MaxScore.
"""

import numpy as np
from numpy.typing import NDArray

WINDOW = 8192
"""Rows scored at a time: 64 kB of scores."""
_STRIP = 64
"""Rows cleared and tested together."""
_SEARCH_COST = 24
"""Postings that are read in the time of looking one up."""

SIGNATURE = (
    "int32[], int32[], float64[], int64[], int64[], float64[], float64[], boolean[], int64, int64"
)


def max_score(  # noqa: PLR0912, PLR0915, PLR0917 - compiled code has no calls, no keywords
    documents: NDArray[np.int32],
    impacts: NDArray[np.int32],
    weights: NDArray[np.float64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    factors: NDArray[np.float64],
    most: NDArray[np.float64],
    admitted: NDArray[np.bool_],
    n_documents: int,
    k: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows ascending and scores of at least the k best documents with a score above 0.

    A document's score is the sum over the terms that hold it, in the order given, of factor times
    the weight of the posting's impact. ``first[t]`` and ``last[t]`` bound the postings of term t,
    ``most[t]`` is the most that it can give: not negative, descending. ``admitted`` is one flag per
    document, or empty to admit all. More than k rows may come back, never one too few.
    """

    def first_from(row: int, start: int, stop: int) -> int:
        """The first posting in ``[start, stop)`` of a document at or after ``row``."""
        step = 1
        while start + step <= stop and documents[start + step - 1] < row:
            start += step
            step *= 2
        stop = min(stop, start + step - 1)
        while start < stop:
            middle = (start + stop) >> 1
            if documents[middle] < row:
                start = middle + 1
            else:
                stop = middle
        return start

    n_terms = len(first)
    rest = np.zeros(n_terms + 1)  # the most that terms t and later can give, rounded up
    for t in range(n_terms - 1, -1, -1):
        rest[t] = rest[t + 1] + most[t] * (1 + 1e-12)
    cursor = first.copy()
    scores = np.zeros(WINDOW)
    touched = np.zeros(WINDOW // _STRIP, dtype=np.bool_)
    candidates = np.empty(WINDOW, dtype=np.int64)
    found_rows = np.empty(2 * k + 64, dtype=np.int64)
    found_scores = np.empty(2 * k + 64)
    n_found = 0
    bar = 0.0
    while True:
        start = n_documents  # of the window: the next document that could pass
        for t in range(n_terms):
            if rest[t] > bar and cursor[t] < last[t]:
                start = min(start, documents[cursor[t]])
        if start == n_documents:
            break
        end = start + WINDOW
        n_candidates = -1  # not yet collected
        for t in range(n_terms + 1):
            if n_candidates < 0 and rest[t] <= bar:
                n_candidates = 0
                for strip in range(0, WINDOW, _STRIP):
                    if not touched[strip // _STRIP]:
                        continue
                    n_above = 0
                    for i in range(strip, strip + _STRIP):
                        n_above += scores[i] + rest[t] > bar
                    if n_above == 0:
                        continue
                    for i in range(strip, strip + _STRIP):
                        if (
                            scores[i] > 0
                            and scores[i] + rest[t] > bar
                            and (len(admitted) == 0 or admitted[start + i])
                        ):
                            candidates[n_candidates] = i
                            n_candidates += 1
            if t == n_terms or n_candidates == 0:
                break
            factor = factors[t]
            posting = first_from(start, cursor[t], last[t])
            expected = (last[t] - first[t]) * WINDOW // n_documents
            if n_candidates < 0 or n_candidates * _SEARCH_COST > expected:
                while posting < last[t] and documents[posting] < end:
                    i = documents[posting] - start
                    scores[i] += factor * weights[impacts[posting]]
                    touched[i // _STRIP] = True
                    posting += 1
            else:
                n_kept = 0
                for c in range(n_candidates):
                    i = candidates[c]
                    posting = first_from(start + i, posting, last[t])
                    if posting < last[t] and documents[posting] == start + i:
                        scores[i] += factor * weights[impacts[posting]]
                    if scores[i] + rest[t + 1] > bar:
                        candidates[n_kept] = i
                        n_kept += 1
                n_candidates = n_kept
            cursor[t] = posting
        for c in range(n_candidates):
            score = scores[candidates[c]]
            if score <= bar:
                continue
            found_rows[n_found] = start + candidates[c]
            found_scores[n_found] = score
            n_found += 1
            if n_found == len(found_rows):  # keep the k best, ties by row, and raise the bar
                bar = np.partition(found_scores, n_found - k)[n_found - k]
                n_ties = k - (found_scores > bar).sum()
                n_found = 0
                for i in range(len(found_rows)):
                    if found_scores[i] > bar or (found_scores[i] == bar and n_ties > 0):
                        n_ties -= found_scores[i] == bar
                        found_rows[n_found] = found_rows[i]
                        found_scores[n_found] = found_scores[i]
                        n_found += 1
        for strip in range(0, WINDOW, _STRIP):
            if touched[strip // _STRIP]:
                touched[strip // _STRIP] = False
                scores[strip : strip + _STRIP] = 0
    return found_rows[:n_found], found_scores[:n_found]
