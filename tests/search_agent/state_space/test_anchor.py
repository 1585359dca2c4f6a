"""The first claim of an answer states what was asked, on a segment that holds the answer."""

import pytest

from search_agent.state_space.anchor import (
    answer_condition,
    asked_part,
    holds,
    repeats_candidate,
)
from search_agent.state_space.records import State, Variable


def state(first: str | None) -> State:
    return State(
        state=(
            Variable(
                id=1,
                type="Person",
                question_clues=("author of the flora",),
                candidate=first,
                candidate_strength=0.9 if first else None,
            ),
            Variable(id=2, type="Press", question_clues=("printed the diary of [V1]",)),
        ),
        answer_variable=2,
    )


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("Her diary was printed by the Halden Press.", "Halden Press", True),
        ("Her diary was printed by the HALDEN  press.", "Halden Press", True),
        ("CI-1 | Old Marjory | 340", "340 m3", True),
        ("CI-1 | Old Marjory | 3", "340 m3", False),
        ("the load is 520 kilograms", "520 kg", True),
        ("the load is 640 kilograms", "520 kg", False),
        ("\u7814\u7a76\u6240\u4f4d\u4e8e\u781a\u80cc\u5cad\u3002", "\u781a\u80cc\u5cad", True),
        ("Her diary was printed.", "Halden Press", False),
        ("anything", "", False),
    ],
)
def test_a_text_holds_an_answer_word_for_word_or_by_all_of_its_numbers(text, answer, expected):
    assert holds(text, answer) is expected


def test_the_condition_is_the_answers_clues_once_they_are_filled():
    assert (
        answer_condition("Which press?", state("Ilse Varga")) == "printed the diary of Ilse Varga"
    )
    assert answer_condition("Which press?", state(None)) == "Which press?"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("Ilse Varga", "Ilse Varga"), ("the Ilse Varga", "Ilse Varga"), ("Halden Press", "")],
)
def test_an_answer_that_repeats_a_known_thing_is_noticed(answer, expected):
    assert repeats_candidate(answer, state("Ilse Varga")) == expected


def test_what_is_asked_of_the_model_is_the_open_part_as_a_question():
    assert asked_part("Which press?", state("Ilse Varga")) == "printed the diary of Ilse Varga?"
    assert asked_part("Which press?", state(None)) == "Which press?"
