"""BenchResult: the measures of one strategy on one dataset, as ``bench answers`` prints them.

An interface: additive changes only.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from search_agent.bench.abstention import score_abstention
from search_agent.bench.machine import Machine
from search_agent.bench.scored import ScoredQuestion
from search_agent.final_result import ModelIdentity


class Measures(BaseModel):
    """Means over questions; None where no question has the measure."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    exact_match: float | None
    f1: float | None
    accepted_form: float | None
    """These over answerable questions, an abstention counting 0."""
    citation_precision: float | None
    """Macro over answered questions."""
    citation_recall: float | None
    """Over all questions with gold spans."""
    citations_exist: float | None
    claims_supported: float | None
    """Macro over answered questions that have citations, claims."""
    answered: float | None
    guessed: float | None
    abstained: float | None
    """Shares of all questions."""
    errors: float | None
    abstention_precision: float | None
    abstention_recall: float | None
    all_gold_at_10: float | None
    seconds_per_question: float | None
    prompt_evaluated: float | None
    prompt_reused: float | None
    completion: float | None
    """Tokens per question."""


class BenchResult(Measures):
    """The measures of one strategy on one dataset, and all they depend on."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True
    )

    schema_: int = Field(1, alias="schema")
    dataset: str
    n: int
    strategy: str
    profile: str
    model: ModelIdentity
    seed: int
    complete: bool = True
    """False when the run was interrupted before all questions were asked."""
    unresolved_gold: int
    reused: int
    """Questions answered from finished runs."""
    reused_from_other_code: int
    """Of these, made by other code of the search than today's; ``--fresh`` asks again."""
    index_fingerprint: str
    config: dict[str, Any]
    config_sha256: str
    prompts_sha256: str
    code_sha256: str
    commit: str | None
    machine: Machine
    made_at: str
    per_question: tuple[ScoredQuestion, ...]


def measure(rows: Sequence[ScoredQuestion]) -> Measures:
    """The means of a list of scored questions."""
    answered = [row for row in rows if row.is_answered]
    abstention = score_abstention((row.answerable, row.status == "abstained") for row in rows)
    return Measures(
        exact_match=_mean(row.exact_match for row in rows),
        f1=_mean(row.f1 for row in rows),
        accepted_form=_mean(row.accepted_form for row in rows),
        citation_precision=_mean(row.citation_precision for row in answered),
        citation_recall=_mean(row.citation_recall for row in rows),
        citations_exist=_mean(row.citations_exist for row in answered),
        claims_supported=_mean(row.claims_supported for row in answered),
        answered=_mean(float(row.status == "answered") for row in rows),
        guessed=_mean(float(row.status == "guess") for row in rows),
        abstained=_mean(float(row.status == "abstained") for row in rows),
        errors=_mean(float(row.status == "error") for row in rows),
        abstention_precision=abstention.precision,
        abstention_recall=abstention.recall,
        all_gold_at_10=_mean(row.all_gold_at_10 for row in rows),
        seconds_per_question=_mean(row.seconds for row in rows),
        prompt_evaluated=_mean(row.prompt_evaluated for row in rows),
        prompt_reused=_mean(row.prompt_reused for row in rows),
        completion=_mean(row.completion for row in rows),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None
