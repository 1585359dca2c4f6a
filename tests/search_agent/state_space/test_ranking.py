"""Ranking: by the state that came out of the action, ties by creation."""

from search_agent.state_space.ranking import best_guess, rank_answers
from search_agent.state_space.records import Result, State, Variable


def state(candidate: str | None, strength: float | None, state_id: str = "0") -> State:
    variable = Variable(
        id=1,
        type="Person",
        question_clues=("c",),
        candidate=candidate,
        candidate_strength=strength,
    )
    return State(state=(variable,), answer_variable=1, id=state_id)


def answer(text: str, strength: float | None, action_id: str) -> Result:
    return Result(
        previous_action_id=action_id,
        outcome="answer",
        found_answer=text,
        answer_state=state(text, strength),
    )


def test_answers_rank_by_the_strength_of_the_state_they_made_then_by_creation() -> None:
    results = [
        answer("Brandt", 0.8, "0_00"),
        answer("Varga", 0.95, "0_01"),
        answer("Aldana", 0.8, "0_02"),
        answer("Lind", None, "0_03"),
    ]
    assert [group.text for group in rank_answers(results)] == ["Varga", "Brandt", "Aldana", "Lind"]
    assert rank_answers(results)[3].strength == 0.0


def test_equal_answers_are_one_group_whose_count_does_not_change_the_order() -> None:
    results = [
        answer("Brandt", 0.8, "0_00"),
        answer("Varga", 0.95, "0_01"),
        answer("“BRANDT”", 0.9, "0_02"),
        answer("brandt", 0.7, "0_03"),
    ]
    groups = rank_answers(results)
    assert [(group.text, group.count) for group in groups] == [("Varga", 1), ("“BRANDT”", 3)]
    assert groups[1].best.previous_action_id == "0_02"


def test_results_that_are_no_answer_are_passed_over() -> None:
    states = Result(previous_action_id="0_00", outcome="new_states", found_answer="Varga")
    assert rank_answers([states]) == []


def test_the_best_guess_is_the_strongest_candidate_ties_by_creation() -> None:
    states = [
        state(None, None, "0"),
        state("Brandt", 0.6, "001_000001"),
        state("Varga", 0.7, "001_000002"),
        state("Aldana", 0.7, "001_000003"),
    ]
    assert best_guess(states, 0.0) == states[2]
    assert best_guess(states, 0.7) == states[2]
    assert best_guess(states, 0.71) is None


def test_a_candidate_without_strength_is_a_guess_only_where_none_is_demanded() -> None:
    assert best_guess([state("Varga", None)], 0.0) == state("Varga", None)
    assert best_guess([state("Varga", None)], 0.1) is None
    assert best_guess([state(None, None)], 0.0) is None
