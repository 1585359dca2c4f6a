"""ActionPool: scores and weights as tables, the seeded draw, the queue before it, duplicates."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_agent.config import ActionSampling, load_config
from search_agent.state_space.action_pool import (
    ActionPool,
    Draw,
    Expansion,
    draw_number,
    score_entry,
)
from search_agent.state_space.records import Action, ActionProposal, State, Variable

PLAIN = ActionSampling()
PROMOTE = ActionSampling(promote_unique_states=True)
NO_DEPTH = ActionSampling(depth_weight=False)


def state(depth: int, strengths: Sequence[float | None] = (), *, name: str = "x") -> State:
    """A state whose variable n has the candidate ``name``-n with the nth strength."""
    variables = tuple(
        Variable(
            id=number,
            type="Thing",
            question_clues=("c",),
            candidate=f"{name}-{number}",
            candidate_strength=strength,
        )
        for number, strength in enumerate(strengths, start=1)
    )
    empty = Variable(id=9, type="Thing", question_clues=("c",))
    return State(
        state=(*variables, empty), answer_variable=9, depth=depth, id=f"{depth:03x}_{name}"
    )


def action(
    name: str, depth: int, score: float, strengths: Sequence[float | None] = (), *, of: str = ""
) -> Action:
    return Action(
        id=name,
        question="q",
        state=state(depth, strengths, name=of or name),
        proposal=ActionProposal(direction=f"direction {name}", score=score),
        proposal_call_id="call",
    )


def pool_of(*actions: Action, sampling: ActionSampling = PLAIN) -> ActionPool:
    pool = ActionPool(sampling)
    pool.add(actions)
    return pool


def drawn(draws: Sequence[Draw]) -> list[str]:
    return [draw.entry.id for draw in draws]


# §14.2: score and weight.

ROWS: list[tuple[int, int, float, list[float | None], ActionSampling, int, float, float]] = [
    # row, depth, score, strengths, sampling, n of equal assignment, s, weight
    (1, 0, 0.6, [], PLAIN, 1, 0.6 + 100, 100.6),
    (2, 1, 0.4, [0.5], PLAIN, 1, 0.4 + 0.5 + 100, 100.9),
    (3, 2, 0.9, [0.7, 0.2], PLAIN, 1, 0.9 + 0.7 + 0.2, 1.8),
    (4, 5, 0.5, [0.8], PLAIN, 1, 0.5 + 0.8, 1.3),
    (5, 6, 0.5, [0.8, 0.3], PLAIN, 1, (0.5 + 0.8 + 0.3) * 6 / 8, 1.2),
    (6, 8, 0.8, [0.4], PLAIN, 1, (0.8 + 0.4) * 4 / 8, 0.6),
    (7, 11, 0.9, [0.7, 0.8], PLAIN, 1, (0.9 + 0.7 + 0.8) * 1 / 8, 0.3),
    (8, 12, 0.9, [0.9], PLAIN, 1, 0.0, 0.0),
    (9, 14, 0.3, [0.5], PLAIN, 1, (0.3 + 0.5) * -2 / 8, 0.0),
    (10, 3, 0.7, [0.5], PROMOTE, 2, 0.7 + 0.5, 1.2 / 2),
    (11, 9, 0.4, [0.6], NO_DEPTH, 1, 0.4 + 0.6, 1.0),
    (12, 2, 0.3, [None], PLAIN, 1, 0.3, 0.3),
    (13, 0, 0.6, [], PROMOTE, 2, 0.6 + 100, 100.6 / 2),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"row {row[0]}")
def test_score_and_weight_are_those_of_the_table(
    row: tuple[int, int, float, list[float | None], ActionSampling, int, float, float],
) -> None:
    _, depth, score, strengths, sampling, n, s, weight = row
    entry = action("entry", depth, score, strengths, of="shared")
    pool = pool_of(entry, action("beside", 2, 0.5, [0.1]), sampling=sampling)
    pool.add([action(f"twin{i}", depth, 0.1, strengths, of="shared") for i in range(n - 1)])
    assert score_entry(entry, sampling) == pytest.approx(s)
    assert pool.weight(entry) == pytest.approx(weight)
    assert pool.draw_weights()[0] == pytest.approx(weight)


ROW_1 = action("row1", 0, 0.6)
ROW_3 = action("row3", 2, 0.9, [0.7, 0.2])
ROW_5 = action("row5", 6, 0.5, [0.8, 0.3])
ROW_6 = action("row6", 8, 0.8, [0.4])
ROW_7 = action("row7", 11, 0.9, [0.7, 0.8])
ROW_8 = action("row8", 12, 0.9, [0.9])
ROW_9 = action("row9", 14, 0.3, [0.5])


def chances(pool: ActionPool) -> list[float]:
    weights = pool.draw_weights()
    return [weight / sum(weights) for weight in weights]


def test_the_chances_of_rows_1_3_and_7_are_those_of_their_weights() -> None:
    total = 100.6 + 1.8 + 0.3
    assert chances(pool_of(ROW_1, ROW_3, ROW_7)) == pytest.approx(
        [100.6 / total, 1.8 / total, 0.3 / total]
    )
    assert [round(chance, 5) for chance in chances(pool_of(ROW_1, ROW_3, ROW_7))] == [
        0.97955,
        0.01753,
        0.00292,
    ]


def test_beyond_the_last_depth_only_the_proposals_score_counts() -> None:
    assert chances(pool_of(ROW_8, ROW_9)) == pytest.approx([0.9 / 1.2, 0.3 / 1.2])


def test_depth_12_is_drawn_only_when_nothing_else_is_pending() -> None:
    for seed in range(40):
        pool = pool_of(ROW_8, ROW_7, sampling=ActionSampling(seed=seed))
        assert drawn(pool.sample(2)) == ["row7", "row8"]


def test_weights_that_are_all_zero_are_drawn_uniformly() -> None:
    pool = pool_of(action("a", 3, 0.0), action("b", 3, 0.0))
    assert chances(pool) == [0.5, 0.5]
    deep_beside = pool_of(action("a", 3, 0.0), ROW_8)
    assert chances(deep_beside) == [1.0, 0.0]
    deep_zeros = pool_of(action("a", 12, 0.0), action("b", 13, 0.0))
    assert chances(deep_zeros) == [0.5, 0.5]


# §14.3: balanced.


def balanced(depth: int, score: float, answer: float | None, others: list[float | None]) -> float:
    variables = tuple(
        Variable(
            id=number,
            type="Thing",
            question_clues=("c",),
            candidate=None if strength is None else f"c{number}",
            candidate_strength=strength,
        )
        for number, strength in enumerate([answer, *others], start=1)
    )
    entry = Action(
        id="a",
        question="q",
        state=State(state=variables, answer_variable=1, depth=depth),
        proposal=ActionProposal(direction="d", score=score),
        proposal_call_id="call",
    )
    return score_entry(entry, ActionSampling(scoring="balanced"))


@pytest.mark.parametrize(
    ("depth", "score", "answer", "others", "s"),
    [
        (1, 0.5, 0.4, [0.6, None], 0.5 + 0.4 + 0.5 * (0.6 + 0) / 2 + 1),
        (2, 0.5, None, [], 0.5),
        (0, 0.5, None, [], 0.5 + 1),
        (6, 0.4, 0.8, [0.4], (0.4 + 0.8 + 0.5 * 0.4) * 6 / 8),
        (12, 0.9, 0.9, [], 0.0),
        (14, 0.9, 0.9, [], 0.0),
    ],
)
def test_balanced_counts_the_answer_whole_and_the_others_by_half_their_mean(
    depth: int, score: float, answer: float | None, others: list[float | None], s: float
) -> None:
    assert balanced(depth, score, answer, others) == pytest.approx(s)


def test_the_balanced_example_is_2_05() -> None:
    assert balanced(1, 0.5, 0.4, [0.6, None]) == pytest.approx(2.05)


# §14.4: the draw.


@pytest.mark.parametrize(("n", "u"), [(0, 0.162458), (1, 0.590985), (2, 0.062294)])
def test_the_number_of_draw_n_with_seed_7(n: int, u: float) -> None:
    assert draw_number(7, n) == pytest.approx(u, abs=1e-6)


def test_rows_5_6_and_7_with_seed_7_and_draw_1_give_row_6() -> None:
    pool = pool_of(ROW_5, ROW_6, ROW_7, sampling=ActionSampling(seed=7))
    pool.draws = 1
    assert draw_number(7, 1) * (1.2 + 0.6 + 0.3) == pytest.approx(1.2411, abs=5e-5)
    assert pool.sample(1) == [Draw(1, draw_number(7, 1), ROW_6)]


def test_equal_seeds_draw_alike_and_draw_numbers_run_through_the_search() -> None:
    actions = [action(f"a{n}", 2, 0.1 + n / 10) for n in range(8)]
    at_once = pool_of(*actions, sampling=ActionSampling(seed=3)).sample(8)
    pool = pool_of(*actions, sampling=ActionSampling(seed=3))
    one_by_one = [draw for _ in range(8) for draw in pool.sample(1)]
    assert at_once == one_by_one
    assert [draw.n for draw in at_once] == list(range(8))
    assert sorted(drawn(at_once)) == [f"a{n}" for n in range(8)]


def test_a_pool_gives_what_it_has_and_no_more() -> None:
    pool = pool_of(ROW_1, ROW_3)
    assert len(pool.sample(5)) == 2
    assert pool.sample(5) == []
    assert pool.draws == 2


def test_the_immediate_queue_comes_first_in_order_without_using_up_draws() -> None:
    pool = pool_of(ROW_1)
    pool.add_immediate(action("first", 13, 0.0))
    pool.add_immediate(action("second", 3, 1.0))
    assert pool.size() == 1 + 2
    draws = pool.sample(3)
    assert drawn(draws) == ["first", "second", "row1"]
    assert [draw.n for draw in draws] == [None, None, 0]
    assert pool.size() == 0


def test_random_sample_gives_every_action_the_weight_1_whatever_its_depth() -> None:
    pool = pool_of(ROW_1, ROW_8, ROW_9, sampling=ActionSampling(random_sample=True))
    assert pool.draw_weights() == [1.0, 1.0, 1.0]
    assert pool.weight(ROW_8) == 1.0


def test_the_switches_of_the_configuration_reach_the_pool() -> None:
    key = "search_workflow.action_sampling."
    deep = action("deep", 9, 0.4, [0.6], of="shared")
    twin = action("twin", 9, 0.4, [0.6], of="shared")
    weights = {
        switch: pool_of(
            deep, twin, sampling=load_config("reference", {key + switch: value}).sampling
        ).weight(deep)
        for switch, value in [
            ("depth_weight", True),
            ("depth_weight", False),
            ("promote_unique_states", True),
            ("random_sample", True),
        ][1:]
    }
    assert weights == pytest.approx(
        {"depth_weight": 1.0, "promote_unique_states": 1.0 * 3 / 8 / 2, "random_sample": 1.0}
    )
    assert pool_of(deep, twin).weight(deep) == pytest.approx(1.0 * 3 / 8)


# Expansions.


def test_an_expansion_is_drawn_like_an_action_with_score_one_half() -> None:
    expansion = Expansion(state=state(2, [0.7]))
    pool = ActionPool(PLAIN)
    pool.add([expansion])
    assert expansion.id == "002_x_x"
    assert pool.weight(expansion) == pytest.approx(0.5 + 0.7)
    assert pool.sample(1)[0].entry is expansion


UNIT = st.floats(0, 1)


@settings(deadline=None)
@given(
    entries=st.lists(
        st.tuples(st.integers(0, 20), UNIT, st.lists(st.none() | UNIT, max_size=3)),
        min_size=1,
        max_size=8,
    ),
    sampling=st.builds(
        ActionSampling,
        scoring=st.sampled_from(["depth_weighted", "balanced"]),
        depth_weight=st.booleans(),
        promote_unique_states=st.booleans(),
        random_sample=st.booleans(),
        seed=st.integers(0, 99),
    ),
)
def test_weights_are_never_negative_and_every_pool_can_be_drawn_empty(
    entries: list[tuple[int, float, list[float | None]]], sampling: ActionSampling
) -> None:
    actions = [
        action(f"a{number}", depth, score, strengths, of=f"s{number % 3}")
        for number, (depth, score, strengths) in enumerate(entries)
    ]
    pool = pool_of(*actions, sampling=sampling)
    assert all(pool.weight(entry) >= 0 for entry in actions)
    assert all(weight >= 0 for weight in pool.draw_weights())
    assert any(pool.draw_weights())
    assert sorted(drawn(pool.sample(len(actions)))) == sorted(entry.id for entry in actions)
