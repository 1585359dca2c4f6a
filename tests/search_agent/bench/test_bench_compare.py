"""Differences of two results: means by arithmetic, intervals against an independent bootstrap."""

import numpy as np
import pytest

from corpora.errors import MalformedRecord
from search_agent.bench.compare import (
    Comparison,
    Difference,
    compare_results,
    comparison_table,
)

from .result_rows import abstention, result, row


def differences(comparison: Comparison) -> dict[str, Difference]:
    return {found.measure: found for found in comparison.differences}


def test_a_difference_is_b_less_a_over_the_common_questions() -> None:
    a = result(row("1", exact_match=0.0), row("2"), row("3", exact_match=0.0), row("only-a"))
    b = result(row("2"), row("1"), row("3", exact_match=0.0), strategy="state-space")
    comparison = compare_results(a, b)
    assert (comparison.pairs, comparison.a.n, comparison.b.n) == (3, 4, 3)
    assert (comparison.a.name, comparison.b.name) == ("react", "state-space")
    exact = differences(comparison)["exact_match"]
    assert exact.a == pytest.approx(1 / 3, abs=1e-6)
    assert exact.b == pytest.approx(2 / 3, abs=1e-6)
    assert exact.difference == pytest.approx(1 / 3, abs=1e-6)


def test_equal_results_differ_by_nothing() -> None:
    rows = [row(str(number), f1=number / 10) for number in range(10)]
    for found in compare_results(result(*rows), result(*rows)).differences:
        assert (found.difference, found.low, found.high) == (0.0, 0.0, 0.0)
        assert not found.excludes_zero


def test_the_interval_is_that_of_a_bootstrap_written_out() -> None:
    outcomes = np.random.default_rng(3).integers(0, 2, size=(40, 2))
    a = result(*(row(str(i), exact_match=float(x)) for i, (x, _) in enumerate(outcomes)))
    b = result(*(row(str(i), exact_match=float(y)) for i, (_, y) in enumerate(outcomes)))
    exact = differences(compare_results(a, b))["exact_match"]

    random = np.random.default_rng(4)
    drawn = []
    for _ in range(4000):
        sample = outcomes[random.integers(0, 40, size=40)]
        drawn.append(sample[:, 1].mean() - sample[:, 0].mean())
    low, high = np.percentile(drawn, [2.5, 97.5])
    # two bootstraps differ by chance; a step of the mean is 1/40
    assert exact.low == pytest.approx(low, abs=1 / 40 + 1e-9)
    assert exact.high == pytest.approx(high, abs=1 / 40 + 1e-9)


def test_a_gain_on_every_question_is_no_chance_and_one_in_ten_may_be() -> None:
    names = [str(number) for number in range(10)]
    slow = result(*(row(name, seconds=20.0, f1=0.5) for name in names))
    fast = result(
        *(row(name, seconds=10.0 + int(name), f1=1.0 if name == "0" else 0.5) for name in names)
    )
    found = differences(compare_results(slow, fast))
    assert found["seconds_per_question"].excludes_zero
    assert found["seconds_per_question"].high < 0
    # the one question is not drawn in (9/10)^10 = 35 % of the draws
    assert (found["f1"].low, found["f1"].excludes_zero) == (0.0, False)


def test_the_same_seed_gives_the_same_interval_and_another_hardly_another() -> None:
    a = result(*(row(str(number), f1=number / 30) for number in range(30)))
    b = result(*(row(str(number), f1=(number * 7 % 30) / 30) for number in range(30)))
    first, again = compare_results(a, b, seed=1), compare_results(a, b, seed=1)
    assert first == again
    other = differences(compare_results(a, b, seed=2))["f1"]
    assert other != differences(first)["f1"]
    assert other.low == pytest.approx(differences(first)["f1"].low, abs=0.01)


def test_a_measure_is_taken_of_the_questions_that_have_it() -> None:
    a = result(row("1", citation_precision=0.5), abstention("2"), row("3", citation_precision=1.0))
    b = result(row("1", citation_precision=1.0), row("2", citation_precision=0.0), abstention("3"))
    precision = differences(compare_results(a, b))["citation_precision"]
    assert (precision.n_a, precision.n_b) == (2, 2)
    assert (precision.a, precision.b) == ((0.5 + 1.0) / 2, (1.0 + 0.0) / 2)


def test_abstention_is_compared_where_something_is_unanswerable() -> None:
    moot = {"answerable": False, "exact_match": None, "f1": None, "accepted_form": None}
    a = result(row("1"), row("2", **moot), abstention("3", **moot))
    b = result(abstention("1"), abstention("2", **moot), abstention("3", **moot))
    found = differences(compare_results(a, b))
    assert (found["abstention_precision"].a, found["abstention_precision"].b) == (
        1.0,
        pytest.approx(2 / 3, abs=1e-6),
    )
    assert (found["abstention_recall"].a, found["abstention_recall"].b) == (1 / 2, 2 / 2)
    answerable = compare_results(result(row("1"), row("2")), result(row("1"), abstention("2")))
    assert {"abstention_precision", "abstention_recall"}.isdisjoint(differences(answerable))


def test_a_measure_that_one_side_lacks_is_not_listed() -> None:
    floor = result(
        row("1", citation_precision=None), row("2", citation_precision=None), mode="closed-book"
    )
    found = differences(compare_results(floor, result(row("1"), row("2"))))
    assert "citation_precision" not in found
    assert "exact_match" in found


@pytest.mark.parametrize(
    ("b", "says"),
    [
        (result(row("1"), row("2"), dataset="demo"), "different data sets, 'toy' and 'demo'"),
        (result(row("3"), row("4")), "0 questions in common, of 2 and 2"),
        (result(row("1"), row("4")), "1 questions in common"),
        (result(row("1", question="Who?"), row("2")), "question '1' reads"),
    ],
)
def test_what_cannot_be_compared_is_refused(b: object, says: str) -> None:
    with pytest.raises(MalformedRecord, match=says):
        compare_results(result(row("1"), row("2")), b)  # type: ignore[arg-type]


def test_the_table_marks_what_leaves_out_zero() -> None:
    a = result(*(row(str(number), seconds=20.0) for number in range(5)))
    b = result(*(row(str(number), seconds=15.0) for number in range(5)), mode="oracle")
    lines = comparison_table(compare_results(a, b)).splitlines()
    assert lines[0] == "| measure | react | react-oracle | difference | 95 % interval | |"
    assert "| exact_match | 1.000 | 1.000 | +0.000 | +0.000 to +0.000 |  |" in lines
    assert "| seconds_per_question | 20.000 | 15.000 | -5.000 | -5.000 to -5.000 | * |" in lines
