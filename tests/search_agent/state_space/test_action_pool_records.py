"""ActionPool: what it holds while actions wait, run and end; duplicates; the snapshot."""

from collections.abc import Sequence

import pytest

from search_agent.config import ActionSampling
from search_agent.state_space.action_pool import (
    ActionPool,
)
from search_agent.state_space.records import Action, ActionProposal, Result, State, Variable

PLAIN = ActionSampling()


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


ROW_1 = action("row1", 0, 0.6)
ROW_3 = action("row3", 2, 0.9, [0.7, 0.2])
ROW_5 = action("row5", 6, 0.5, [0.8, 0.3])
ROW_6 = action("row6", 8, 0.8, [0.4])


# §14.5: add, dedupe, complete.


def test_an_entry_that_cannot_be_scored_leaves_the_pool_as_it_was() -> None:
    pool = pool_of(ROW_1)
    with pytest.raises(ValueError, match="'bad' has the score nan"):
        pool.add([ROW_3, action("bad", 2, float("nan"))])
    assert pool.pending == (ROW_1,)


def test_an_id_is_given_once() -> None:
    pool = pool_of(ROW_1)
    for entries in ([ROW_1], [ROW_3, ROW_3]):
        with pytest.raises(ValueError, match="is in the pool already"):
            pool.add(entries)
    assert pool.size() == 1


def test_a_completed_entry_leaves_running_and_an_unknown_one_is_told_apart() -> None:
    pool = pool_of(ROW_1)
    result = Result(previous_action_id="row1", outcome="empty_patch")
    (draw,) = pool.sample(1)
    pool.start(draw.entry)
    assert list(pool.running) == ["row1"]
    assert pool.record_completed("row1", result)
    assert pool.running == {}
    assert pool.completed["row1"] == (ROW_1, result)
    assert not pool.record_completed("never", None)


def test_removing_pending_entries_reaches_the_queue_too() -> None:
    pool = pool_of(ROW_1, ROW_3)
    pool.add_immediate(ROW_5)
    removed = pool.remove_pending(lambda entry: entry.state.depth in {2, 6})
    assert [entry.id for entry in removed] == ["row5", "row3"]
    assert pool.pending == (ROW_1,)


def test_used_directions_are_those_of_the_same_assignment_wherever_they_stand() -> None:
    done, busy, waiting = (action(name, 2, 0.5, [0.5], of="same") for name in ("a", "b", "c"))
    pool = pool_of(waiting, action("d", 2, 0.5, [0.5], of="other"))
    for entry in (done, busy):
        pool.start(entry)
    pool.record_completed("a", None)
    assert pool.used_directions(state(3, [0.9], name="same")) == [
        "direction a",
        "direction b",
        "direction c",
    ]


def one_variable(state_id: str, strength: float, *clues: str) -> State:
    variable = Variable(
        id=1,
        type="Person",
        question_clues=("c",),
        candidate="Ilse Varga",
        candidate_strength=strength,
        discovered_clues=clues,
    )
    return State(state=(variable,), answer_variable=1, id=state_id)


def test_a_state_is_a_duplicate_within_a_band_but_not_in_a_new_one_or_with_a_new_elimination() -> (
    None
):
    pool = ActionPool(PLAIN)
    seen = [
        one_variable("0", 0.5),
        one_variable("1", 0.7),
        one_variable("2", 0.71),
        one_variable("3", 0.5, "ELIMINATES: Brandt - late | Sources: S1"),
        one_variable("4", 0.6, "ELIMINATES: BRANDT - born 1900 | Sources: S2"),
        one_variable("5", 0.6, "ELIMINATES: Brandt - late [assumes 2=Korren] | Sources: S1"),
    ]
    assert [pool.duplicate_of(state, "blacklist") for state in seen] == [
        None,
        "0",
        None,
        None,
        "3",
        None,
    ]
    assert not pool.is_duplicate(seen[0], "blacklist")
    assert pool.is_duplicate(seen[1], "blacklist")


def test_with_dedupe_off_nothing_is_a_duplicate() -> None:
    pool = ActionPool(ActionSampling(dedupe_states=False))
    assert not pool.is_duplicate(one_variable("0", 0.5), "blacklist")
    assert not pool.is_duplicate(one_variable("1", 0.5), "blacklist")


def test_the_snapshot_shows_what_waits_runs_and_has_ended() -> None:
    pool = pool_of(ROW_3, ROW_6)
    pool.start(ROW_1)
    pool.record_completed("row1", Result(previous_action_id="row1", outcome="empty_patch"))
    pool.start(ROW_5)
    snapshot = pool.snapshot()
    assert snapshot["pending"] == [
        {
            "id": "row3",
            "direction": "direction row3",
            "score": 0.9,
            "weight": pytest.approx(1.8),
            "depth": 2,
        },
        {
            "id": "row6",
            "direction": "direction row6",
            "score": 0.8,
            "weight": pytest.approx(0.6),
            "depth": 8,
        },
    ]
    assert [row["id"] for row in snapshot["running"]] == ["row5"]  # type: ignore[attr-defined]
    assert [(row["id"], row["has_result"]) for row in snapshot["completed"]] == [  # type: ignore[attr-defined]
        ("row1", True)
    ]
