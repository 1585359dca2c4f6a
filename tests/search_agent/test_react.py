"""ReAct: one conversation of search and answer."""

import threading

import pytest

from tests.search_agent.scripted_search import ONE_HOP, PRINTED, Clock, answering, searching

QUERY = searching("diary of Ilse Varga printed")
MISSING = {"thought": "", "missing": "who printed it"}


@pytest.fixture
def search(search):
    """Searches for the second hop alone."""
    search.question = ONE_HOP
    return search


def react(search, replies, **settings):
    return search.ask(replies, strategy="react", **settings)


def test_it_searches_and_cites(search):
    result = react(search, [QUERY, answering("S1")])
    assert (result.status, result.termination, result.strategy) == ("answered", "answer", "react")
    ((citation,),) = (claim.citations for claim in result.claims)
    assert (citation.quote, citation.exists) == (PRINTED, True)
    search.model.assert_finished()


def test_it_abstains_and_says_what_is_missing(search):
    result = react(search, [QUERY, MISSING])
    assert (result.status, result.answer, result.exit_code) == ("abstained", None, 3)
    assert "missing: who printed it" in result.flags


def test_it_cannot_answer_before_it_has_seen_anything(search):
    react(search, [answering("S1"), QUERY, answering("S1")])
    assert len(search.events("reply_rejected")) == 1


def test_it_cannot_give_up_before_it_has_searched(search):
    result = react(search, [MISSING, QUERY, answering("S1")])
    assert result.status == "answered"
    assert len(search.events("reply_rejected")) == 1


def test_a_search_sent_again_and_again_closes_searching_until_a_reply_is_taken(search):
    result = react(search, [QUERY, QUERY, QUERY, searching("ledger"), answering("S1")])
    assert result.status == "answered"
    # the last search came when no search was on offer
    assert len(search.events("reply_rejected")) == 2
    assert ["ledger"] not in search.queries()


def test_steps_that_are_spent_end_it_and_the_last_cannot_search(search):
    result = react(
        search,
        [QUERY, searching("ledger"), searching("ledger of 1912")],
        react__max_steps=3,
    )
    assert (result.termination, result.exit_code) == ("actions_explored_limit", 4)
    assert search.queries() == [["diary of Ilse Varga printed"], ["ledger"]]


def test_replies_rejected_in_a_row_end_it(search):
    result = react(search, ["bad"] * 3, creation__max_consecutive_errors=3)
    assert (result.termination, result.exit_code) == ("fail_limit", 4)


def test_the_time_limit_ends_it(search):
    clock = Clock()

    def slow(_messages):
        clock.now += 11
        return QUERY

    result = react(search, [slow], clock=clock, params__time_limit=10)
    assert (result.termination, result.exit_code) == ("time_limit", 4)


def test_an_interruption_ends_it(search):
    stop = threading.Event()

    def stopping(_messages):
        stop.set()
        return QUERY

    result = react(search, [stopping], cancelled=stop)
    assert (result.termination, result.status, result.exit_code) == ("cancelled", "abstained", 130)


@pytest.mark.parametrize(("allowed", "status"), [(True, "guess"), (False, "abstained")])
def test_an_answer_the_judge_denies_is_a_guess_at_best(search, allowed, status):
    result = react(
        search,
        [QUERY, answering("S1")],
        labels={"yes": 0.02, "no": 0.98},
        params__provide_best_guess=allowed,
    )
    assert result.status == status
    assert "answer_unsupported" in result.flags


def test_the_same_search_runs_once(search):
    react(search, [QUERY, QUERY, answering("S1")])
    assert len(search.queries()) == 1


def test_the_whole_answer_comes_from_the_searched_text(search):
    result = react(search, [QUERY, answering("S99"), answering("S1")])
    assert len(search.events("reply_rejected")) == 1
    assert result.status == "answered"
