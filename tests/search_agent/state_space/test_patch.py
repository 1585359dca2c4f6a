"""Patches: which branches are kept, and what forbids one (R3–R5, R10, R11, R21)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_agent.config import StateCreationAgent
from search_agent.state_space.patch import (
    PatchOutcome,
    PatchRules,
    apply_branches,
    normalise_branches,
)
from search_agent.state_space.records import CluesMode, Elimination, State, Variable

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


def rules(
    mode: CluesMode = "blacklist",
    *,
    creation: StateCreationAgent | None = None,
    eliminations: Sequence[Elimination] = (),
    first_seen: Mapping[str, int] | None = None,
) -> PatchRules:
    return PatchRules(
        creation=creation or StateCreationAgent(),
        mode=mode,
        seen_segments=frozenset({"S1", "S2", "S3"}),
        seen_documents={"D1": "Ledger of the Halden Press"},
        aliases={"Ledger of the Halden Press": "D1", "corpus:///ledger.txt": "D1"},
        search_eliminations=tuple(eliminations),
        first_seen=first_seen or {"S1": 10, "S2": 20, "S3": 30},
        count_tokens=lambda text: len(text.split()),
    )


def patch(
    *variables: Mapping[str, Any], using: PatchRules | None = None, base: State = BASE
) -> PatchOutcome:
    return apply_branches(base, [list(variables)], using or rules(), is_last_try=False)


def changed(outcome: PatchOutcome, variable_id: int = 1) -> Variable:
    assert outcome.problems == ()
    (variables,) = outcome.variables
    return next(variable for variable in variables if variable.id == variable_id)


# R3–R5: ids.


@pytest.mark.parametrize("spelling", [1, 1.0, "1", " 1 "])
def test_a_digit_string_and_a_whole_float_are_the_id(spelling: object) -> None:
    assert changed(patch({"id": spelling, "candidate_strength": 0.3})).candidate_strength == 0.3


@pytest.mark.parametrize("spelling", [True, "x", 1.5, None, "", [1], 9, "-1"])
def test_any_other_id_is_refused_with_the_ids_there_are(spelling: object) -> None:
    outcome = patch({"id": spelling, "candidate_strength": 0.3})
    assert outcome.variables == ()
    assert outcome.problems == (f"id {spelling!r} is unknown; the ids are 1 (Person), 2 (Island)",)


def test_an_id_twice_in_a_branch_is_refused() -> None:
    outcome = patch({"id": 1, "candidate": "A"}, {"id": "1", "candidate": "B"})
    assert outcome.problems == ("id 1 stands twice; merge both, or make a branch of each value",)


# R10: something must change.

NOTHING = 'nothing changes; say so with the empty patch {"new_states": []}'


@pytest.mark.parametrize(
    "variable",
    [
        {"id": 1},
        {"id": 1, "candidate": "ilse  varga."},
        {"id": 1, "candidate_strength": 0.6},
        {"id": 1, "discovered_clues": [NOT_BRANDT]},
        {"id": 2, "candidate": None},
    ],
)
def test_a_patch_that_changes_nothing_is_refused(variable: dict[str, object]) -> None:
    assert patch(variable).problems == (NOTHING,)


def test_the_empty_patch_is_valid_and_a_branch_without_variables_is_not() -> None:
    assert normalise_branches([]) == []
    assert apply_branches(BASE, [], rules(), is_last_try=False) == PatchOutcome(variables=())
    assert patch().problems == (NOTHING,)


# R11: held eliminations.


@pytest.mark.parametrize(
    ("target", "candidate"),
    [
        ("Oda Brandt", "Oda Brandt"),
        ("Oda Brandt", "“ODA BRANDT”"),
        ("Piet Aldana; Oda Brandt", "Oda Brandt"),
        ("Oda Brandt (botanist)", "oda brandt"),
    ],
)
def test_a_candidate_that_the_patch_itself_rules_out_is_refused(
    target: str, candidate: str
) -> None:
    clue = f"ELIMINATES: {target} - too late | Sources: S1"
    (problem,) = patch({"id": 1, "candidate": candidate, "discovered_clues": [clue]}).problems
    assert f"{candidate!r} is ruled out: {target!r}, too late" in problem
    assert "remove the entry" in problem


def test_clues_that_were_kept_still_rule_out_a_new_candidate() -> None:
    (problem,) = patch({"id": 1, "candidate": "Oda Brandt", "candidate_strength": 0.5}).problems
    assert "'Oda Brandt' is ruled out" in problem


def test_an_elimination_with_an_unmet_assumption_does_not_bind() -> None:
    clue = "ELIMINATES: Oda Brandt - elsewhere [assumes 2=Korren Isles] | Sources: S1"
    variable = {"id": 1, "candidate": "Oda Brandt", "discovered_clues": [clue]}
    assert changed(patch(variable)).candidate == "Oda Brandt"
    (problem,) = patch(variable, {"id": 2, "candidate": "korren isles"}).problems
    assert "'Oda Brandt' is ruled out" in problem


SEARCH_WIDE = Elimination(
    variable_id=1,
    candidate="Rasmus Lind",
    reason="a validator found him in 1890",
    sources=("S1",),
    by="validator",
    scope="search",
    event_seq=25,
)


def test_a_search_wide_elimination_is_reopened_by_a_newer_segment_only() -> None:
    using = rules(eliminations=[SEARCH_WIDE], first_seen={"S1": 25, "S2": 20, "S3": 30})

    def citing(segment_id: str) -> PatchOutcome:
        clue = f"ELIMINATES: Piet Aldana - mainland | Sources: {segment_id}"
        variable = {"id": 1, "candidate": "Rasmus Lind", "discovered_clues": [clue]}
        return patch(variable, using=using)

    older, same, newer = citing("S2"), citing("S1"), citing("S3")
    assert same.problems == older.problems
    (problem,) = older.problems
    assert "'Rasmus Lind' is ruled out" in problem
    assert "remove the entry" not in problem
    assert changed(newer).candidate == "Rasmus Lind"
    assert newer.events[-1] == (
        "elimination_reopened",
        {"variable_id": 1, "candidate": "Rasmus Lind", "event_seq": 25, "segment_ids": ["S3"]},
    )


def test_a_search_wide_elimination_holds_in_mode_none() -> None:
    using = rules("none", eliminations=[SEARCH_WIDE])
    (problem,) = patch({"id": 1, "candidate": "Rasmus Lind"}, using=using).problems
    assert "'Rasmus Lind' is ruled out" in problem


# Several branches.

GOOD_1: list[dict[str, object]] = [
    {"id": 2, "candidate": "Korren Isles", "candidate_strength": 0.5}
]
BAD: list[dict[str, object]] = [{"id": 9, "candidate": "Halden"}]
GOOD_2: list[dict[str, object]] = [{"id": 2, "candidate": "Halden", "candidate_strength": 0.3}]
KEEP_GOOD = StateCreationAgent(patches="keep_good")
BAD_TOLD = "id 9 is unknown; the ids are 1 (Person), 2 (Island)"


def places(outcome: PatchOutcome) -> list[str | None]:
    return [variables[1].candidate for variables in outcome.variables]


def test_one_bad_branch_of_three_means_none_and_all_three_are_reported() -> None:
    outcome = apply_branches(BASE, [GOOD_1, BAD, GOOD_2], rules(), is_last_try=False)
    assert outcome == PatchOutcome(
        variables=(),
        problems=(
            "branch 1 is good; send it again",
            f"branch 2: {BAD_TOLD}",
            "branch 3 is good; send it again",
        ),
    )


@pytest.mark.parametrize(
    ("creation", "is_last_try"), [(StateCreationAgent(), True), (KEEP_GOOD, False)]
)
def test_on_the_last_try_and_with_keep_good_the_two_good_ones_survive(
    creation: StateCreationAgent, is_last_try: bool
) -> None:
    outcome = apply_branches(
        BASE, [GOOD_1, BAD, GOOD_2], rules(creation=creation), is_last_try=is_last_try
    )
    assert places(outcome) == ["Korren Isles", "Halden"]
    assert outcome.problems == ()
    salvaged = {"kept": [1, 3], "dropped": {"2": [BAD_TOLD]}}
    assert outcome.events == (("branches_salvaged", salvaged),)


@pytest.mark.parametrize("is_last_try", [False, True])
def test_keep_good_tells_the_model_when_nothing_was_left(is_last_try: bool) -> None:
    outcome = apply_branches(BASE, [BAD], rules(creation=KEEP_GOOD), is_last_try=is_last_try)
    assert outcome == PatchOutcome(variables=(), problems=(BAD_TOLD,))


def test_more_branches_than_the_limit_are_refused_or_cut_to_it() -> None:
    three: list[list[dict[str, object]]] = [GOOD_1, GOOD_2, [{"id": 1, "candidate_strength": 0.1}]]
    strict = rules(creation=StateCreationAgent(branches_limit=2))
    keeping = rules(creation=StateCreationAgent(branches_limit=2, patches="keep_good"))
    assert apply_branches(BASE, three, strict, is_last_try=False).problems == (
        "3 branches were sent, at most 2 are allowed; send the best",
    )
    for using, is_last_try in ((strict, True), (keeping, False)):
        outcome = apply_branches(BASE, three, using, is_last_try=is_last_try)
        assert places(outcome) == ["Korren Isles", "Halden"]
        (event,) = outcome.events
        assert event[1]["dropped"] == {"3": ["more than 2 branches"]}


def test_events_of_dropped_branches_are_not_reported_as_if_they_had_happened() -> None:
    defaulted_but_bad: list[dict[str, object]] = [{"id": 2, "candidate": "Halden"}, {"id": 9}]
    outcome = apply_branches(
        BASE, [defaulted_but_bad, GOOD_1], rules(creation=KEEP_GOOD), is_last_try=False
    )
    assert [kind for kind, _ in outcome.events] == ["branches_salvaged"]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
RAW_VARIABLE = st.fixed_dictionaries(
    {"id": st.sampled_from([1, 2, "1", 1.0, True, 9])},
    optional={
        "candidate": ANYTHING,
        "candidate_strength": ANYTHING,
        "discovered_clues": ANYTHING | st.lists(st.just(NOT_BRANDT) | st.text(max_size=20)),
        "type": st.sampled_from(["Person", "Press"]),
    },
)


@settings(deadline=None)
@given(
    branches=st.lists(st.lists(RAW_VARIABLE, max_size=3), max_size=3),
    mode=st.sampled_from(["report", "blacklist", "none"]),
    is_last_try=st.booleans(),
)
def test_no_patch_ever_raises_changes_the_base_or_leaves_an_impossible_variable(
    branches: list[list[dict[str, object]]], mode: CluesMode, is_last_try: bool
) -> None:
    before = (repr(BASE), repr(branches))
    outcome = apply_branches(BASE, branches, rules(mode), is_last_try=is_last_try)
    assert (repr(BASE), repr(branches)) == before
    for variables in outcome.variables:
        assert [variable.id for variable in variables] == [1, 2]
        for old, new in zip(BASE.state, variables, strict=True):
            assert (new.type, new.question_clues) == (old.type, old.question_clues)
            assert new.candidate is not None or new.candidate_strength is None
            assert new.candidate_strength is None or 0 <= new.candidate_strength <= 1
