"""The turns of an action, and the ladder that makes them fit: rung by rung, evidence kept."""

import pytest

from search_agent.model.protocol import Message
from search_agent.session import RESERVE_TOKENS
from search_agent.state_space.conversation import Conversation
from tests.search_agent.scripted_search import (
    answering,
    candidates,
    directions,
    one_variable,
    searching,
)

WORDS = ("harbour", "ledger", "printer", "island", "winter", "survey", "diary", "keeper", "copper")
LADDER = ("rows_compacted", "overflow_strategy", "forced_wrap_up")
OPENING = (one_variable(), directions("printed the diary"))


@pytest.fixture
def long_search(corpus, search):
    """The corpus with thirty long documents that every query of ``WORDS`` finds."""
    for number, word in enumerate(WORDS * 3):
        lines = [
            f"{word} {WORDS[(number + n) % 9]} entry {number}-{n} of the long register of the coast"
            for n in range(12)
        ]
        corpus.add(f"long{number}.md", *lines, title=f"Register {number}", chunk_size=6)
    search.searcher = corpus.open()
    return search


def searches(count):
    return [searching(f"{WORDS[n % 9]} register {n}") for n in range(count)]


def test_neighbouring_turns_of_one_role_are_one_message():
    conversation = Conversation(system=Message(role="system", content="s"), opening="question")
    conversation.add_note("note")
    conversation.add_reply("call")
    conversation.add_note("row")
    conversation.nudge = "now"
    assert [(m.role, m.content) for m in conversation.messages()] == [
        ("system", "s"),
        ("user", "question\nnote"),
        ("assistant", "call"),
        ("user", "row\nnow"),
    ]


def test_a_nudge_is_replaced_and_never_piled_up():
    conversation = Conversation(system=Message(role="system", content="s"), opening="question")
    conversation.nudge = "first"
    conversation.nudge = "second"
    assert conversation.messages()[-1].content == "question\nsecond"


def test_a_rejected_reply_leaves_with_the_next_accepted_one():
    conversation = Conversation(system=Message(role="system", content="s"), opening="question")
    conversation.reject("bad", ["why"])
    assert "bad" in str(conversation.messages())
    conversation.add_reply("good")
    assert "bad" not in str(conversation.messages())


def fits(search):
    """``prompt + output + 64 ≤ n_ctx`` for every reply; judged prompts have no output."""
    n_ctx, count = search.model.context_length, search.model.count_tokens
    return all(
        count(call.messages) + call.max_tokens + RESERVE_TOKENS <= n_ctx
        for call in search.model.calls
        if call.kind == "complete"
    )


@pytest.mark.parametrize(
    ("n_ctx", "strategy"),
    [
        (2048, "reduced_retrieval_request"),
        (2048, "delete_tool_responses"),
        (2048, "delete_tool_input_and_responses"),
        (4096, "reduced_retrieval_request"),
    ],
)
def test_every_prompt_fits_however_long_an_action_is(long_search, n_ctx, strategy):
    long_search.ask(
        [*OPENING, *searches(36), "bad " * 2000, *searches(100)[40:60], candidates()],
        llm__n_ctx=n_ctx,
        creation__max_llm_calls_per_run=100,
        creation__context_limit_reached_strategy=strategy,
        creation__tool_output_tokens_max=500,
        params__actions_explored_limit=1,
    )
    assert fits(long_search)
    assert long_search.events("internal_error") == []
    assert sum(len(long_search.events(kind)) for kind in LADDER) > 0


@pytest.mark.parametrize("n_ctx", [2048, 4096])
def test_every_prompt_of_react_fits_too(long_search, n_ctx):
    long_search.ask(
        [*searches(40), {"thought": "", "missing": "the press"}],
        strategy="react",
        llm__n_ctx=n_ctx,
        creation__tool_output_tokens_max=500,
    )
    assert fits(long_search)


@pytest.mark.parametrize("n_ctx", [2048, 4096])
def test_every_prompt_of_find_action_fits_with_a_long_ledger_and_a_long_bad_reply(search, n_ctx):
    def script(call):
        if call.call_path == "init/1":
            return one_variable()
        if "/find/" in call.call_path:
            if call.call_path.endswith("/1"):
                return "bad reply " * 2000
            name = call.call_path.split("/")[0]
            return directions(*(f"{name} way {n} " + "along the coast " * 8 for n in range(12)))
        return candidates(note="nothing " * 20)

    search.ask(
        by_call=script,
        llm__n_ctx=n_ctx,
        find__action_proposals_limit=12,
        params__retry_count_on_empty_action_space=3,
    )
    assert fits(search)
    assert len(search.events("depletion_retry")) == 3


def test_the_rungs_fire_in_order_and_each_strategy_once(long_search):
    long_search.ask(
        [*OPENING, *searches(30)],
        llm__n_ctx=2048,
        creation__max_llm_calls_per_run=40,
        creation__tool_output_tokens_max=1400,
        creation__keep_recent_tool_rows=1,
        params__actions_explored_limit=1,
        params__retry_count_on_empty_action_space=0,
    )
    kinds = [kind for kind, _ in long_search.told if kind in LADDER]
    strategies = [data["strategy"] for data in long_search.events("overflow_strategy")]
    assert kinds.index("overflow_strategy") < kinds.index("forced_wrap_up")
    assert (
        strategies
        == [
            "reduced_retrieval_request",
            "delete_tool_responses",
            "delete_tool_input_and_responses",
        ][: len(strategies)]
    )
    assert kinds.count("forced_wrap_up") == 1
    last = long_search.prompts("0_00")[-1]
    assert "earlier search for" in last  # the digest outlives the second restart


def test_the_named_strategy_comes_first_and_without_the_ladder_alone(long_search):
    long_search.ask(
        [*OPENING, *searches(12)],
        llm__n_ctx=2048,
        creation__overflow_ladder=False,
        creation__context_limit_reached_strategy="delete_tool_responses",
        creation__max_llm_calls_per_run=40,
        creation__tool_output_tokens_max=1400,
        params__actions_explored_limit=1,
        params__retry_count_on_empty_action_space=0,
    )
    assert [d["strategy"] for d in long_search.events("overflow_strategy")] == [
        "delete_tool_responses"
    ]
    assert long_search.events("rows_compacted") == []
    assert long_search.events("action_finished")[0]["error_code"] == 211010


def test_the_strategy_fail_ends_the_action_at_once(long_search):
    result = long_search.ask(
        [*OPENING, *searches(12)],
        llm__n_ctx=2048,
        creation__overflow_ladder=False,
        creation__context_limit_reached_strategy="fail",
        creation__max_llm_calls_per_run=40,
        creation__tool_output_tokens_max=1400,
        params__actions_explored_limit=1,
    )
    (ended,) = long_search.events("action_finished")
    assert (ended["error_code"], result.fail_count) == (211010, 1)


def test_evidence_survives_every_rung_and_can_still_be_cited(search, long_search):
    many = searches(30)

    def script(call):
        if call.call_path in {"init/1", "0_x/find/1"}:
            return OPENING[call.call_path != "init/1"]
        if "ToolsReply" in str(call.reply_type.model_json_schema()):
            return many.pop(0)
        return answering("S1", claim="Halden Press printed the diary of Ilse Varga.")

    result = long_search.ask(
        by_call=script,
        llm__n_ctx=2048,
        creation__max_llm_calls_per_run=40,
        creation__tool_output_tokens_max=600,
        params__answer_min_support=0.0,
    )
    assert sum(len(long_search.events(kind)) for kind in LADDER) > 0
    assert result.status == "answered"
    assert {c.exists for claim in result.claims for c in claim.citations} == {True}


def test_a_compacted_row_names_its_query_its_documents_and_their_segments(long_search):
    long_search.ask(
        [*OPENING, *searches(6), candidates()],
        retrieval__repeat_seen="full",
        creation__max_llm_calls_per_run=20,
        creation__tool_output_tokens_max=900,
        creation__keep_recent_tool_rows=1,
        params__actions_explored_limit=1,
    )
    assert len(long_search.events("rows_compacted")) >= 1
    told = "\n".join(long_search.prompts("0_00"))
    assert "earlier search for printed the diary" in told
    assert 'D1 "Ledger of the Halden Press": S1' in told


def test_reduced_retrieval_halves_what_a_query_brings(long_search):
    long_search.ask(
        [*OPENING, *searches(30)],
        llm__n_ctx=2048,
        creation__max_llm_calls_per_run=40,
        creation__tool_output_tokens_max=1000,
        retrieval__top_k=8,
        retrieval__top_k_multiply_factor=4,
        params__actions_explored_limit=1,
        params__retry_count_on_empty_action_space=0,
    )
    asked = [call["k"] for call in long_search.searcher.calls]
    assert set(asked) == {8 * 4, 4 * 2}
    assert asked == sorted(asked, reverse=True)


def test_what_was_cut_is_counted_in_the_result(long_search):
    result = long_search.ask(
        [*OPENING, *searches(20), candidates()],
        llm__n_ctx=2048,
        creation__max_llm_calls_per_run=40,
        creation__tool_output_tokens_max=500,
        params__actions_explored_limit=1,
    )
    for kind in (*LADDER, "tool_output_capped"):
        assert result.truncations.get(kind, 0) == len(long_search.events(kind))
