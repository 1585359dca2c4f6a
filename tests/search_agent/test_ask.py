"""ask: what two searches share (nothing), what one counts, and what stands on disk."""

import asyncio
import json

import pytest

from search_agent.ask import role_prefixes
from search_agent.ask import search as search_async
from search_agent.errors import TrajectoryLocked
from search_agent.model.scripted import ScriptedModel
from search_agent.trajectory.log import Trajectory
from tests.search_agent.scripted_search import (
    ONE_HOP,
    QUESTION,
    TWO_HOPS,
    answering,
    candidates,
    configured,
    directions,
    one_variable,
    searching,
    variables,
)


def two_hops_by_path(call):
    """The two-hop script, by call path, so that searches can be told apart by their question."""
    if any(ONE_HOP in message.content for message in call.messages):
        if call.call_path == "init/1":
            return one_variable()
        if "/find/" in call.call_path:
            return directions("printed the diary of Ilse Varga")
        return answering("S1")
    if call.call_path == "init/1":
        return variables()
    if "/find/" in call.call_path:
        return directions("author of the Korren flora")
    if call.call_path.startswith("0_00"):
        return candidates({1: ("Ilse Varga", 0.8)})
    return answering("S3")


def test_two_concurrent_searches_of_one_model_share_no_evidence_ids_or_tokens(search):
    model = ScriptedModel(by_call=two_hops_by_path, label_probabilities={"yes": 0.95, "no": 0.05})

    async def both():
        return await asyncio.gather(
            *(
                search_async(
                    question,
                    searcher=search.searcher,
                    model=model,
                    config=configured(params__answer_min_support=0.0),
                    run_dir=search.folder / name,
                    source_root=search.source_root,
                )
                for name, question in (("one", QUESTION), ("two", ONE_HOP))
            )
        )

    one, two = asyncio.run(both())
    alone = search.ask(by_call=two_hops_by_path, seed=0, params__answer_min_support=0.0)
    assert one.answer == two.answer == "Halden Press"
    assert one.claims[0].segment_ids == ("S3",)
    assert two.claims[0].segment_ids == ("S1",)  # the same segment
    assert one.trajectory_head == alone.trajectory_head  # as if the other were not there
    assert one.usage == alone.usage
    assert one.retrieved_evidence_ids != two.retrieved_evidence_ids


@pytest.mark.parametrize("strategy", ["state-space", "react", "single-shot"])
def test_token_totals_are_the_sum_of_the_recorded_calls(search, strategy):
    scripts = {
        "state-space": ["bad", *TWO_HOPS[:2], "bad", *TWO_HOPS[2:]],
        "react": [searching("diary Varga"), "bad", answering("S1")],
        "single-shot": ["bad", answering("S1")],
    }
    result = search.ask(scripts[strategy], strategy=strategy)
    calls = [event for event in search.recorded() if event.kind == "model_call"]
    usage = result.usage
    assert usage.calls == len(calls) == len(search.model.calls)
    assert usage.prompt_evaluated == sum(e.meta["prompt_evaluated"] for e in calls)
    assert usage.prompt_reused == sum(e.meta["prompt_reused"] for e in calls)
    assert usage.completion == sum(e.data["completion"] for e in calls)
    for role, share in usage.by_role.items():
        mine = [e for e in calls if e.data["role"] == role]
        assert share.completion == sum(e.data["completion"] for e in mine)


def test_what_the_model_saw_is_what_is_stored(search):
    search.ask(TWO_HOPS)
    stored = {
        row["sha256"]: row["text"]
        for row in map(json.loads, (search.run_dir / "messages.jsonl").read_text().splitlines())
    }
    calls = [event for event in search.recorded() if event.kind == "model_call"]
    for made, event in zip(search.model.calls, calls, strict=True):
        assert [stored[h] for h in event.data["messages"]] == [m.content for m in made.messages]


def test_call_seeds_depend_on_the_path_alone(search):
    """``int(sha256("7:call:init/1").hexdigest()[:8], 16)``"""
    search.ask(TWO_HOPS, seed=7)
    assert search.model.calls[0].seed == 2713973821
    by_path = {call.call_path: call.seed for call in search.model.calls}
    search.ask(["bad", *TWO_HOPS], name="again", seed=7)
    again = {call.call_path: call.seed for call in search.model.calls}
    assert {path: again[path] for path in by_path} == by_path


def test_a_run_directory_in_use_is_refused(search):
    log = Trajectory(search.folder / "run")
    try:
        with pytest.raises(TrajectoryLocked):
            search.ask(TWO_HOPS)
    finally:
        log.close()
    assert search.model.calls == []


@pytest.mark.parametrize("strategy", ["state-space", "react", "single-shot"])
def test_the_prefixes_prepared_at_load_are_the_system_messages_sent(search, strategy):
    config = configured()
    replies = {
        "state-space": TWO_HOPS,
        "react": [searching("diary"), answering("S1")],
        "single-shot": [answering("S1")],
    }
    search.ask(replies[strategy], strategy=strategy)
    sent = {call.messages[0] for call in search.model.calls if call.kind == "complete"}
    assert sent <= set(role_prefixes(config, strategy))


def test_no_message_names_a_path_of_this_machine(search):
    search.ask(TWO_HOPS)
    assert str(search.folder) not in (search.run_dir / "messages.jsonl").read_text()
    assert str(search.folder) not in (search.run_dir / "trajectory.jsonl").read_text()


def test_the_question_is_taken_without_surplus_blanks(search):
    result = search.ask(TWO_HOPS, question=f"  {QUESTION.replace(' ', '  ')}\n")
    assert result.question == QUESTION
