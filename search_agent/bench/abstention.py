"""Abstention: whether the system is silent on what the corpus cannot answer, and only there."""

from collections.abc import Iterable
from typing import NamedTuple


class Abstention(NamedTuple):
    """Precision: of the abstentions, those on unanswerable questions. Recall: of the unanswerable
    questions, those abstained on. None where there is nothing to divide by.
    """

    precision: float | None
    recall: float | None


def score_abstention(outcomes: Iterable[tuple[bool, bool]]) -> Abstention:
    """Scores of ``(answerable, abstained)`` pairs; both None unless a question is unanswerable."""
    pairs = list(outcomes)
    unanswerable = sum(not answerable for answerable, _ in pairs)
    abstained = sum(silent for _, silent in pairs)
    right = sum(silent and not answerable for answerable, silent in pairs)
    if unanswerable == 0:
        return Abstention(None, None)
    return Abstention(right / abstained if abstained else None, right / unanswerable)
