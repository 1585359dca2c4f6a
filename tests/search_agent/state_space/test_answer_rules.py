"""Answers: one string, claims that state it from what was seen, a state left behind (R17–R22)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_agent.config import StateCreationAgent
from search_agent.state_space.answer_rules import (
    AnswerOutcome,
    answer_text,
    check_answer,
    is_derived,
)
from search_agent.state_space.patch import PatchRules
from search_agent.state_space.records import CluesMode, Elimination, State, Variable

BASE = State(
    state=(
        Variable(id=1, type="Person", question_clues=("catalogued the flora",)),
        Variable(id=2, type="Island", question_clues=("an island",)),
    ),
    answer_variable=1,
)
VARGA = {"text": "Ilse Varga wrote the 1911 flora catalogue.", "segment_ids": ["S40"]}


def rules(
    seen: Sequence[str] = ("S40", "S44", "S45"),
    *,
    mode: CluesMode = "blacklist",
    creation: StateCreationAgent | None = None,
    eliminations: Sequence[Elimination] = (),
) -> PatchRules:
    return PatchRules(
        creation=creation or StateCreationAgent(),
        mode=mode,
        seen_segments=frozenset(seen),
        search_eliminations=tuple(eliminations),
    )


def check(
    answer: object = "Ilse Varga",
    claims: object = (VARGA,),
    *,
    new_state: object = (),
    base: State = BASE,
    using: PatchRules | None = None,
    is_last_try: bool = False,
) -> AnswerOutcome:
    raw: Mapping[str, Any] = {
        "answer": answer,
        "claims": list(claims) if isinstance(claims, tuple) else claims,
        "new_state": list(new_state) if isinstance(new_state, tuple) else new_state,
    }
    return check_answer(raw, base, using or rules(), is_last_try=is_last_try)


def test_the_documented_answer_passes_with_its_claims_and_its_patch() -> None:
    diary = {"text": "Her diary was printed by the Halden Press.", "segment_ids": ["S44", "S45"]}
    patch = {"id": 1, "candidate": "Ilse Varga", "candidate_strength": 0.95}
    outcome = check(claims=(VARGA, diary), new_state=(patch,))
    assert outcome.problems == ()
    assert outcome.flags == ()
    assert outcome.text == "Ilse Varga"
    assert outcome.claims == (
        ("Ilse Varga wrote the 1911 flora catalogue.", ("S40",)),
        ("Her diary was printed by the Halden Press.", ("S44", "S45")),
    )
    assert outcome.variables[0].candidate_strength == 0.95
    assert outcome.events == ()


# R17: one string.


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("  Ilse Varga ", "Ilse Varga"),
        (1912, "1912"),
        (1912.0, "1912"),
        (2.5, "2.5"),
        ("x" * 500, "x" * 500),
    ],
)
def test_an_answer_is_a_trimmed_string_and_numbers_become_one(sent: object, text: str) -> None:
    assert answer_text(sent) == text


@pytest.mark.parametrize(
    "sent", [True, False, None, [], ["Varga"], {"a": 1}, "", " . ", float("nan"), "x" * 501]
)
def test_anything_else_is_refused_as_an_answer(sent: object) -> None:
    assert answer_text(sent) is None
    assert any(
        problem == f"answer {sent!r} must be one string of 1 to 500 characters"
        for problem in check(sent).problems
    )


# R18, R19: claims that state it, from segments that were seen.


@pytest.mark.parametrize("claims", [None, [], "none", [VARGA] * 13])
def test_an_answer_needs_one_to_twelve_claims(claims: object) -> None:
    assert check(claims=claims).problems == (
        "an answer needs 1 to 12 claims, each with the ids of its segments",
    )


def test_an_unseen_id_is_refused_with_those_that_are_visible() -> None:
    claim = {"text": "Ilse Varga wrote it.", "segment_ids": ["S40", "S99"]}
    assert check(claims=(claim,)).problems == (
        "claim 1: sources 'S99' were not shown here; visible are S40, S44, S45",
    )


@pytest.mark.parametrize("ids", [None, [], "", [f"S{n}" for n in range(9)]])
def test_each_claim_needs_one_to_eight_ids(ids: object) -> None:
    claim = {"text": "Ilse Varga wrote it.", "segment_ids": ids}
    using = rules([f"S{n}" for n in range(9)])
    (problem,) = check(claims=(claim,), using=using).problems
    assert problem.startswith("claim 1 needs 1 to 8 segment ids, has ")


@pytest.mark.parametrize("text", [None, "", 7, "x" * 401])
def test_each_claim_needs_a_text_of_up_to_400_characters(text: object) -> None:
    claim = {"text": text, "segment_ids": ["S40"]}
    assert check(claims=(claim,)).problems == ("claim 1 needs a text of 1 to 400 characters",)


@pytest.mark.parametrize("ids", ["S40", "S40, S44", "[S40]", '["S40"]', ["S40", "S40"]])
def test_ids_written_as_one_string_are_ids(ids: object) -> None:
    claim = {"text": "Ilse Varga wrote it.", "segment_ids": ids}
    assert check(claims=(claim,)).problems == ()


CARRIED: list[tuple[str, str, bool]] = [
    ("Ilse Varga", "The catalogue is by ILSE  VARGA, of Halden.", True),
    ("Ilse Varga", "The catalogue is by Varga.", False),  # 1 of 2 tokens: 0.5
    ("Ilse Anna Varga", "Varga, Ilse, compiled it.", True),  # 2 of 3: 0.67
    ("the old Halden press works", "The Halden Press printed it.", True),  # 3 of 5: 0.6
    ("the old Halden press works", "Halden Press did.", False),  # 2 of 5: 0.4
    ("version 12", "It began in 1912 as version 3.", False),  # 1 of 2, and 12 is not in 1912
    ("哈尔登出版社", "日记由哈尔登出版社印刷。", True),
    ("哈尔登大出版社", "日记由哈尔登出版社印刷。", True),  # 哈尔 尔登 出版 版社 of 6 bigrams: 0.67
    ("哈尔登出版社", "日记由另一家出版社印刷。", False),  # 出版 版社 of 5: 0.4
    ("서울", "본사는 서울에서 옮겨졌다.", True),
]


@pytest.mark.parametrize(("answer", "claim", "is_carried"), CARRIED)
def test_some_claim_must_name_the_answer_or_cover_60_percent_of_its_tokens(
    answer: str, claim: str, is_carried: bool
) -> None:
    problems = check(answer, ({"text": claim, "segment_ids": ["S40"]},)).problems
    expected = (
        () if is_carried else (f"no claim states the answer {answer!r}; one of them must name it",)
    )
    assert problems == expected


def test_a_claim_that_names_the_candidate_carries_the_answer_too() -> None:
    outcome = check("the author of the flora", new_state=({"id": 1, "candidate": "Ilse Varga"},))
    assert outcome.problems == ()


def test_on_the_last_try_unknown_ids_go_and_a_claim_without_ids_stays_uncited() -> None:
    claims = (
        {"text": "Ilse Varga wrote it.", "segment_ids": ["S99"]},
        {"text": "She lived in Halden.", "segment_ids": ["S99", "S44"]},
    )
    outcome = check(claims=claims, is_last_try=True)
    assert outcome.problems == ()
    assert outcome.claims == (("Ilse Varga wrote it.", ()), ("She lived in Halden.", ("S44",)))
    assert outcome.flags == ("answer_not_claimed",)


def test_on_the_last_try_an_answer_that_no_claim_states_is_flagged() -> None:
    outcome = check(claims=({"text": "It rained.", "segment_ids": ["S40"]},), is_last_try=True)
    assert outcome.problems == ()
    assert outcome.flags == ("answer_not_claimed",)


def test_even_on_the_last_try_there_is_no_answer_without_any_claim() -> None:
    assert check(claims=[], is_last_try=True).problems != ()


# Derived answers (DESIGN §10.6).

DERIVED: list[tuple[str, bool]] = [
    ("yes", True),
    ("No.", True),
    ("是", True),
    ("否。", True),
    ("いいえ", True),
    ("1912", True),
    ("-3.5", True),
    ("1,250", True),
    ("12 %", True),
    ("300 copies", True),
    ("12 square kilometres", True),
    ("seven", True),
    ("twenty-one years", True),
    ("one hundred and five", True),
    ("4 May 1912", True),
    ("May 4th, 1912", True),
    ("1912-05-04", True),
    ("the 19th century", True),
    ("1912年5月4日", True),
    ("三百册", True),
    ("约20人", True),
    ("二十一", True),
    ("Ilse Varga", False),
    ("7 Samurai", False),
    ("Boeing 747", False),
    ("May", False),
    ("the early century", False),
    ("300 copies of the diary", False),
    ("哈尔登出版社", False),
    ("年", False),
    ("三亚市海棠区", False),
]


@pytest.mark.parametrize(("answer", "derived"), DERIVED)
def test_yes_no_numbers_dates_and_counts_are_derived_and_names_are_not(
    answer: str, derived: bool
) -> None:
    assert is_derived(answer) is derived


def test_a_derived_answer_needs_only_a_claim_with_valid_ids_and_is_flagged() -> None:
    claim = {"text": "Both diaries were printed at Halden.", "segment_ids": ["S40", "S44"]}
    derived, stated = check("yes", (claim,)), check("1911", (VARGA,))
    assert (derived.problems, derived.flags) == ((), ("answer_derived",))
    assert (stated.problems, stated.flags) == ((), ())


def test_a_derived_answer_with_unseen_ids_only_is_refused() -> None:
    claim = {"text": "Both were printed at Halden.", "segment_ids": ["S98"]}
    (problem,) = check("yes", (claim,)).problems
    assert "'S98'" in problem


# R20: the answer variable is filled.


def test_an_empty_answer_variable_takes_the_answer() -> None:
    outcome = check()
    assert outcome.variables[0].candidate == "Ilse Varga"
    assert outcome.variables[0].candidate_strength == 0.71
    assert outcome.events == (("answer_filled", {"variable_id": 1, "candidate": "Ilse Varga"}),)


def test_with_strengths_off_the_filled_variable_has_none() -> None:
    off = rules(creation=StateCreationAgent(use_candidate_strength=False))
    assert check(using=off).variables[0].candidate_strength is None


def test_filling_asks_for_no_report() -> None:
    assert check(using=rules(mode="report")).problems == ()


def test_a_candidate_that_is_there_is_kept() -> None:
    outcome = check("I. Varga, wrote the 1911 flora", new_state=({"id": 1, "candidate": "Varga"},))
    assert outcome.variables[0].candidate == "Varga"
    assert [kind for kind, _ in outcome.events] == ["strength_defaulted"]


@pytest.mark.parametrize("is_last_try", [False, True])
def test_a_filled_answer_that_is_ruled_out_is_refused(is_last_try: bool) -> None:
    found = Elimination(
        variable_id=1, candidate="Ilse Varga", reason="b. 1920", sources=("S40",), scope="search"
    )
    (problem,) = check(using=rules(eliminations=[found]), is_last_try=is_last_try).problems
    assert "'Ilse Varga' is ruled out" in problem


# The answer's own patch.


@pytest.mark.parametrize("new_state", [None, [], "[]", [{"id": 2, "candidate": "Korren"}]])
def test_the_patch_of_an_answer_may_be_absent_or_change_other_variables(new_state: object) -> None:
    assert check(new_state=new_state).problems == ()


def test_a_bad_patch_is_refused_and_on_the_last_try_dropped_for_the_answers_sake() -> None:
    bad = ({"id": 9, "candidate": "Korren"},)
    told = "id 9 is unknown; the ids are 1 (Person), 2 (Island)"
    assert check(new_state=bad).problems == (told,)
    last = check(new_state=bad, is_last_try=True)
    assert last.problems == ()
    assert last.variables[0].candidate == "Ilse Varga"
    assert last.events[0] == ("branches_salvaged", {"kept": [], "dropped": {"1": [told]}})


def test_an_answer_has_one_branch() -> None:
    twice = ({"id": 1, "candidate": "A"}, {"id": 1, "candidate": "B"})
    assert check(new_state=twice).problems == (
        "new_state of an answer is one list of variables, each id once",
    )


# R22: evidence first.


@pytest.mark.parametrize("is_last_try", [False, True])
def test_an_answer_before_anything_was_seen_is_refused(is_last_try: bool) -> None:
    problems = check(using=rules(seen=()), is_last_try=is_last_try).problems
    assert problems[0].startswith("nothing has been retrieved; search first")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "segment_ids", "id", "state"]), inner)
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(answer=ANYTHING, claims=ANYTHING, new_state=ANYTHING, is_last_try=st.booleans())
def test_no_reply_raises_and_an_answer_taken_has_text_claims_and_a_candidate(
    answer: object, claims: object, new_state: object, is_last_try: bool
) -> None:
    outcome = check(answer, claims, new_state=new_state, is_last_try=is_last_try)
    if not outcome.problems:
        assert outcome.text
        assert outcome.claims
        assert all(set(ids) <= {"S40", "S44", "S45"} for _, ids in outcome.claims)
