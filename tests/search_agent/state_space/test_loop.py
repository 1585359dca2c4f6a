"""The loop: draw, run, take in, until something ends the search."""

import pytest

from tests.search_agent.scripted_search import (
    AUTHOR_CLUE,
    PRINTED,
    TWO_HOPS,
    WRITTEN,
    answering,
    candidates,
    directions,
    one_variable,
    searching,
    variables,
)


def test_two_hops_end_in_an_answer_with_checked_citations(search):
    result = search.ask(TWO_HOPS)
    assert (result.status, result.termination, result.answer, result.exit_code) == (
        "answered",
        "answer",
        "Halden Press",
        0,
    )
    ((citation,),) = (claim.citations for claim in result.claims)
    assert (citation.quote, citation.exists, citation.source_check) == (PRINTED, True, "match")
    assert (result.rates.citations_exist, result.rates.claims_supported) == (1.0, 1.0)
    search.model.assert_finished()


def test_the_second_hop_searches_with_the_first_hops_candidate(search):
    search.ask(TWO_HOPS)
    assert search.queries()[0] == [AUTHOR_CLUE]
    assert "printed the diary of Ilse Varga" in search.queries()[1]


def test_every_system_message_of_a_role_is_the_same_in_a_search(search):
    search.ask(["no json", *TWO_HOPS[:1], "no json", TWO_HOPS[1], searching("x"), *TWO_HOPS[2:]])
    by_role = {}
    for call, data in zip(search.model.calls, search.events("model_call"), strict=True):
        if data["role"] != "judge":
            by_role.setdefault(data["role"], set()).add(call.messages[0])
    assert by_role.keys() == {"init", "find", "run"}
    assert [len(systems) for systems in by_role.values()] == [1] * len(by_role)


def test_the_gold_answer_is_in_no_stored_message(search):
    result = search.ask(TWO_HOPS, gold_answer="Gold Quince Press")
    assert result.gold_answer == "Gold Quince Press"
    assert "Gold Quince" not in (search.run_dir / "messages.jsonl").read_text()
    assert "Gold Quince" not in (search.run_dir / "trajectory.jsonl").read_text()


def test_a_duplicate_state_is_named_and_not_expanded(search):
    def script(call):
        if call.call_path.startswith("0_0"):
            return candidates({1: ("Halden Press", 0.5)})
        if call.call_path == "0_x/find/1":
            return directions("the diary", "the ledger")
        return one_variable() if call.call_path == "init/1" else candidates()

    search.ask(by_call=script, params__retry_count_on_empty_action_space=0)
    assert [(d["id"], d["duplicate_of"]) for d in search.events("duplicate_state")] == [
        ("001_000002", "001_000001")
    ]
    assert [d["state"] for d in search.events("proposals_created")].count("001_000002") == 0


@pytest.mark.parametrize("kind", [RuntimeError, StopIteration, KeyError, AssertionError])
def test_an_exception_in_one_action_does_not_end_the_search(search, kind):
    fault_text = "a bug in one action"

    def script(call):
        if call.call_path.startswith("0_01/"):
            raise kind(fault_text)
        if call.call_path == "0_x/find/1":
            return directions(AUTHOR_CLUE, "who described the plants of Korren")
        if call.call_path.startswith("0_00/"):
            return candidates({1: ("Ilse Varga", 0.8)})
        return variables() if call.call_path == "init/1" else answering("S3")

    result = search.ask(by_call=script, params__retry_count_on_empty_action_space=0)
    (fault,) = search.events("internal_error")
    assert (fault["id"], fault["code"]) == ("0_01", 211001)
    assert ("StopIteration" if kind is StopIteration else fault_text) in fault["error"]
    assert (result.status, result.answer, result.fail_count) == ("answered", "Halden Press", 1)


def test_three_exceptions_end_the_search_with_an_error(search):
    def script(call):
        if call.call_path == "init/1":
            return one_variable()
        if call.call_path == "0_x/find/1":
            return directions("one", "two", "three", "four")
        raise RuntimeError(call.call_path)

    result = search.ask(by_call=script)
    assert (result.status, result.termination, result.exit_code) == ("error", "error", 1)
    assert len(search.events("internal_error")) == 3
    assert result.error in {f"0_0{n}/t1/a0" for n in range(4)}


def test_the_strongest_of_three_collected_answers_wins_and_equal_ones_are_counted(search):
    def weak(name, strength):
        said = f"The diary of Ilse Varga was printed by the {name}."
        reply = answering("S1", text=name, claim=said)
        reply["answer"]["new_state"] = [
            {"id": 1, "candidate": name, "candidate_strength": strength}
        ]
        return reply

    result = search.ask(
        [
            one_variable(),
            directions("printed the diary of Ilse Varga", "diary printed", "Varga diary"),
            weak("Halden Press", 0.8),
            weak("Corbel Press", 0.95),
            weak("halden press", 0.75),
        ],
        params__answer_mode_top_k=3,
        params__answer_min_support=0.0,
    )
    assert (result.termination, result.answer) == ("answer", "Corbel Press")
    assert [(row["answer"], row["count"]) for row in result.answers] == [
        ("Corbel Press", 1),
        ("Halden Press", 2),
    ]


def test_an_empty_pool_asks_the_root_again_with_everything_tried(search):
    result = search.ask(
        [
            one_variable(),
            directions("the first way"),
            candidates(note="the registers are silent"),
            directions("another way"),
            candidates(),
        ],
        params__retry_count_on_empty_action_space=1,
    )
    assert result.termination == "action_pool_depleted"
    (prompt,) = search.prompts("0r1")[:1]
    assert "the first way" in prompt
    assert "the registers are silent" in prompt
    (ledger,) = search.events("ledger_rendered")
    assert (ledger["full"], ledger["short"], ledger["omitted"]) == (1, 0, 0)
    search.model.assert_finished()


def test_a_simple_retry_shows_nothing_of_what_was_tried(search):
    search.ask(
        [
            one_variable(),
            directions("the first way"),
            candidates(note="silent"),
            directions("another"),
            candidates(),
        ],
        params__retry_count_on_empty_action_space=1,
        find__action_pool_depleted_strategy="simple_retry",
    )
    assert all("silent" not in prompt for prompt in search.prompts("0r1_x"))
    assert search.events("ledger_rendered") == []


@pytest.mark.parametrize("when_drawn", [True, False])
def test_a_new_state_gets_its_directions_when_drawn_or_at_once(search, when_drawn):
    result = search.ask(
        [
            variables(),
            directions(AUTHOR_CLUE),
            candidates({1: ("Ilse Varga", 0.6)}),
            *([] if when_drawn else [directions("press of the diary of Ilse Varga")]),
            answering("S3"),
        ],
        find__expand_when_drawn=when_drawn,
    )
    assert result.answer == "Halden Press"
    assert len(search.events("expansion_finished")) == (1 if when_drawn else 2)
    search.model.assert_finished()


def test_the_second_hop_is_shown_the_first_hops_evidence_under_a_citable_id(search):
    search.ask(TWO_HOPS)
    told = "\n".join(search.prompts("001_"))
    assert "Found before:" in told
    assert f"[S1] {WRITTEN}" in told


def test_an_anchored_answer_cites_the_earlier_hop_too(search):
    beside = answering("S4", claim="Three hundred copies were made by somebody.")
    result = search.ask([*TWO_HOPS[:-1], beside])
    assert [claim.text for claim in result.claims] == [
        "printed the diary of Ilse Varga: Halden Press",
        "author of the Korren flora: Ilse Varga",
    ]
    assert [c.quote for claim in result.claims for c in claim.citations] == [PRINTED, WRITTEN]
    assert "answer_anchored" in result.flags


def test_a_reading_that_names_as_unknown_what_is_given_gives_way_to_the_plain_question(search):
    again = candidates({1: (AUTHOR_CLUE, 0.9)})
    result = search.ask(
        [variables(), again, answering("S3")],
        init__directions="clues",
        citations__answers_min=0.0,
    )
    assert result.answer == "Halden Press"
    claim = result.claims[0]  # by code; it cites the passage that names the flora as well
    assert [citation.quote for citation in claim.citations] == [PRINTED, WRITTEN]
    started = search.events("action_started")
    assert [d["direction"] for d in started] == [AUTHOR_CLUE, search.question]
    plain = search.events("state_created")[-1]["state"]
    assert [v["question_clues"] for v in plain["state"]] == [[search.question]]


def test_the_plain_question_is_asked_once_when_the_roots_directions_have_found_nothing(search):
    search.ask(
        [variables(), candidates(), candidates(), candidates()],
        init__directions="clues",
        params__actions_explored_limit=3,
    )
    started = search.events("action_started")
    assert [d["direction"] for d in started] == [AUTHOR_CLUE, search.question, search.question]
    assert [d["id"].rpartition("_")[0] for d in started] == ["0", "0", "000_000001"]


def test_an_answer_that_repeats_what_is_known_is_asked_for_as_an_unknown(search):
    again = answering("S3", text="Ilse Varga", claim=PRINTED)
    value = candidates({2: ("Halden Press", 0.9)})
    result = search.ask([*TWO_HOPS[:3], again, value])
    assert (result.status, result.answer) == ("answered", "Halden Press")
    assert result.claims[0].citations[0].quote == PRINTED
    assert (
        "Find: V2, a Press: printed the diary of Ilse Varga" in search.prompts("001_000001_00")[1]
    )
