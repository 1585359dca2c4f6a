"""Patches: the shapes a reply may have, the strong answer (R16), and the successor state."""

import pytest

from search_agent.config import StateCreationAgent
from search_agent.state_space.patch import (
    Rejected,
    child_state,
    clamp_must_answer,
    must_answer,
    normalise_branches,
)
from search_agent.state_space.records import State, Variable

NOT_BRANDT = "ELIMINATES: Oda Brandt - too late | Sources: S1"
PERSON = Variable(
    id=1,
    type="Person",
    question_clues=("catalogued the flora of [V2]",),
    discovered_clues=(NOT_BRANDT,),
    candidate="Ilse Varga",
    candidate_strength=0.6,
)
PLACE = Variable(id=2, type="Island", question_clues=("an island",))
BASE = State(
    state=(PERSON, PLACE),
    answer_variable=1,
    id="001_000001",
    depth=1,
    parent_id="0",
    retrieved_evidence_ids=("c2", "c1"),
    seen_segments=("S1", "S2"),
)

# Shapes.

V1 = {"id": 1, "candidate": "A"}
V2 = {"id": 2, "candidate": "B"}

SHAPES: list[tuple[object, list[list[dict[str, object]]]]] = [
    ([], []),
    ("[]", []),
    ([{"state": [V1, V2]}, {"state": [V2]}], [[V1, V2], [V2]]),
    ([V1, V2], [[V1, V2]]),
    ([V1, {"id": "1", "candidate": "B"}], [[V1], [{"id": "1", "candidate": "B"}]]),
    ([[V1], [V2]], [[V1], [V2]]),
    ({"state": [V1]}, [[V1]]),
    (V1, [[V1]]),
    ('[{"state": [{"id": 1, "candidate": "A"}]}]', [[V1]]),
    ([{"state": '[{"id": 1, "candidate": "A"}]'}], [[V1]]),
    ([{"id": 1, "discovered_clues": "one"}], [[{"id": 1, "discovered_clues": ["one"]}]]),
    ([{"id": 1, "discovered_clues": '["a", "b"]'}], [[{"id": 1, "discovered_clues": ["a", "b"]}]]),
    ([{"state": []}], [[]]),
]


@pytest.mark.parametrize(("sent", "branches"), SHAPES)
def test_every_accepted_shape_means_these_branches(
    sent: object, branches: list[list[dict[str, object]]]
) -> None:
    assert normalise_branches(sent) == branches


@pytest.mark.parametrize(
    "sent", [None, {}, "", "none", 7, ["a"], [{}], [{"state": 3}], "[1", [[1]]]
)
def test_an_unreadable_payload_is_answered_with_the_three_valid_shapes(sent: object) -> None:
    rejected = normalise_branches(sent)
    assert isinstance(rejected, Rejected)
    (problem,) = rejected.problems
    assert problem.startswith("nothing readable found")
    assert all(key in problem for key in ('"tool_calls"', '"new_states"', '"claims"'))


# R16: a strong answer is an answer.


@pytest.mark.parametrize(
    ("strength", "is_due"), [(0.8, True), (0.71, True), (0.7, False), (None, False)]
)
def test_an_answer_is_due_above_0_70(strength: float | None, is_due: bool) -> None:
    variables = (
        Variable(
            id=1,
            type="Person",
            question_clues=("c",),
            candidate="Ilse Varga",
            candidate_strength=strength,
        ),
        Variable(
            id=2, type="Island", question_clues=("c",), candidate="Korren", candidate_strength=0.9
        ),
    )
    assert must_answer(variables, 1, StateCreationAgent()) is is_due
    assert not must_answer(variables, 1, StateCreationAgent(use_candidate_strength=False))
    clamped, was_clamped = clamp_must_answer(variables, 1)
    assert was_clamped is is_due
    assert clamped[0].candidate_strength == (0.70 if is_due else strength)
    assert clamped[1] == variables[1]


# The successor.


def test_a_child_is_one_deeper_with_new_evidence_in_front_and_segments_behind() -> None:
    child = child_state(
        BASE,
        (PLACE, PERSON),
        state_id="002_000007",
        action_id="001_000001_00",
        evidence_ids=["c3", "c1", "c4"],
        seen_segments=["S2", "S3"],
    )
    assert child == State(
        state=(PERSON, PLACE),
        answer_variable=1,
        id="002_000007",
        depth=1 + 1,
        parent_id="001_000001",
        parent_action_id="001_000001_00",
        retrieved_evidence_ids=("c4", "c1", "c3", "c2"),
        seen_segments=("S1", "S2", "S3"),
        origin="patch",
    )
