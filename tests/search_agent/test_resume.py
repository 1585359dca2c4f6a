"""resume and replay: the search run again over its record, from wherever it was cut."""

import json
import shutil
import threading
from pathlib import Path

import pytest

from corpora.canonical_json import canonical_json
from search_agent.errors import (
    ManifestMismatch,
    ReplayDiverged,
    RunNotFound,
    TrajectoryCorrupt,
    TrajectoryLocked,
)
from search_agent.model.scripted import ScriptedModel
from search_agent.trajectory.event import GENESIS, Event
from search_agent.trajectory.log import Trajectory, read_trajectory
from search_agent.trajectory.resume import load_result, replay, resume
from tests.search_agent.scripted_search import (
    TWO_HOPS,
    Clock,
    answering,
    candidates,
    directions,
    one_variable,
    searching,
)

LABELS = {"yes": 0.95, "no": 0.05}
WINDING = (
    "no json",
    *TWO_HOPS[:2],
    searching("Korren plants"),
    candidates({1: ("Ilse Varga", 0.8)}),
    "bad",
    searching("Halden"),
    answering("S3"),
)
"""The two hops with a rejected reading, two searches by the model and a rejected reply."""


@pytest.fixture
def finished(search):
    """A finished winding search; ``finished.replies`` are its replies by call path."""
    result = search.ask(WINDING)
    assert result.answer == "Halden Press"
    search.model.assert_finished()
    return search


def replies_of(folder):
    return {
        event.data["call_path"]: event.data["text"]
        for event in read_trajectory(folder)
        if event.kind == "model_call" and "text" in event.data
    }


def again(search, run_dir, work=resume, replies=None, **changes):
    """``resume`` or ``replay`` with a live model that answers each call path as it did before."""
    replies = replies_of(search.run_dir) if replies is None else replies
    model = ScriptedModel(
        by_call=lambda call: replies[call.call_path], label_probabilities=LABELS, **changes
    )
    result = work(run_dir, searcher=search.searcher, model=model, source_root=search.source_root)
    return result, model


def killed(search, at, torn=b""):
    """A copy of the run as a kill after ``at`` events leaves it, with a half-written line."""
    copy = search.folder / "killed" / f"{at}{'t' if torn else ''}" / "run"
    shutil.copytree(search.run_dir, copy)
    for name in ("final_result.json", "manifest.json", "answer.md", "answer.html"):
        (copy / name).unlink()
    lines = (copy / "trajectory.jsonl").read_bytes().splitlines(keepends=True)
    (copy / "trajectory.jsonl").write_bytes(b"".join(lines[:at]) + torn)
    return copy


def state_ids(folder):
    return [e.data["id"] for e in read_trajectory(folder) if e.kind == "state_created"]


def test_two_runs_with_one_seed_have_equal_hashes(search):
    heads = [search.ask(WINDING, name=name).trajectory_head for name in ("first", "second")]
    assert heads[0] == heads[1]


def test_another_seed_is_another_search(search):
    heads = [search.ask(WINDING, name=f"{s}", seed=s).trajectory_head for s in (1, 2)]
    assert heads[0] != heads[1]


def test_a_search_killed_at_any_event_ends_as_if_it_had_not_been(finished):
    whole = load_result(finished.run_dir)
    events = finished.recorded()
    made = [e.data["call_path"] for e in events if e.kind == "model_call"]
    assert len(events) >= 30
    for at in range(1, len(events) + 1):
        run_dir = killed(finished, at, torn=b'{"seq":99,"kind":"mod' if at % 2 else b"")
        result, model = again(finished, run_dir)
        assert result.answer == whole.answer
        assert result.claims == whole.claims
        assert state_ids(run_dir) == state_ids(finished.run_dir)
        assert result.trajectory_head == whole.trajectory_head
        assert result.usage == whole.usage
        done = sum(event.kind == "model_call" for event in events[:at])
        assert [call.call_path for call in model.calls] == made[done:]  # none is asked twice
        assert load_result(run_dir).answer == whole.answer
        for name in ("initial_state.json", "action_pool.json"):
            assert (run_dir / name).read_bytes() == (finished.run_dir / name).read_bytes()


def test_a_kill_before_the_first_event_asks_to_ask_again(finished):
    with pytest.raises(RunNotFound, match="ask again"):
        again(finished, killed(finished, 0, b'{"seq":0'))


def test_a_folder_without_a_search_is_said_to_be_one(finished, tmp_path):
    with pytest.raises(RunNotFound, match="no search at"):
        again(finished, tmp_path / "nothing")


def test_a_finished_search_gives_its_result_without_a_call(finished):
    before = (finished.run_dir / "trajectory.jsonl").read_bytes()
    result, model = again(finished, finished.run_dir)
    assert result == load_result(finished.run_dir)
    assert model.calls == []
    assert (finished.run_dir / "trajectory.jsonl").read_bytes() == before


def test_messages_with_a_torn_last_line_stay_readable(finished):
    run_dir = killed(finished, 12)
    with (run_dir / "messages.jsonl").open("ab") as file:
        file.write(b'{"role":"sys')
    again(finished, run_dir)
    for line in (run_dir / "messages.jsonl").read_text().splitlines():
        assert json.loads(line).keys() == {"sha256", "role", "text"}


def test_damage_before_the_end_is_refused_and_nothing_is_overwritten(finished):
    run_dir = killed(finished, 12)
    path = run_dir / "trajectory.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Korren", b"Borren", 1))
    before = {p.name: p.read_bytes() for p in run_dir.iterdir()}
    with pytest.raises(TrajectoryCorrupt, match="line 1 is damaged"):
        again(finished, run_dir)
    assert {p.name: p.read_bytes() for p in run_dir.iterdir()} == before


def test_a_run_that_somebody_is_writing_is_left_alone(finished):
    run_dir = killed(finished, 12, b'{"seq":12,"ki')
    before = (run_dir / "trajectory.jsonl").read_bytes()
    log = Trajectory(run_dir)
    try:
        with pytest.raises(TrajectoryLocked):
            again(finished, run_dir)
    finally:
        log.close()
    assert (run_dir / "trajectory.jsonl").read_bytes() == before


@pytest.mark.parametrize("work", [resume, replay])
def test_another_model_is_refused(finished, work):
    with pytest.raises(ManifestMismatch, match=r'model was \{"name": "scripted".*"other"'):
        again(finished, killed(finished, 12), work, name="other")


@pytest.mark.parametrize("work", [resume, replay])
def test_another_index_is_refused(finished, corpus, work):
    run_dir = killed(finished, 12)
    finished.searcher = corpus.open()
    finished.searcher.fingerprint = "1" * 64
    with pytest.raises(ManifestMismatch, match="index was"):
        again(finished, run_dir, work)


def test_other_prompts_are_refused_by_name(finished):
    run_dir = killed(finished, 12)
    edit(run_dir, 0, lambda data: data["prompts"].update({"react.md": "0" * 64}))
    with pytest.raises(ManifestMismatch, match=r"prompts have changed since: react\.md"):
        again(finished, run_dir)


def edit(run_dir: Path, seq, change):
    """Change one event's data and chain all hashes anew, as a forger would."""
    prev, lines = GENESIS, []
    for event in read_trajectory(run_dir):
        data = json.loads(canonical_json(event.data))
        if event.seq == seq:
            change(data)
        forged = Event(seq=event.seq, kind=event.kind, data=data, prev=prev, meta=event.meta)
        prev = forged.hash
        lines.append(forged.line())
    (run_dir / "trajectory.jsonl").write_text("".join(lines))


def test_a_replay_repeats_every_event_asks_nobody_and_writes_nothing(finished):
    before = {p.name: p.read_bytes() for p in finished.run_dir.iterdir()}
    whole = load_result(finished.run_dir)
    finished.searcher.calls.clear()
    result, model = again(finished, finished.run_dir, replay, replies={})
    assert (result.trajectory_head, result.claims) == (whole.trajectory_head, whole.claims)
    assert model.calls == []
    assert finished.searcher.calls  # tools were really run
    assert {p.name: p.read_bytes() for p in finished.run_dir.iterdir()} == before


def test_one_changed_reply_diverges_at_the_event_that_follows_from_it(finished):
    calls = [e for e in finished.recorded() if e.kind == "model_call"]
    changed = next(e for e in calls if e.data["call_path"] == "0_00/t1/a0")
    other = json.dumps(searching("Borren plants"))
    edit(finished.run_dir, changed.seq, lambda data: data.update(text=other))
    with pytest.raises(ReplayDiverged, match=f"event {changed.seq + 1} was tool_called"):
        again(finished, finished.run_dir, replay)


def test_a_changed_corpus_diverges_at_the_first_search_that_shows_it(finished, corpus):
    corpus.add("new.md", "Another author of the Korren flora.", title="New")
    finished.searcher = corpus.open()
    first = next(e for e in finished.recorded() if e.kind == "tool_result")
    with pytest.raises(ReplayDiverged, match=f"event {first.seq} was tool_result"):
        again(finished, finished.run_dir, replay)


@pytest.mark.parametrize("strategy", ["react", "single-shot"])
def test_the_siblings_are_replayed_and_resumed_too(search, strategy):
    script = (
        [answering("S1")] if strategy == "single-shot" else [searching("diary"), answering("S1")]
    )
    whole = search.ask(script, strategy=strategy)
    assert again(search, search.run_dir, replay)[0].trajectory_head == whole.trajectory_head
    for at in range(1, len(search.recorded()) + 1):
        assert again(search, killed(search, at))[0].claims == whole.claims


@pytest.mark.parametrize("strategy", ["state-space", "react"])
def test_a_search_that_time_ended_is_replayed_as_it_was(search, strategy):
    clock = Clock()

    def slow(reply):
        def after(_messages):
            clock.now += 6
            return reply

        return after

    held = candidates({1: ("Halden Press", 0.6)})
    scripts = {
        "state-space": [one_variable(), directions("the diary"), slow(searching("x")), slow(held)],
        "react": [slow(searching("diary")), slow(searching("ledger"))],
    }
    whole = search.ask(scripts[strategy], strategy=strategy, clock=clock, params__time_limit=10)
    assert whole.termination == "time_limit"
    assert again(search, search.run_dir, replay)[0].trajectory_head == whole.trajectory_head


def test_judgements_around_the_end_of_time_are_replayed_as_they_were(search):
    """The first judgement begins in time and ends out of it; the second is not made."""
    clock = Clock()

    def judge(_messages, _labels):
        clock.now += 6
        return LABELS

    reading = one_variable()
    reading["state"][0]["question_clues"].append("made three hundred copies")
    whole = search.ask(
        [reading, directions("the diary"), candidates({1: ("Halden Press", 0.6)})],
        labels=judge,
        clock=clock,
        params__actions_explored_limit=1,
        params__provide_best_guess=True,
        params__finalise_grace_s=5,
    )
    judged = [e for e in search.recorded() if e.data.get("role") == "judge"]
    checked = [e for e in search.recorded() if e.kind == "citation_checked"]
    assert (len(judged), len(checked)) == (1, 2)
    assert again(search, search.run_dir, replay)[0].trajectory_head == whole.trajectory_head


def test_an_interrupted_search_is_replayed_as_it_was(search):
    stop = threading.Event()

    def stopping(_messages):
        stop.set()
        return candidates({1: ("Halden Press", 0.6)})

    whole = search.ask([one_variable(), directions("the diary"), stopping], cancelled=stop)
    result, _ = again(search, search.run_dir, replay)
    assert (result.termination, result.status) == ("cancelled", "guess")
    assert result.trajectory_head == whole.trajectory_head
