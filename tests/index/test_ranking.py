"""A ranking is a sequence of scored rows, whatever it is kept in."""

from hypothesis import given
from hypothesis import strategies as st

from index.ranking import Ranking, ScoredRow

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.floats(-5, 5)), max_size=20)


@given(PAIRS, st.integers(0, 20), st.integers(0, 20))
def test_it_reads_as_a_list_of_its_rows(
    pairs: list[tuple[int, float]], start: int, end: int
) -> None:
    rows = [ScoredRow(*pair) for pair in pairs]
    ranking = Ranking.of(pairs)
    assert [*ranking] == rows
    assert (len(ranking), bool(ranking)) == (len(rows), bool(rows))
    assert ranking[start:end] == rows[start:end]
    assert [ranking[place] for place in range(len(rows))] == rows
    assert ranking == Ranking.of(rows)


@given(PAIRS)
def test_in_order_is_best_first_and_equal_scores_by_row(pairs: list[tuple[int, float]]) -> None:
    expected = sorted(map(ScoredRow._make, pairs), key=lambda scored: (-scored.score, scored.row))
    assert Ranking.of(pairs).in_order() == expected


def test_a_row_is_found_at_its_place() -> None:
    ranking = Ranking([7, 3, 5], [0.9, 0.8, 0.1])
    assert [ranking.place(row) for row in (7, 5, 4)] == [0, 2, None]
