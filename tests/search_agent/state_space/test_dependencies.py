"""Dependencies: an answer waits for the unknowns its clues name."""

import pytest

from search_agent.state_space.dependencies import (
    next_unknown,
    open_dependencies,
    opened_directions,
    repeats_clue,
)
from search_agent.state_space.records import State, Variable


def chain(*rows, answer):
    """Rows of (id, clue, candidate)."""
    held = tuple(
        Variable(
            id=number,
            type="Thing",
            question_clues=(clue,),
            candidate=candidate,
            candidate_strength=0.8 if candidate else None,
        )
        for number, clue, candidate in rows
    )
    return State(state=held, answer_variable=answer)


@pytest.mark.parametrize(
    ("state", "waits_for", "first"),
    [
        (chain((1, "a flora", None), answer=1), [], None),
        (chain((1, "a flora", None), (2, "press of [V1]", None), answer=2), [1], 1),
        (chain((1, "a flora", "Varga"), (2, "press of [V1]", None), answer=2), [], None),
        (
            chain((1, "x", None), (2, "y of [V1]", None), (3, "z of [V2]", None), answer=3),
            [1, 2],
            1,
        ),
        (chain((1, "x", None), (2, "y of [V1]", "B"), (3, "z of [V2]", None), answer=3), [1], 1),
        (chain((1, "x of [V2]", None), (2, "y of [V1]", None), answer=2), [1], 1),
    ],
    ids=["one", "hop", "hop done", "two hops", "middle guessed", "circle"],
)
def test_the_answer_waits_for_what_its_clues_name(state, waits_for, first):
    assert open_dependencies(state) == waits_for
    target = next_unknown(state)
    assert (target.id if target else None) == first


def test_a_new_candidate_completes_the_clue_that_named_it():
    before = chain((1, "a flora", None), (2, "printed the diary of [V1]", None), answer=2)
    after = chain((1, "a flora", "Ilse Varga"), (2, "printed the diary of [V1]", None), answer=2)
    assert [p.direction for p in opened_directions(before, after)] == [
        "printed the diary of Ilse Varga"
    ]


def test_a_candidate_that_stays_opens_nothing():
    state = chain((1, "a flora", "Ilse Varga"), (2, "printed the diary of [V1]", None), answer=2)
    assert opened_directions(state, state) == []


@pytest.mark.parametrize(
    ("clue", "candidate", "expected"),
    [
        ("SQL interpreter of 1994", "SQL interpreter of 1994", True),
        ("SQL interpreter of 1994", "the SQL interpreter of the year 1994", True),
        ("SQL interpreter of 1994", "Andrew Yu and Jolly Chen", False),
        ("SQL interpreter of 1994", None, False),
        ("author of the Korren flora", "Korren flora", False),
        ("two words", "two words", False),
    ],
)
def test_a_candidate_that_says_its_clue_again_is_noticed(clue, candidate, expected):
    (variable,) = chain((1, clue, candidate), answer=1).state
    assert repeats_clue(variable) is expected
