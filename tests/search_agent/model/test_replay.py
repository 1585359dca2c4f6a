"""ReplayModel: recorded calls by call path; the live model for the rest; no silent difference."""

import pytest
from pydantic import BaseModel

from search_agent.errors import ReplayDiverged
from search_agent.model.protocol import Message, Usage
from search_agent.model.replay import RecordedCall, ReplayModel, messages_sha256
from search_agent.model.scripted import ScriptedModel


class Choice(BaseModel):
    pick: int


ASK = [Message(role="user", content="pick one")]
SPOKEN = RecordedCall(
    key="init/1",
    messages_sha256=messages_sha256(ASK),
    text='{"pick":4}',
    usage=Usage(prompt_evaluated=7, completion=5),
)
JUDGED = RecordedCall(
    key="judge/1", messages_sha256=messages_sha256(ASK), labels={"yes": 0.75, "no": 0.25}
)
RECORD = {"init/1": SPOKEN, "judge/1": JUDGED}
DESCRIPTION = {"name": "small", "sha256": "ab" * 32, "n_ctx": 4096}


def closed_replay() -> ReplayModel:
    return ReplayModel(RECORD, None, description=DESCRIPTION, count=ScriptedModel().count_tokens)


def test_a_recorded_call_is_served_and_parsed_anew():
    model = closed_replay()
    reply = model.complete(ASK, reply_type=Choice, max_tokens=9, call_path="init/1")
    assert reply.value == Choice(pick=4)
    assert reply.usage == Usage(prompt_evaluated=7, completion=5)
    assert model.label_probabilities(ASK, ["yes", "no"], call_path="judge/1")[0] == {
        "yes": 0.75,
        "no": 0.25,
    }
    assert model.served == {"init/1", "judge/1"}
    assert (model.name, model.context_length) == ("small", 4096)


def test_other_messages_than_recorded_diverge():
    with pytest.raises(ReplayDiverged, match=r"\[211404\] call 'init/1'"):
        closed_replay().complete(
            [Message(role="user", content="pick two")], max_tokens=9, call_path="init/1"
        )


def test_an_unrecorded_call_diverges_where_nobody_is_live():
    with pytest.raises(ReplayDiverged, match="'init/2' was not recorded"):
        closed_replay().complete(ASK, max_tokens=9, call_path="init/2")


def test_an_unrecorded_call_goes_to_the_live_model():
    live = ScriptedModel([{"pick": 9}])
    model = ReplayModel(RECORD, live)
    assert model.complete(ASK, reply_type=Choice, max_tokens=9, call_path="init/1").value.pick == 4
    assert model.complete(ASK, reply_type=Choice, max_tokens=9, call_path="init/2").value.pick == 9
    live.assert_finished()


def test_other_labels_than_recorded_diverge():
    with pytest.raises(ReplayDiverged, match="recorded are"):
        closed_replay().label_probabilities(ASK, ["true", "false"], call_path="judge/1")


def test_a_reply_is_no_judgement():
    with pytest.raises(ReplayDiverged, match="something else"):
        closed_replay().label_probabilities(ASK, ["yes", "no"], call_path="init/1")


def test_a_replay_without_a_live_model_needs_a_description():
    with pytest.raises(ValueError, match="description"):
        ReplayModel(RECORD, None)
