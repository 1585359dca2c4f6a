"""BenchResult: the measures of one strategy on one dataset, as ``bench answers`` prints them.

An interface: additive changes only.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import ConfigDict, Field

from search_agent.bench.machine import Machine
from search_agent.bench.mode import BenchMode
from search_agent.bench.question import SplitName
from search_agent.bench.question_measures import QUESTION_MEASURES, mean
from search_agent.bench.scored import ScoredQuestion
from search_agent.final_result import ModelIdentity
from search_agent.result_part import ResultPart


class Measures(ResultPart):
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
    """Of the abstentions, those on unanswerable questions; None if no such question was asked."""
    abstention_recall: float | None
    """Of the unanswerable questions, those abstained on."""
    all_gold_at_10: float | None
    seconds_per_question: float | None
    prompt_evaluated: float | None
    prompt_reused: float | None
    completion: float | None
    """Tokens per question."""


class Group(Measures):
    """The measures of the questions of one kind or language."""

    n: int


class BenchResult(Measures):
    """The measures of one strategy on one dataset, and all they depend on."""

    schema_: int = Field(1, alias="schema")
    dataset: str
    n: int
    strategy: str
    mode: BenchMode = "normal"
    split: SplitName = "all"
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
    by_kind: dict[str, Group] = Field(default_factory=dict)
    by_language: dict[str, Group] = Field(default_factory=dict)
    per_question: tuple[ScoredQuestion, ...]


def measure(rows: Sequence[ScoredQuestion]) -> Measures:
    """The means of a list of scored questions."""
    means = {name: mean(map(of, rows)) for name, of in QUESTION_MEASURES.items()}
    if all(row.answerable for row in rows):  # then no abstention can be right
        means["abstention_precision"] = None
    return Measures(**means)


def measure_by(
    rows: Iterable[ScoredQuestion], group_of: Callable[[ScoredQuestion], str]
) -> dict[str, Group]:
    """The means of each group of questions, by the group's name."""
    groups: dict[str, list[ScoredQuestion]] = {}
    for row in rows:
        groups.setdefault(group_of(row), []).append(row)
    return {
        name: Group(n=len(members), **measure(members).model_dump())
        for name, members in sorted(groups.items())
    }
