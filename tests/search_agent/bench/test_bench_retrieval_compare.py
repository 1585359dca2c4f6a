"""Two retrieval results compared: differences, intervals and p-values."""

from itertools import product
from math import comb

import numpy as np
import pytest

from corpora.errors import MalformedRecord
from index import IndexConfig
from search_agent.bench.machine import Machine
from search_agent.bench.retrieval_compare import (
    compare_retrieval,
    randomisation_p,
    retrieval_comparison_table,
)
from search_agent.bench.retrieval_measures import MEASURES, mean_measures
from search_agent.bench.retrieval_result import RetrievalResult, TopicMeasures


def result(dataset: str = "small", **ndcg_by_leg: list[float]) -> RetrievalResult:
    """A result whose topics have these values of nDCG@10, and 0.5 of everything else."""
    values = {
        leg: [{**dict.fromkeys(MEASURES, 0.5), "nDCG@10": value} for value in column]
        for leg, column in ndcg_by_leg.items()
    }
    n_topics = len(next(iter(values.values())))
    return RetrievalResult(
        dataset=dataset,
        n_documents=5,
        n_queries=n_topics,
        complete=True,
        k=10,
        legs={leg: mean_measures(column) for leg, column in values.items()},
        config=IndexConfig(),
        encoders=(),
        fingerprint="f",
        run_files=(),
        versions={},
        commit=None,
        machine=Machine(processor="p", cores=1, system="s", python="3"),
        made_at="2026-01-02T03:04:05Z",
        seconds=1.0,
        per_topic=tuple(
            TopicMeasures(
                query_id=f"q{n}",
                n_relevant=1,
                legs={leg: column[n] for leg, column in values.items()},
            )
            for n in range(n_topics)
        ),
    )


def test_differences_are_b_minus_a_over_the_topics_of_both() -> None:
    a = result(sparse=[0.1, 0.2, 0.9])
    b = result(sparse=[0.3, 0.6])  # without the third topic
    rows = {row.measure: row for row in compare_retrieval([a], [b]).differences}
    ndcg = rows["nDCG@10"]
    assert (ndcg.dataset, ndcg.leg, ndcg.pairs) == ("small", "sparse", 2)
    assert ndcg.a == pytest.approx((0.1 + 0.2) / 2)
    assert ndcg.b == pytest.approx((0.3 + 0.6) / 2)
    assert ndcg.difference == pytest.approx((0.2 + 0.4) / 2)
    # the draws of two topics are (1, 1), (1, 2), (2, 1), (2, 2)
    assert (ndcg.low, ndcg.high) == (0.2, 0.4)
    assert (rows["AP"].difference, rows["AP"].p_value) == (0, 1)


def test_p_is_the_share_of_signs_whose_mean_is_as_far_from_0() -> None:
    differences = [0.3, 0.1, -0.2, 0.4, 0.05, 0.0]
    observed = abs(sum(differences))
    exact = sum(
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        >= observed - 1e-12
        for signs in product((-1, 1), repeat=len(differences))
    ) / 2 ** len(differences)
    [p] = randomisation_p(np.array(differences)[:, np.newaxis], draws=10_000, seed=1)
    assert p == pytest.approx(exact, abs=0.02)


def test_n_topics_all_better_have_a_p_of_two_signs_in_2_to_the_n() -> None:
    [p] = randomisation_p(np.full((8, 1), 0.1), draws=20_000, seed=1)
    assert p == pytest.approx(2 * comb(8, 0) / 2**8, abs=0.003)


def test_the_same_results_and_seed_give_the_same_comparison() -> None:
    a, b = result(sparse=[0.1, 0.2, 0.9]), result(sparse=[0.3, 0.1, 0.8])
    assert compare_retrieval([a], [b], seed=3) == compare_retrieval([a], [b], seed=3)


def test_every_dataset_and_leg_that_both_have_is_compared() -> None:
    a = [result("one", sparse=[0, 1], dense=[0, 1]), result("two", sparse=[0, 1])]
    b = [result("two", sparse=[1, 1]), result("one", sparse=[1, 1]), result("six", sparse=[1, 1])]
    rows = compare_retrieval(a, b).differences
    assert list(dict.fromkeys((row.dataset, row.leg) for row in rows)) == [
        ("one", "sparse"),
        ("two", "sparse"),
    ]


def test_two_legs_are_compared_with_one_another() -> None:
    both = result(sparse=[0.2, 0.4], hybrid=[0.3, 0.4])
    table = retrieval_comparison_table(compare_retrieval([both], [both], legs=("sparse", "hybrid")))
    assert "| small | sparse → hybrid | nDCG@10 | 0.3000 | 0.3500 | +0.0500 |" in table


@pytest.mark.parametrize(
    "other", [result("else", sparse=[1, 1]), result(dense=[1, 1]), result(sparse=[1])]
)
def test_what_has_nothing_in_common_is_refused(other: RetrievalResult) -> None:
    with pytest.raises(MalformedRecord, match="nothing to compare"):
        compare_retrieval([result(sparse=[0, 1])], [other])
