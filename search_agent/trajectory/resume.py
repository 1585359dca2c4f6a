"""resume and replay: the search run again over its record (see ``trajectory.log``)."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.errors import MalformedRecord
from index.searcher import Searcher
from prompts.catalogue import prompt_hashes
from search_agent.ask import ask
from search_agent.config import SearchConfig
from search_agent.errors import ManifestMismatch, RunNotFound
from search_agent.final_result import FINAL_RESULT_FILE, FinalResult
from search_agent.model.protocol import Model, Usage
from search_agent.model.replay import RecordedCall, ReplayModel
from search_agent.trajectory.event import Event
from search_agent.trajectory.log import Listener, drop_torn_line, read_trajectory


def load_result(run_dir: Path) -> FinalResult | None:
    """The finished result of a run directory; None while there is none.

    Raises:
        MalformedRecord: ``final_result.json`` is not one of ours.
    """
    path = run_dir / FINAL_RESULT_FILE
    if not path.is_file():
        return None
    try:
        return FinalResult.model_validate_json(path.read_bytes())
    except ValueError as error:
        message = f"{str(path)!r} is damaged: {str(error).splitlines()[0]}"
        raise MalformedRecord(message) from error


def recorded_inputs(run_dir: Path) -> tuple[list[Event], dict[str, Any]]:
    """The record of a run and what it depended on.

    Raises:
        RunNotFound: there is no trajectory.
        TrajectoryCorrupt: it is damaged before its last line.
    """
    try:
        events = read_trajectory(run_dir)
    except FileNotFoundError as error:
        message = f"no search at {str(run_dir)!r}"
        raise RunNotFound(message) from error
    if not events or events[0].kind != "search_started":
        message = f"the search at {str(run_dir)!r} was stopped before it began; ask again"
        raise RunNotFound(message)
    return events, dict(events[0].data)


def resume(
    run_dir: Path,
    *,
    searcher: Searcher,
    model: Model,
    source_root: Path | None = None,
    on_event: Listener | None = None,
    cancelled: threading.Event | None = None,
) -> FinalResult:
    """Go on with an interrupted search; a finished one gives its result again.

    Raises:
        ManifestMismatch: model, index or prompts are not those of the record.
    """
    finished = load_result(run_dir)
    if finished is not None and (run_dir / "manifest.json").is_file():
        return finished
    events, inputs = recorded_inputs(run_dir)
    drop_torn_line(run_dir)
    return _run_again(
        run_dir,
        events,
        inputs,
        searcher=searcher,
        model=model,
        live=model,
        source_root=source_root,
        on_event=on_event,
        cancelled=cancelled,
    )


def replay(
    run_dir: Path,
    *,
    searcher: Searcher,
    model: Model,
    source_root: Path | None = None,
    on_event: Listener | None = None,
) -> FinalResult:
    """Run the recorded search again without asking the model; tools are really executed.

    Raises:
        ReplayDiverged: an event differs; names it.
    """
    events, inputs = recorded_inputs(run_dir)
    return _run_again(
        run_dir,
        events,
        inputs,
        searcher=searcher,
        model=model,
        live=None,
        source_root=source_root,
        on_event=on_event,
    )


def _run_again(
    run_dir: Path,
    events: Sequence[Event],
    inputs: dict[str, Any],
    *,
    searcher: Searcher,
    model: Model,
    live: Model | None,
    source_root: Path | None,
    on_event: Listener | None,
    cancelled: threading.Event | None = None,
) -> FinalResult:
    now = {
        "model": {"name": model.name, "sha256": model.sha256},
        "index": {"corpus": searcher.corpus, "fingerprint": searcher.fingerprint},
    }
    for part, value in now.items():
        if inputs[part] != value:
            message = f"{part} was {json.dumps(inputs[part])} and is {json.dumps(value)} now"
            raise ManifestMismatch(message)
    prompts = prompt_hashes()
    changed = sorted(
        name
        for name in {*prompts, *inputs["prompts"]}
        if prompts.get(name) != inputs["prompts"].get(name)
    )
    if changed:
        message = f"prompts have changed since: {', '.join(changed)}"
        raise ManifestMismatch(message)
    return ask(
        inputs["question"],
        searcher=searcher,
        model=ReplayModel(
            _recorded_calls(events),
            live,
            description={**model.describe(), "n_ctx": model.context_length},
            count=model.count_tokens,
        ),
        config=SearchConfig.model_validate(inputs["config"]),
        run_dir=run_dir,
        strategy=inputs["strategy"],
        seed=inputs["seed"],
        source_root=source_root,
        on_event=on_event,
        cancelled=cancelled,
        recorded=events,
        writes=live is not None,
    )


def _recorded_calls(events: Sequence[Event]) -> dict[str, RecordedCall]:
    calls = {}
    for event in events:
        if event.kind != "model_call":
            continue
        data = event.data
        calls[data["call_path"]] = RecordedCall(
            key=data["call_path"],
            messages_sha256=data["messages_sha256"],
            text=data.get("text", ""),
            finish=data.get("finish", "stop"),
            labels=data.get("labels"),
            usage=Usage(
                prompt_evaluated=event.meta["prompt_evaluated"],
                prompt_reused=event.meta["prompt_reused"],
                completion=data["completion"],
            ),
        )
    return calls
