"""Question measures: each measure of a benchmark as a number of one question, None without one.

A measure of many questions is the mean of those that have it. ``result`` takes the means,
``compare`` their differences; the definitions are here once.
"""

from collections.abc import Callable, Iterable

from search_agent.bench.scored import ScoredQuestion

QuestionMeasure = Callable[[ScoredQuestion], float | None]


def _if_answered(value: QuestionMeasure) -> QuestionMeasure:
    return lambda row: value(row) if row.is_answered else None


QUESTION_MEASURES: dict[str, QuestionMeasure] = {
    "exact_match": lambda row: row.exact_match,
    "f1": lambda row: row.f1,
    "accepted_form": lambda row: row.accepted_form,
    "citation_precision": _if_answered(lambda row: row.citation_precision),
    "citation_recall": lambda row: row.citation_recall,
    "citations_exist": _if_answered(lambda row: row.citations_exist),
    "claims_supported": _if_answered(lambda row: row.claims_supported),
    "answered": lambda row: float(row.status == "answered"),
    "guessed": lambda row: float(row.status == "guess"),
    "abstained": lambda row: float(row.is_abstained),
    "errors": lambda row: float(row.status == "error"),
    "abstention_precision": lambda row: float(not row.answerable) if row.is_abstained else None,
    "abstention_recall": lambda row: None if row.answerable else float(row.is_abstained),
    "all_gold_at_10": lambda row: row.all_gold_at_10,
    "seconds_per_question": lambda row: row.seconds,
    "prompt_evaluated": lambda row: row.prompt_evaluated,
    "prompt_reused": lambda row: row.prompt_reused,
    "completion": lambda row: row.completion,
}
"""Named and ordered as in ``Measures``."""


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the numbers among the values; None where there is none."""
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None
