"""Cited spans against gold spans: how many citations are right, how much of the gold is cited.

A cited span is right when it overlaps a gold span of the same document by at least half of the
shorter of the two (DESIGN §10.22).
"""

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """Half-open code points ``[start, end)`` of one document."""

    doc_id: str
    start: int
    end: int


def is_same_place(cited: Span, gold: Span) -> bool:
    """Whether the spans overlap by at least half of the shorter one."""
    if cited.doc_id != gold.doc_id:
        return False
    overlap = min(cited.end, gold.end) - max(cited.start, gold.start)
    return overlap > 0 and 2 * overlap >= min(cited.end - cited.start, gold.end - gold.start)


def citation_precision(cited: Iterable[Span], gold: Iterable[Span]) -> float:
    """Share of distinct cited spans that are right; 0.0 where nothing is cited."""
    gold_spans = set(gold)
    spans = set(cited)
    right = sum(any(is_same_place(span, truth) for truth in gold_spans) for span in spans)
    return right / len(spans) if spans else 0.0


def citation_recall(cited: Iterable[Span], gold: Iterable[Span]) -> float | None:
    """Share of distinct gold spans that a citation hits; None where there is no gold."""
    spans = set(cited)
    gold_spans = set(gold)
    if not gold_spans:
        return None
    return sum(any(is_same_place(span, truth) for span in spans) for truth in gold_spans) / len(
        gold_spans
    )
