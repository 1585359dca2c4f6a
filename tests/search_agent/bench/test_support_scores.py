"""AUC, thresholds and the mix against arithmetic, a slow count, and laws."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_agent.bench.support_mix import fit_mix
from search_agent.bench.support_scores import (
    at_threshold,
    auc_interval,
    best_threshold,
    roc_auc,
)

# few distinct values, so that ties are common
SCORES = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=30)


def counted(supported: list[float], others: list[float]) -> float:
    """Every pair compared."""
    wins = sum((a > b) + 0.5 * (a == b) for a in supported for b in others)
    return wins / (len(supported) * len(others))


@pytest.mark.parametrize(
    ("supported", "others", "auc"),
    [
        ([2.0, 3.0], [0.0, 1.0], 1.0),
        ([0.0], [1.0], 0.0),
        ([1.0, 1.0], [1.0], 0.5),
        ([0.8, 0.4], [0.6, 0.4, 0.1], (3 + 1.5) / 6),
        ([0.9, 0.3], [0.5], 1 / 2),
    ],
)
def test_auc_is_the_share_of_pairs_in_order(
    supported: list[float], others: list[float], auc: float
) -> None:
    assert roc_auc(supported, others) == pytest.approx(auc)


def test_auc_needs_both_sides() -> None:
    assert roc_auc([], [1.0]) is None
    assert roc_auc([1.0], []) is None


@given(SCORES, SCORES)
def test_auc_is_what_counting_every_pair_gives(supported: list[float], others: list[float]) -> None:
    assert roc_auc(supported, others) == pytest.approx(counted(supported, others))


@given(SCORES, SCORES)
def test_auc_of_the_sides_swapped_is_its_complement(
    first: list[float], second: list[float]
) -> None:
    one, other = roc_auc(first, second), roc_auc(second, first)
    assert one is not None
    assert other is not None
    assert one + other == pytest.approx(1.0)


@given(SCORES, SCORES)
def test_auc_does_not_change_with_the_scale(supported: list[float], others: list[float]) -> None:
    def rise(scores: list[float]) -> list[float]:
        return [math.exp(score / 2) + 3 for score in scores]

    assert roc_auc(rise(supported), rise(others)) == pytest.approx(roc_auc(supported, others))


def test_precision_and_recall_are_counted_at_the_threshold() -> None:
    found = at_threshold([0.9, 0.7, 0.2], [0.7, 0.1], 0.7)
    assert (found.precision, found.recall) == (2 / 3, 2 / 3)
    assert found.f1 == pytest.approx(2 * 2 / (3 + 3))
    nothing = at_threshold([0.1], [0.2], 0.5)
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, 0.0, 0.0)


@given(SCORES, SCORES)
def test_no_score_is_a_better_threshold_than_the_best(
    supported: list[float], others: list[float]
) -> None:
    best = best_threshold(supported, others)
    assert best is not None
    f1 = at_threshold(supported, others, best).f1
    assert f1 is not None
    assert all(f1 >= (at_threshold(supported, others, s).f1 or 0) for s in supported + others)


def test_the_interval_holds_the_auc_and_depends_on_nothing_but_the_scores() -> None:
    groups = {str(i): ([0.5 + (i % 7) / 10], [0.4 + (i % 5) / 10]) for i in range(40)}
    interval = auc_interval(groups)
    assert interval is not None
    auc = roc_auc(
        [s for g in groups.values() for s in g[0]], [s for g in groups.values() for s in g[1]]
    )
    assert auc is not None
    assert 0 < interval[0] < auc < interval[1] < 1
    assert auc_interval(dict(reversed(groups.items()))) == interval
    assert auc_interval({}) is None


def test_a_mix_weighs_the_column_that_tells_and_not_the_one_that_does_not() -> None:
    labels = [True, False] * 50
    columns = {
        "telling": [float(is_true) for is_true in labels],
        "constant": [0.3] * 100,
        "noise": [float(i % 4 < 2) for i in range(100)],
    }
    mix = fit_mix(columns, labels)
    assert mix is not None
    assert mix.weights["telling"] > 1
    assert mix.weights["constant"] == pytest.approx(0, abs=1e-6)
    assert abs(mix.weights["noise"]) < 0.05
    found = mix.probabilities(columns)
    odds = mix.intercept + sum(mix.weights[name] * columns[name][0] for name in columns)
    assert found[0] == pytest.approx(1 / (1 + math.exp(-odds)))
    assert found[0] > 0.5 > found[1]


def test_labels_that_are_all_alike_fit_no_mix() -> None:
    assert fit_mix({"a": [0.1, 0.2]}, [True, True]) is None
