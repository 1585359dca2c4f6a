"""Retrieval compared: two results of the same topics, leg by leg and measure by measure, paired.

Two answers to "is it more than chance", both from the topics' differences d_i = b_i - a_i:

- the 95 % interval of their mean, by bootstrap: topics are drawn with replacement;
- a p-value by randomisation: were A and B alike, each d_i could as well have had the other sign, so
  p is the share of random signs whose mean is at least as far from 0 as the one observed. The
  observed signs count as one of the draws, so p is never 0.

Why not a t-test: differences of nDCG are mostly 0 with a few large ones, nothing like normal.
Many measures are tested at once and nothing is corrected for that.

Source: M. Smucker, J. Allan, B. Carterette, CIKM 2007.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from corpora.errors import MalformedRecord
from search_agent.bench.compare import DECIMALS, INTERVAL, LEAST_PAIRS, RESAMPLES, resamplings
from search_agent.bench.retrieval_measures import MEASURES
from search_agent.bench.retrieval_result import RetrievalResult
from search_agent.bench.retrieval_table import dataset_label
from search_agent.result_part import ResultPart

SIGNIFICANT = 0.05
_SAME = 1e-12
"""Means nearer than this are equal: signs can sum to the observed mean in another order."""

Floats = NDArray[np.float64]


class LegDifference(ResultPart):
    """One measure of one dataset, over the topics that both sides have."""

    dataset: str
    leg: str
    """``sparse``, or ``sparse → hybrid`` where two legs are compared."""
    measure: str
    pairs: int
    a: float
    b: float
    difference: float
    """b - a."""
    low: float
    high: float
    """Bounds of the 95 % interval of the difference."""
    p_value: float


class RetrievalComparison(ResultPart):
    """What changed from A to B in every dataset that both have."""

    schema_: int = Field(1, alias="schema")
    resamples: int
    seed: int
    differences: tuple[LegDifference, ...]


def compare_retrieval(
    a: Sequence[RetrievalResult],
    b: Sequence[RetrievalResult],
    *,
    legs: tuple[str, str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> RetrievalComparison:
    """The differences B - A; of the legs that both have, or of leg ``legs[1]`` to leg ``legs[0]``.

    Raises:
        MalformedRecord: no dataset in common, or none with the legs and at least two topics.
    """
    there = {dataset_label(result): result for result in b}
    differences: list[LegDifference] = []
    for result in a:
        other = there.get(dataset_label(result))
        if other is None:
            continue
        for leg_a, leg_b in _leg_pairs(result, other, legs):
            differences += _differences(result, other, leg_a, leg_b, resamples=resamples, seed=seed)
    if not differences:
        message = (
            f"nothing to compare: {_told(a)} against {_told(b)};"
            f" both need a dataset and leg in common, with at least {LEAST_PAIRS} topics"
        )
        raise MalformedRecord(message)
    return RetrievalComparison(resamples=resamples, seed=seed, differences=tuple(differences))


def retrieval_comparison_table(comparison: RetrievalComparison) -> str:
    """The differences as a Markdown table; ``*`` marks p below 0.05."""
    lines = [
        "| dataset | leg | measure | A | B | difference | 95 % interval | p | |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in comparison.differences:
        mark = "*" if row.p_value < SIGNIFICANT else ""
        lines.append(
            f"| {row.dataset} | {row.leg} | {row.measure} | {row.a:.4f} | {row.b:.4f}"
            f" | {row.difference:+.4f} | {row.low:+.4f} to {row.high:+.4f} | {row.p_value:.4f}"
            f" | {mark} |"
        )
    return "\n".join(lines) + "\n"


def randomisation_p(differences: Floats, *, draws: int, seed: int) -> Floats:
    """Two-sided p of each column's mean being 0, (n_measures,); ``differences`` (n, n_measures)."""
    observed = np.abs(differences.mean(axis=0)) - _SAME
    random = np.random.default_rng(seed)
    as_far = np.ones(differences.shape[1])
    for _ in range(draws):
        signs = random.integers(2, size=len(differences)) * 2 - 1
        as_far += np.abs(signs @ differences / len(differences)) >= observed
    return as_far / (draws + 1)


def _differences(
    a: RetrievalResult, b: RetrievalResult, leg_a: str, leg_b: str, *, resamples: int, seed: int
) -> Iterator[LegDifference]:
    of_b = {row.query_id: row.legs[leg_b] for row in b.per_topic}
    common = [row for row in a.per_topic if row.query_id in of_b]
    if len(common) < LEAST_PAIRS:
        return
    before, after = (
        np.array([[values[name] for name in MEASURES] for values in side])
        for side in (
            [row.legs[leg_a] for row in common],
            [of_b[row.query_id] for row in common],
        )
    )  # (n_topics, n_measures) each
    change = after - before
    drawn = np.concatenate(
        [
            counts @ change / len(common)
            for counts in resamplings(len(common), resamples=resamples, seed=seed)
        ]
    )  # (resamples, n_measures)
    low, high = np.percentile(drawn, INTERVAL, axis=0)
    p_values = randomisation_p(change, draws=resamples, seed=seed)
    for column, name in enumerate(MEASURES):
        yield LegDifference(
            dataset=dataset_label(a),
            leg=leg_a if leg_a == leg_b else f"{leg_a} → {leg_b}",
            measure=name,
            pairs=len(common),
            a=_rounded(before[:, column].mean()),
            b=_rounded(after[:, column].mean()),
            difference=_rounded(change[:, column].mean()),
            low=_rounded(low[column]),
            high=_rounded(high[column]),
            p_value=_rounded(p_values[column]),
        )


def _leg_pairs(
    a: RetrievalResult, b: RetrievalResult, legs: tuple[str, str] | None
) -> list[tuple[str, str]]:
    if legs is not None:
        return [legs] if legs[0] in a.legs and legs[1] in b.legs else []
    return [(leg, leg) for leg in a.legs if leg in b.legs]


def _told(results: Sequence[RetrievalResult]) -> str:
    return "; ".join(f"{dataset_label(result)} ({', '.join(result.legs)})" for result in results)


def _rounded(value: np.floating) -> float:
    return round(float(value), DECIMALS)
