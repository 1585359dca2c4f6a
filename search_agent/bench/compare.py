"""Compare: two results of the same questions, as differences with what chance could make of them.

Paired bootstrap: questions are drawn with replacement, each with its outcome in both results, and
every measure is taken anew on what was drawn. The middle 95 % of the differences of the draws are
the interval; a difference whose interval leaves out zero is more than the choice of questions.
Why not ``scipy.stats.bootstrap``: a question may lack a measure (no answer, no gold), and a draw
in which all lack it would make the interval nothing.

Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), sections 13.3 and 16.4.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from corpora.errors import MalformedRecord
from search_agent.bench.mode import approach_name
from search_agent.bench.question_measures import QUESTION_MEASURES
from search_agent.bench.result import BenchResult
from search_agent.bench.scored import ScoredQuestion
from search_agent.result_part import ResultPart

RESAMPLES = 10_000
INTERVAL = (2.5, 97.5)
"""Percentiles."""
LEAST_PAIRS = 2
"""Of one question every draw is the same."""
DECIMALS = 6
_BLOCK = 500
"""Draws made at a time, so that a thousand questions take megabytes and not hundreds of them."""


class ComparedResult(ResultPart):
    """One side: what was measured."""

    name: str
    """Strategy and mode."""
    profile: str
    model: str
    seed: int
    n: int
    """Questions of this side; those that the other lacks are left out."""


class Difference(ResultPart):
    """One measure on the common questions."""

    measure: str
    n_a: int
    n_b: int
    """Questions that have the measure, on each side."""
    a: float
    b: float
    difference: float
    """b − a."""
    low: float
    high: float
    """Bounds of the 95 % interval of the difference."""
    excludes_zero: bool


class Comparison(ResultPart):
    """What changed from A to B; measures that either side lacks are not listed."""

    schema_: int = Field(1, alias="schema")
    dataset: str
    a: ComparedResult
    b: ComparedResult
    pairs: int
    """Questions that both sides have."""
    resamples: int
    seed: int
    differences: tuple[Difference, ...]


def compare_results(
    a: BenchResult, b: BenchResult, *, resamples: int = RESAMPLES, seed: int = 0
) -> Comparison:
    """The differences B − A over the questions that both have, paired by ``query_id``.

    Raises:
        MalformedRecord: the results are of different data sets, or have no question in common.
    """
    pairs = _pairs(a, b)
    has_unanswerable = not all(row.answerable for row, _ in pairs)
    names = [
        name
        for name in QUESTION_MEASURES
        if name != "abstention_precision" or has_unanswerable  # as in ``measure``
    ]
    of_a = _values(names, [row for row, _ in pairs])  # (n_pairs, n_measures), NaN where not had
    of_b = _values(names, [row for _, row in pairs])
    everything = np.ones((1, len(pairs)))
    means_a, means_b = _means(of_a, everything)[0], _means(of_b, everything)[0]
    drawn = np.concatenate(
        [
            _means(of_b, counts) - _means(of_a, counts)
            for counts in resamplings(len(pairs), resamples=resamples, seed=seed)
        ]
    )  # (resamples, n_measures)
    differences = []
    for column, name in enumerate(names):
        if np.isnan(means_a[column]) or np.isnan(means_b[column]):
            continue
        low, high = np.nanpercentile(drawn[:, column], INTERVAL)
        differences.append(
            Difference(
                measure=name,
                n_a=int(np.isfinite(of_a[:, column]).sum()),
                n_b=int(np.isfinite(of_b[:, column]).sum()),
                a=round(float(means_a[column]), DECIMALS),
                b=round(float(means_b[column]), DECIMALS),
                difference=round(float(means_b[column] - means_a[column]), DECIMALS),
                low=round(float(low), DECIMALS),
                high=round(float(high), DECIMALS),
                excludes_zero=bool(low > 0 or high < 0),
            )
        )
    return Comparison(
        dataset=a.dataset,
        a=_side(a),
        b=_side(b),
        pairs=len(pairs),
        resamples=resamples,
        seed=seed,
        differences=tuple(differences),
    )


def comparison_table(comparison: Comparison) -> str:
    """The differences as a Markdown table; ``*`` marks those whose interval leaves out zero."""
    names = [side.name for side in (comparison.a, comparison.b)]
    if names[0] == names[1]:
        names = ["A", "B"]
    lines = [
        f"| measure | {names[0]} | {names[1]} | difference | 95 % interval | |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in comparison.differences:
        interval = f"{row.low:+.3f} to {row.high:+.3f}"
        mark = "*" if row.excludes_zero else ""
        lines.append(
            f"| {row.measure} | {row.a:.3f} | {row.b:.3f} | {row.difference:+.3f} | {interval}"
            f" | {mark} |"
        )
    return "\n".join(lines) + "\n"


def _pairs(a: BenchResult, b: BenchResult) -> list[tuple[ScoredQuestion, ScoredQuestion]]:
    """The outcomes of each common question, in A's order."""
    if a.dataset != b.dataset:
        message = (
            f"the results are of different data sets, {a.dataset!r} and {b.dataset!r};"
            " only outcomes of the same questions can be compared"
        )
        raise MalformedRecord(message)
    there = {row.query_id: row for row in b.per_question}
    pairs = [(row, there[row.query_id]) for row in a.per_question if row.query_id in there]
    for row, other in pairs:
        if row.question != other.question:
            message = (
                f"question {row.query_id!r} reads {row.question!r} in one result and"
                f" {other.question!r} in the other; ask it again with `deepsearch bench answers`"
            )
            raise MalformedRecord(message)
    if len(pairs) < LEAST_PAIRS:
        message = (
            f"the results have {len(pairs)} questions in common, of {a.n} and {b.n};"
            f" a comparison needs at least {LEAST_PAIRS}"
        )
        raise MalformedRecord(message)
    return pairs


def _values(names: Sequence[str], rows: Sequence[ScoredQuestion]) -> NDArray[np.float64]:
    """Each measure of each question, (n_rows, n_names); NaN where a question has not got it."""
    return np.array(
        [[_number(QUESTION_MEASURES[name](row)) for name in names] for row in rows],
        dtype=np.float64,
    )


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def resamplings(n: int, *, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """How often each of ``n`` questions is drawn when ``n`` are drawn, (block, n) at a time."""
    random = np.random.default_rng(seed)
    for first in range(0, resamples, _BLOCK):
        block = min(_BLOCK, resamples - first)
        # a question's place in the whole block, so that one count serves all its draws
        drawn = random.integers(n, size=(block, n)) + n * np.arange(block)[:, np.newaxis]
        yield np.bincount(drawn.ravel(), minlength=block * n).reshape(block, n)


def _means(
    values: NDArray[np.float64], counts: NDArray[np.float64] | NDArray[np.int64]
) -> NDArray[np.float64]:
    """Mean of each measure over each draw, (n_draws, n_measures); NaN where none was drawn."""
    had = np.isfinite(values)
    weights = counts.astype(np.float64)
    sums = weights @ np.where(had, values, 0.0)
    numbers = weights @ had.astype(np.float64)
    return np.divide(sums, numbers, out=np.full_like(sums, np.nan), where=numbers > 0)


def _side(result: BenchResult) -> ComparedResult:
    return ComparedResult(
        name=approach_name(result.strategy, result.mode),
        profile=result.profile,
        model=result.model.name,
        seed=result.seed,
        n=result.n,
    )
