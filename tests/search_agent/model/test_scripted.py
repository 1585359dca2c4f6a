"""ScriptedModel: plays its script, records what was asked, and fails when the two differ."""

import threading

import pytest
from pydantic import BaseModel, ConfigDict

from search_agent.errors import ContextOverflow
from search_agent.model.protocol import Deadline, Message, Reply, Usage
from search_agent.model.scripted import ScriptedModel, ScriptMismatch


class Choice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    pick: int


ASK = [Message(role="system", content="rules"), Message(role="user", content="pick one")]


def test_replies_are_played_in_order_and_calls_are_recorded():
    model = ScriptedModel([{"pick": 1}, "free words", Choice(pick=3)])
    first = model.complete(ASK, reply_type=Choice, max_tokens=20, unit="u", call_path="init/1")
    second = model.complete(ASK, max_tokens=20)
    third = model.complete(ASK, reply_type=Choice, max_tokens=20)
    assert (first.value, first.text) == (Choice(pick=1), '{"pick":1}')
    assert (second.value, second.text) == (None, "free words")
    assert third.value == Choice(pick=3)
    assert [call.call_path for call in model.calls] == ["init/1", "", ""]
    assert model.calls[0].messages == tuple(ASK)
    model.assert_finished()


def test_an_invalid_reply_has_a_problem_and_no_value():
    reply = ScriptedModel([{"pick": "many", "more": 1}]).complete(
        ASK, reply_type=Choice, max_tokens=9
    )
    assert reply.value is None
    assert "pick" in reply.problem
    assert "more" in reply.problem


def test_a_whole_reply_is_played_as_it_is():
    cut = Reply(text='{"pi', value=None, finish="length", usage=Usage(completion=2), problem="cut")
    assert ScriptedModel([cut]).complete(ASK, reply_type=Choice, max_tokens=9) is cut


def test_a_function_sees_the_messages():
    model = ScriptedModel([lambda messages: {"pick": len(messages)}])
    assert model.complete(ASK, reply_type=Choice, max_tokens=9).value == Choice(pick=2)


def test_an_exhausted_script_says_which_call_found_it_so():
    model = ScriptedModel([{"pick": 1}])
    model.complete(ASK, max_tokens=9)
    with pytest.raises(ScriptMismatch, match=r"call 2 'a/t1' .* 1 replies exhausted"):
        model.complete(ASK, max_tokens=9, call_path="a/t1")


def test_leftovers_fail():
    model = ScriptedModel([{"pick": 1}, {"pick": 2}])
    model.complete(ASK, max_tokens=9)
    with pytest.raises(ScriptMismatch, match="1 of 2 replies were not asked for"):
        model.assert_finished()


def test_concurrent_callers_are_told_apart_by_call_path():
    model = ScriptedModel(by_call=lambda call: {"pick": int(call.call_path)})
    picked: dict[int, int] = {}

    def ask(n: int) -> None:
        reply = model.complete(ASK, reply_type=Choice, max_tokens=9, call_path=str(n))
        picked[n] = reply.value.pick

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert picked == {n: n for n in range(8)}


@pytest.mark.parametrize(
    ("scripted", "expected"),
    [
        (None, {"yes": 1 / 2, "no": 1 / 2}),
        ({"yes": 0.6, "no": 0.2, "other": 0.2}, {"yes": 0.6 / 0.8, "no": 0.2 / 0.8}),
        (lambda messages, labels: {labels[0]: 1.0}, {"yes": 1.0, "no": 0.0}),
    ],
)
def test_label_probabilities_are_renormalised_over_the_labels(scripted, expected):
    model = ScriptedModel(label_probabilities=scripted)
    shares, usage = model.label_probabilities(ASK, ["yes", "no"])
    assert shares == pytest.approx(expected)
    assert usage == Usage(prompt_evaluated=model.count_tokens(ASK))


def test_tokens_are_pieces_of_four_letters_and_four_more_per_message():
    model = ScriptedModel()
    assert model.count_tokens("catalogue, 1912") == 3 + 1 + 1
    assert model.count_tokens(ASK) == (4 + 2) + (4 + 1 + 1)


def test_a_prompt_that_does_not_fit_is_refused_with_both_numbers():
    model = ScriptedModel([{"pick": 1}], context_length=20)
    with pytest.raises(ContextOverflow, match=r"12 tokens and 9 reserved .* 20"):
        model.complete(ASK, max_tokens=9)


def test_after_the_deadline_nothing_is_said():
    model = ScriptedModel([{"pick": 1}])
    past = Deadline(1.0, clock=lambda: 2.0)
    reply = model.complete(ASK, reply_type=Choice, max_tokens=9, deadline=past)
    assert (reply.finish, reply.text, reply.value) == ("deadline", "", None)
    assert model.calls == []


def test_a_cancellation_comes_before_the_deadline():
    stop = threading.Event()
    deadline = Deadline(1.0, clock=lambda: 2.0, cancelled=stop)
    assert deadline.state() == "deadline"
    stop.set()
    assert deadline.state() == "cancelled"
    assert deadline.remaining() == 0.0
    assert Deadline(None).state() is None
    assert Deadline(5.0, clock=lambda: 2.0).remaining() == 3.0
