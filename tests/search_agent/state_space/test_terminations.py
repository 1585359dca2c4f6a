"""Every way a search can end, and the result each leaves behind."""

import json
import threading

import pytest

from search_agent.errors import ContextOverflow, ModelCallFailed
from search_agent.final_result import FinalResult
from search_agent.model.protocol import Reply, Usage
from tests.search_agent.scripted_search import (
    ONE_HOP,
    Clock,
    answering,
    candidates,
    directions,
    one_variable,
)

OPENING = (one_variable(), directions("printed the diary", "the ledger"))
HALDEN = answering("S1", claim="Halden Press printed the diary of Ilse Varga.")
NO_RETRY = {"params__retry_count_on_empty_action_space": 0}


@pytest.fixture
def search(search):
    """Searches for the second hop alone."""
    search.question = ONE_HOP
    return search


def saved(search):
    """The result as it stands on disk: valid, and the manifest beside it."""
    content = (search.run_dir / "final_result.json").read_bytes()
    manifest = json.loads((search.run_dir / "manifest.json").read_text())
    result = FinalResult.model_validate_json(content)
    assert manifest["trajectory_head"] == result.trajectory_head == search.recorded()[-1].hash
    assert (search.run_dir / "answer.md").is_file()
    assert (search.run_dir / "answer.html").is_file()
    return result


def outcome(search):
    result = saved(search)
    return result.termination, result.status, result.exit_code


def passing(clock, seconds, reply):
    """A reply that takes this long."""

    def after(_messages):
        clock.now += seconds
        return reply

    return after


def test_answer(search):
    search.ask([*OPENING, HALDEN])
    assert outcome(search) == ("answer", "answered", 0)


def test_time_limit(search):
    clock = Clock()
    search.ask([*OPENING, passing(clock, 11, candidates())], clock=clock, params__time_limit=10)
    assert outcome(search) == ("time_limit", "abstained", 4)
    assert len(search.events("time_limit_reached")) == 1


def test_timeout_guess(search):
    clock = Clock()
    held = passing(clock, 11, candidates({1: ("Halden Press", 0.6)}))
    result = search.ask(
        [*OPENING, held], clock=clock, params__time_limit=10, params__provide_best_guess=True
    )
    assert outcome(search) == ("timeout_guess", "guess", 0)
    assert result.answer == "Halden Press"


def test_timeout_answer(search):
    clock = Clock()
    result = search.ask(
        [*OPENING, passing(clock, 11, HALDEN)],
        clock=clock,
        params__time_limit=10,
        params__answer_mode_top_k=2,
        params__answer_min_support=0.0,
    )
    assert outcome(search) == ("timeout_answer", "answered", 0)
    assert result.answer == "Halden Press"


@pytest.mark.parametrize(
    ("allowed", "least", "ending"),
    [
        (True, 0.0, ("actions_explored_limit", "guess", 0)),
        (True, 0.7, ("actions_explored_limit", "abstained", 4)),
        (False, 0.0, ("actions_explored_limit", "abstained", 4)),
    ],
)
def test_actions_explored_limit(search, allowed, least, ending):
    search.ask(
        [*OPENING, candidates({1: ("Halden Press", 0.6)})],
        params__actions_explored_limit=1,
        params__provide_best_guess=allowed,
        params__guess_min_strength=least,
    )
    assert outcome(search) == ending


def test_fail_limit(search):
    search.ask(
        [*OPENING, "bad", "bad"],
        creation__max_consecutive_errors=2,
        params__fail_limit=1,
    )
    assert outcome(search) == ("fail_limit", "abstained", 4)


def test_action_pool_depleted(search):
    search.ask([*OPENING, candidates(), candidates()], **NO_RETRY)
    assert outcome(search) == ("action_pool_depleted", "abstained", 3)


def test_fewer_answers_than_wanted_are_an_answer_when_the_pool_is_empty(search):
    search.ask([*OPENING, HALDEN, candidates()], params__answer_mode_top_k=3, **NO_RETRY)
    assert outcome(search) == ("action_pool_depleted", "answered", 0)


def test_cancelled_gives_a_guess_although_guesses_are_off(search):
    stop = threading.Event()

    def then_stop(_messages):
        stop.set()
        return candidates({1: ("Halden Press", 0.6)})

    result = search.ask([*OPENING, then_stop], cancelled=stop, params__provide_best_guess=False)
    assert outcome(search) == ("cancelled", "guess", 130)
    assert result.answer == "Halden Press"
    assert len(search.events("stop_requested")) == 1


def test_an_orderly_stop_still_judges_the_guess(search):
    stop = threading.Event()

    def then_stop(_messages):
        stop.set()
        return candidates({1: ("Halden Press", 0.6)})

    result = search.ask([*OPENING, then_stop], cancelled=stop)
    assert [claim.support.method for claim in result.claims] == ["judge+lexical"]


def test_cancelled_before_the_first_reply(search):
    stop = threading.Event()
    stop.set()
    search.ask(OPENING, cancelled=stop)
    assert outcome(search) == ("cancelled", "abstained", 130)


def test_a_reply_cut_by_the_deadline_is_not_counted_and_nothing_follows_but_the_end(search):
    late = Reply(text='{"thought":"', value=None, finish="deadline", usage=Usage(completion=3))
    result = search.ask([*OPENING, late])
    assert outcome(search) == ("time_limit", "abstained", 4)
    assert result.actions_explored == 0
    kinds = [event.kind for event in search.recorded()]
    after = kinds[max(i for i, kind in enumerate(kinds) if kind == "model_call") + 1 :]
    assert set(after) <= {"citation_checked", "search_finished"}


def lost(_call):
    message = "the model process is gone"
    raise ModelCallFailed(message)


def test_error_when_the_model_is_lost(search):
    result = search.ask(by_call=lost)
    assert outcome(search) == ("error", "error", 1)
    assert (result.error_code, "is gone" in result.message) == (211204, True)


def test_collected_answers_are_given_although_the_model_was_lost(search):
    def script(call):
        if call.call_path == "init/1":
            return OPENING[0]
        if call.call_path == "0_x/find/1":
            return OPENING[1]
        if any(c.call_path.startswith("0_0") for c in search.model.calls[:-1]):
            return lost(call)
        return HALDEN

    result = search.ask(by_call=script, params__answer_mode_top_k=2, params__answer_min_support=0.0)
    assert outcome(search) == ("error", "error", 1)
    assert result.answer == "Halden Press"


def test_a_bug_outside_the_actions_flies_on_and_leaves_a_result(search):
    def broken(_call):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.ask(by_call=broken)
    assert outcome(search) == ("error", "error", 1)


def test_a_prompt_that_did_not_fit_after_all_costs_its_action_and_not_the_search(search):
    def script(call):
        if call.call_path in {"init/1", "0_x/find/1"}:
            return OPENING[call.call_path != "init/1"]
        if not search.events("action_finished"):
            message = "the server counts otherwise"
            raise ContextOverflow(message)
        return HALDEN

    result = search.ask(by_call=script)
    first, second = search.events("action_finished")
    assert (first["outcome"], first["error_code"]) == ("error", 211010)
    assert (second["outcome"], result.status, result.fail_count) == ("answer", "answered", 1)
