"""One variable of a patch: keys, candidates, strengths and clues (R6–R9, R12–R15)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from search_agent.config import StateCreationAgent
from search_agent.state_space.clues import render_report
from search_agent.state_space.patch import (
    PatchOutcome,
    PatchRules,
    apply_branches,
    normalise_branches,
    visible_ids,
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


# Keys: absent keeps, null clears, a list replaces.


def test_an_absent_key_keeps_what_the_base_has() -> None:
    after = changed(patch({"id": 1, "candidate_strength": 0.65}))
    assert (after.candidate, after.candidate_strength) == ("Ilse Varga", 0.65)
    assert after.discovered_clues == (NOT_BRANDT,)


@pytest.mark.parametrize("cleared", [None, "", "  ", "None", "unknown", "N/A", "null"])
def test_null_and_words_that_mean_none_clear_candidate_and_strength(cleared: str | None) -> None:
    after = changed(patch({"id": 1, "candidate": cleared, "candidate_strength": 0.9}))
    assert (after.candidate, after.candidate_strength) == (None, None)


def test_a_list_of_clues_replaces_the_whole_list() -> None:
    clue = "ELIMINATES: Piet Aldana - mainland | Sources: S2"
    assert changed(patch({"id": 1, "discovered_clues": [clue]})).discovered_clues == (clue,)
    assert changed(patch({"id": 1, "discovered_clues": []})).discovered_clues == ()


def test_the_other_variables_come_through_unchanged() -> None:
    assert changed(patch({"id": 1, "candidate_strength": 0.65}), 2) == PLACE


# R6: what never changes.


def test_type_and_question_clues_may_be_repeated_but_not_changed() -> None:
    same = {"type": "Person", "question_clues": ["catalogued the flora of [V2]"]}
    assert changed(patch({"id": 1, "candidate_strength": 0.3, **same})).type == "Person"
    for different in ({"type": "Press"}, {"question_clues": ["wrote a diary"]}):
        assert patch({"id": 1, "candidate_strength": 0.3, **different}).problems == (
            "variable 1: type and question_clues are fixed; leave them out",
        )


def test_other_unknown_keys_are_dropped_with_an_event() -> None:
    outcome = patch({"id": 1, "candidate_strength": 0.3, "mood": "sure"})
    assert changed(outcome).candidate_strength == 0.3
    assert outcome.events == (("keys_dropped", {"variable_id": 1, "keys": ["mood"]}),)


# R7–R9: candidates and strengths.


@pytest.mark.parametrize("bad", [-0.1, 1.01, float("nan"), float("inf"), True, "high", [0.5]])
def test_a_strength_outside_0_to_1_is_refused(bad: object) -> None:
    assert patch({"id": 1, "candidate_strength": bad}).problems == (
        f"variable 1: candidate_strength {bad!r} must be a number from 0 to 1",
    )


@pytest.mark.parametrize(("sent", "stored"), [(0, 0.0), (1, 1.0), ("0.65", 0.65), (" .5", 0.5)])
def test_0_and_1_and_digit_strings_are_strengths(sent: object, stored: float) -> None:
    assert changed(patch({"id": 1, "candidate_strength": sent})).candidate_strength == stored


def test_a_new_candidate_without_strength_gets_0_4_and_an_event() -> None:
    outcome = patch({"id": 2, "candidate": "Korren Isles"})
    assert changed(outcome, 2).candidate_strength == 0.4
    assert outcome.events == (("strength_defaulted", {"variable_id": 2, "strength": 0.4}),)


def test_a_candidate_spelled_differently_keeps_its_strength() -> None:
    outcome = patch({"id": 1, "candidate": "ILSE VARGA"}, {"id": 2, "candidate": "Korren"})
    assert changed(outcome, 1).candidate_strength == 0.6


def test_with_strengths_off_none_is_accepted_or_stored() -> None:
    off = rules(creation=StateCreationAgent(use_candidate_strength=False))
    outcome = patch({"id": 2, "candidate": "Korren Isles", "candidate_strength": 7}, using=off)
    assert changed(outcome, 2).candidate_strength is None
    assert outcome.events == ()


@pytest.mark.parametrize(("sent", "stored"), [(1912, "1912"), (" Korren ", "Korren")])
def test_a_candidate_is_a_trimmed_string(sent: object, stored: str) -> None:
    assert changed(patch({"id": 2, "candidate": sent}), 2).candidate == stored


@pytest.mark.parametrize("bad", [True, ["Korren"], {"name": "Korren"}, "x" * 201])
def test_a_candidate_of_another_kind_or_too_long_is_refused(bad: object) -> None:
    (problem,) = patch({"id": 2, "candidate": bad}).problems
    assert problem.startswith("variable 2: candidate ")


# R12–R15: clues by mode.


def test_a_bad_blacklist_entry_is_told_its_number_and_what_it_lacks() -> None:
    clues = [NOT_BRANDT, "Aldana is probably not right | Sources: S1"]
    assert patch({"id": 1, "discovered_clues": clues}).problems == (
        "variable 1: entry 2 lacks `ELIMINATES:` at its start,"
        " the separator ` - ` before its reason",
    )


def test_repeated_eliminations_are_stored_once() -> None:
    clues = [NOT_BRANDT, "ELIMINATES: oda brandt - born 1900 | Sources: S2"]
    assert changed(patch({"id": 1, "discovered_clues": clues})).discovered_clues == (
        "ELIMINATES: Oda Brandt - too late | Sources: S1, S2",
    )


def test_a_source_that_only_another_branch_saw_is_refused_with_visible_ids() -> None:
    clue = "ELIMINATES: Piet Aldana - mainland | Sources: S9, S1, D4"
    assert patch({"id": 1, "discovered_clues": [clue]}).problems == (
        "variable 1: sources 'S9', 'D4' were not shown here; visible are S1, S2, S3, D1",
    )


@pytest.mark.parametrize("source", ["corpus:///ledger.txt", "ledger of the halden press", "D1"])
def test_a_uri_or_title_of_a_seen_document_is_stored_as_its_id(source: str) -> None:
    clue = f"ELIMINATES: Piet Aldana - mainland | Sources: {source}"
    assert changed(patch({"id": 1, "discovered_clues": [clue]})).discovered_clues == (
        "ELIMINATES: Piet Aldana - mainland | Sources: D1",
    )


REPORTED = State(
    state=(
        Variable(
            id=1,
            type="Person",
            question_clues=("c",),
            candidate="Ilse Varga",
            candidate_strength=0.6,
            discovered_clues=(render_report("Botanists.", "Ilse Varga, by S1", ["S1"]),),
        ),
        PLACE,
    ),
    answer_variable=1,
)


@pytest.mark.parametrize(
    "variable",
    [
        {"id": 1, "candidate": "Oda Brandt"},
        {"id": 1, "candidate_strength": 0.3},
        {"id": 2, "candidate": "Korren Isles"},
    ],
)
def test_in_mode_report_what_changes_needs_a_new_report(variable: dict[str, object]) -> None:
    assert patch(variable, using=rules("report"), base=REPORTED).problems == (
        f"variable {variable['id']}: candidate or strength changed; send a new REPORT with it",
    )


def test_in_mode_report_a_rewritten_report_passes_and_the_others_stay() -> None:
    report = render_report("Ilse Varga dropped, mainland.", "Oda Brandt, by S2", ["S2"])
    variable = {"id": 1, "candidate": "Oda Brandt", "discovered_clues": [report]}
    outcome = patch(variable, using=rules("report"), base=REPORTED)
    assert changed(outcome).discovered_clues == (report,)
    assert changed(outcome, 2) == PLACE


def test_in_mode_report_faults_and_unseen_sources_are_told_together() -> None:
    report = render_report("Botanists searched.", "Oda Brandt, by S9", ["S9"])
    variable = {"id": 1, "candidate": "Oda Brandt", "discovered_clues": report}
    (branch,) = normalise_branches([variable])  # type: ignore[misc]
    assert patch(*branch, using=rules("report"), base=REPORTED).problems == (
        "variable 1: `History:` does not say why 'Ilse Varga' was dropped",
        "variable 1: sources 'S9' were not shown here; visible are S1, S2, S3, D1",
    )


def test_mode_none_empties_every_clue_list_sent_or_not() -> None:
    outcome = patch(
        {"id": 2, "candidate": "Korren Isles", "discovered_clues": ["anything"]},
        using=rules("none"),
    )
    assert changed(outcome, 1).discovered_clues == ()
    assert changed(outcome, 2).discovered_clues == ()


def test_visible_ids_are_the_newest_segments_in_order_then_documents() -> None:
    many = PatchRules(
        creation=StateCreationAgent(),
        mode="none",
        seen_segments=frozenset(f"S{n}" for n in range(1, 13)),
        seen_documents={"D1": "a", "D2": "b"},
    )
    assert visible_ids(many, limit=3) == ["S10", "S11", "S12"]
    assert visible_ids(many, limit=13) == [*(f"S{n}" for n in range(1, 13)), "D2"]
    assert len(visible_ids(many)) == 14
