"""Single-shot: one search by code, one reply."""

import pytest

from search_agent.session import RESERVE_TOKENS
from tests.search_agent.scripted_search import Clock, answering

QUESTION = "Which press printed the diary of Ilse Varga?"


def single(search, replies, question=QUESTION, **settings):
    return search.ask(replies, strategy="single-shot", question=question, **settings)


def test_one_search_and_one_reply(search):
    result = single(search, [answering("S1")])
    assert (result.status, result.answer) == ("answered", "Halden Press")
    assert search.queries() == [[QUESTION]]
    assert result.usage.by_role.keys() == {"single-shot", "judge"}


def test_nothing_found_is_an_abstention_without_a_call(search):
    result = single(search, [], question="zeppelin quetzal?")
    assert (result.status, result.usage.calls, result.exit_code) == ("abstained", 0, 3)


def test_it_can_say_what_is_missing(search):
    result = single(search, [{"thought": "", "missing": "the year"}])
    assert (result.status, "missing: the year" in result.flags) == ("abstained", True)


def test_one_bad_reply_is_told_what_was_wrong_and_the_second_counts(search):
    result = single(search, [answering("S77"), answering("S1")])
    assert result.status == "answered"
    assert len(search.events("reply_rejected")) == 1


def test_two_bad_replies_end_it(search):
    result = single(search, ["bad", "worse"])
    assert (result.termination, result.exit_code) == ("fail_limit", 4)


def test_a_deadline_ends_it(search):
    clock = Clock()

    def slow(_messages):
        clock.now += 11
        return "bad"

    result = single(search, [slow, answering("S1")], clock=clock, params__time_limit=10)
    assert result.termination == "time_limit"


@pytest.mark.parametrize("n_ctx", [2048, 4096])
def test_its_prompts_fit_with_long_passages_and_a_long_bad_reply(search, corpus, n_ctx):
    for number in range(12):
        lines = [f"the diary printed in volume {number} on page {n} " * 4 for n in range(20)]
        corpus.add(f"{number}.md", *lines, title=f"Volume {number}")
    search.searcher = corpus.open()
    single(
        search,
        ["bad reply " * 3000, {"thought": "", "missing": "all"}],
        question="Which press printed the diary? " + "Was it printed in winter? " * (n_ctx // 90),
        llm__n_ctx=n_ctx,
    )
    assert [
        call
        for call in search.model.calls
        if search.model.count_tokens(call.messages) + call.max_tokens + RESERVE_TOKENS > n_ctx
    ] == []
    assert len(search.model.calls) == 2
