"""Recall and precision of gold characters in retrieved spans.

Recall is the share of gold characters that some retrieved span holds. Precision is their number
over the length of all retrieved spans, where a character that two spans hold counts twice, as it
does for who reads them. ``recall@Nc`` takes the first N characters of the ranking instead of a
number of chunks, so that chunks of different sizes compare at equal reading.
"""

from collections.abc import Iterable, Sequence

from search_agent.bench.cited_spans import Span


def span_recall(gold: Iterable[Span], retrieved: Sequence[Span]) -> float:
    """Share of the gold characters that are retrieved, in [0, 1]; there must be some."""
    wanted = merged(gold)
    return shared_chars(wanted, merged(retrieved)) / total_chars(wanted)


def span_precision(gold: Iterable[Span], retrieved: Sequence[Span]) -> float:
    """Share of what is retrieved that is gold, in [0, 1]; 0 where nothing is."""
    read = total_chars(retrieved)
    return shared_chars(merged(gold), merged(retrieved)) / read if read else 0.0


def first_chars(ranking: Iterable[Span], n_chars: int) -> list[Span]:
    """The spans that the first ``n_chars`` characters of a ranking are of; the last one is cut."""
    kept: list[Span] = []
    left = n_chars
    for span in ranking:
        if left <= 0:
            break
        kept.append(span._replace(end=min(span.end, span.start + left)))
        left -= span.end - span.start
    return kept


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same characters as spans in order that do not overlap."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and result[-1].doc_id == span.doc_id and span.start <= result[-1].end:
            result[-1] = result[-1]._replace(end=max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


def shared_chars(a: Sequence[Span], b: Sequence[Span]) -> int:
    """Characters that are in both of two merged lists."""
    return sum(
        max(0, min(one.end, other.end) - max(one.start, other.start))
        for one in a
        for other in b
        if one.doc_id == other.doc_id
    )


def total_chars(spans: Iterable[Span]) -> int:
    """Characters of all spans, each counted as often as it occurs."""
    return sum(span.end - span.start for span in spans)
