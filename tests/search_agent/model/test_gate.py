"""Gate and write_reply with a real vocabulary: what a grammar admits, and what it forces."""

from typing import Literal

import pytest
from pydantic import BaseModel

from search_agent.model.gate import Gate
from search_agent.model.protocol import Deadline, Message
from search_agent.model.schema import grammar_of

pytestmark = pytest.mark.model


class Verdict(BaseModel):
    verdict: Literal["supported", "suspended", "absent"]
    reason: str


@pytest.fixture
def gate(small_model):
    gate = Gate(small_model._engine, grammar_of(Verdict))
    yield gate
    gate.close()


def write(gate: Gate, small_model, text: str) -> None:
    for token in small_model._engine.tokenize(text, special=False):
        gate.accept(token)


@pytest.mark.parametrize(
    ("written", "forced"),
    [
        ("", '{"verdict":"'),
        ('{"verdict":"a', 'bsent","reason":"'),
        ('{"verdict":"s', "u"),
        ('{"verdict":"sup', 'ported","reason":"'),
        ('{"verdict":"absent","reason":"', ""),
        ('{"verdict":"absent","reason":"none"', "}"),
        ('{"verdict":"absent","reason":"none"}', ""),
    ],
)
def test_forced_text_goes_as_far_as_there_is_no_choice(gate, small_model, written, forced):
    write(gate, small_model, written)
    assert gate.forced().decode() == forced
    assert gate.forced().decode() == forced  # looking ahead changes nothing


def test_only_a_whole_reply_is_complete(gate, small_model):
    assert not gate.is_complete
    write(gate, small_model, '{"verdict":"absent","reason":""}')
    assert gate.is_complete


def test_forced_tokens_are_counted_but_not_asked_for(small_model):
    asked = 0

    def clock() -> float:
        nonlocal asked
        asked += 1
        return 0.0

    reply = small_model.complete(
        [Message(role="user", content="Judge this.")],
        reply_type=Verdict,
        max_tokens=40,
        deadline=Deadline(1.0, clock=clock),
    )
    assert reply.text.startswith('{"verdict":"')
    assert asked < reply.usage.completion  # the deadline is looked at once per choice
