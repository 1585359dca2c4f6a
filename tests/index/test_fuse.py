"""Fusion by arithmetic and by its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.fuse import Run, fuse_runs, min_max
from index.ranking import Ranking

SPARSE = Ranking.of([(7, 12.0), (3, 6.0), (5, 2.0)])
DENSE = Ranking.of([(3, 0.9), (8, 0.8), (7, 0.4)])

RUNS = st.dictionaries(
    st.integers(0, 30), st.floats(-5, 5, allow_subnormal=False), max_size=12
).map(lambda scores: Ranking.of(scores.items()))


def fused(*runs: Run, method: str = "min_max") -> list[tuple[int, float]]:
    return [(row, round(score, 9)) for row, score in fuse_runs(runs, method=method)]  # type: ignore[arg-type]


def test_min_max_adds_normalised_scores() -> None:
    assert fused(Run(ranking=SPARSE, weight=0.5), Run(ranking=DENSE, weight=0.5)) == [
        (3, round(0.5 * (6 - 2) / (12 - 2) + 0.5 * 1, 9)),
        (7, 0.5 * 1 + 0.5 * 0),
        (8, round(0.5 * (0.8 - 0.4) / (0.9 - 0.4), 9)),
        (5, 0.0),
    ]


def test_rrf_adds_reciprocal_ranks() -> None:
    assert fused(Run(ranking=SPARSE), Run(ranking=DENSE), method="rrf") == [
        (3, round(1 / (60 + 2) + 1 / (60 + 1), 9)),
        (7, round(1 / (60 + 1) + 1 / (60 + 3), 9)),
        (8, round(1 / (60 + 2), 9)),
        (5, round(1 / (60 + 3), 9)),
    ]


def test_a_single_hit_counts_fully() -> None:
    assert min_max(np.array([0.01])).tolist() == [1.0]


def test_a_leg_that_found_nothing_leaves_the_other_its_whole_weight() -> None:
    assert fused(Run(ranking=Ranking(), weight=0.5), Run(ranking=DENSE, weight=0.5))[0] == (3, 1.0)
    assert fused(Run(ranking=SPARSE, weight=0.0), Run(ranking=DENSE, weight=0.5))[0] == (3, 1.0)
    assert fused(Run(ranking=Ranking()), Run(ranking=Ranking())) == []


def test_what_only_a_blind_leg_found_keeps_its_score() -> None:
    blind_to = np.ones(9, dtype=np.bool_)
    assert fused(Run(ranking=SPARSE, weight=0.5, blind_to=blind_to)) == fused(Run(ranking=SPARSE))


def test_equal_scores_stand_in_row_order() -> None:
    ranking = Ranking([9, 2, 5], [1.0, 1.0, 1.0])
    assert fused(Run(ranking=ranking)) == [(2, 1.0), (5, 1.0), (9, 1.0)]


@given(st.lists(st.tuples(RUNS, st.floats(0.1, 1)), max_size=4), st.randoms())
def test_the_order_of_runs_does_not_matter(parts: list, random: object) -> None:  # type: ignore[type-arg]
    runs = [Run(ranking=ranking, weight=weight) for ranking, weight in parts]
    shuffled = runs.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fuse_runs(runs) == fuse_runs(shuffled)


@given(st.lists(st.floats(-5, 5, allow_subnormal=False), max_size=12))
def test_normalising_twice_is_normalising_once(scores: list[float]) -> None:
    once = min_max(np.array(scores))
    assert min_max(once) == pytest.approx(once)


def test_a_row_that_a_leg_cannot_judge_has_a_share_of_what_the_other_gives() -> None:
    blind = np.zeros(10, dtype=np.bool_)
    blind[[3, 8]] = True
    runs = (Run(ranking=SPARSE, weight=0.5, blind_to=blind), Run(ranking=DENSE, weight=0.5))
    assert [(row, round(score, 9)) for row, score in fuse_runs(runs, foreign=0.9)] == [
        (3, 0.9),  # 0.9 * 1 by meaning alone is more than 0.5 * 0.4 + 0.5 * 1
        (8, round(0.9 * 0.8, 9)),  # 0.9 * (0.8 - 0.4) / (0.9 - 0.4)
        (7, 0.5),
        (5, 0.0),
    ]
    assert fuse_runs(runs, foreign=0.0) == fuse_runs([Run(ranking=SPARSE), Run(ranking=DENSE)])


def test_a_row_that_all_legs_are_blind_to_keeps_its_sum() -> None:
    blind = np.ones(10, dtype=np.bool_)
    runs = [Run(ranking=SPARSE, blind_to=blind), Run(ranking=DENSE, blind_to=blind)]
    assert fuse_runs(runs) == fuse_runs([Run(ranking=SPARSE), Run(ranking=DENSE)])
