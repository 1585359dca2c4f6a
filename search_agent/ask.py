"""ask: one question, one run directory, one FinalResult, whatever happens on the way.

The core is async (``search``); ``ask`` wraps it. Two searches in one process share nothing but the
model, which takes one call at a time.
"""

import asyncio
import contextlib
import platform
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from corpora.canonical_json import canonical_json, sha256_hex
from corpora.errors import ResearchError
from corpora.manifest import write_atomically, write_manifest
from corpora.store import DocumentStore
from index.searcher import Searcher
from prompts.catalogue import prompt_hashes
from search_agent.closed_book import closed_book, closed_book_system
from search_agent.config import SearchConfig
from search_agent.errors import EmptyQuestion, QuestionTooLong, TrajectoryError
from search_agent.evidence.answer_parts import abstention_word
from search_agent.evidence.render import answer_markdown
from search_agent.evidence.render_html import answer_html
from search_agent.final_result import (
    FINAL_RESULT_FILE,
    FinalResult,
    IndexIdentity,
    ModelIdentity,
    Rates,
    Strategy,
    UsageReport,
)
from search_agent.model.protocol import Message, Model, Usage
from search_agent.react import react, react_system
from search_agent.session import Session
from search_agent.single_shot import single_shot, single_shot_system
from search_agent.state_space.conclude import Conclusion, conclude
from search_agent.state_space.find_action import find_system
from search_agent.state_space.init_state import init_system
from search_agent.state_space.loop import Search, in_thread, run_search, start
from search_agent.state_space.run_action import run_system
from search_agent.trajectory.event import Event
from search_agent.trajectory.log import Listener, Trajectory

PACKAGES = ("faiss-cpu", "llama-cpp-python", "numpy", "sentence-transformers", "torch")


def ask(
    question: str,
    *,
    searcher: Searcher,
    model: Model,
    config: SearchConfig,
    run_dir: Path,
    strategy: Strategy = "state-space",
    seed: int = 0,
    source_root: Path | None = None,
    on_event: Listener | None = None,
    cancelled: threading.Event | None = None,
    gold_answer: str | None = None,
    load_seconds: float = 0.0,
    recorded: Sequence[Event] = (),
    writes: bool = True,
    clock: Callable[[], float] = time.monotonic,
) -> FinalResult:
    """Answer a question against an opened index; the sync form of ``search``.

    ``recorded`` are the events of an earlier sitting of this run directory, which must repeat
    (see ``trajectory.resume``); ``writes`` is False for a replay.

    Raises:
        EmptyQuestion, QuestionTooLong: nothing was started.
        TrajectoryLocked: another process works in ``run_dir``.
        ReplayDiverged: the re-run differs from ``recorded``.
    """
    return asyncio.run(
        search(
            question,
            searcher=searcher,
            model=model,
            config=config,
            run_dir=run_dir,
            strategy=strategy,
            seed=seed,
            source_root=source_root,
            on_event=on_event,
            cancelled=cancelled,
            gold_answer=gold_answer,
            load_seconds=load_seconds,
            recorded=recorded,
            writes=writes,
            clock=clock,
        )
    )


async def search(
    question: str,
    *,
    searcher: Searcher,
    model: Model,
    config: SearchConfig,
    run_dir: Path,
    strategy: Strategy = "state-space",
    seed: int = 0,
    source_root: Path | None = None,
    on_event: Listener | None = None,
    cancelled: threading.Event | None = None,
    gold_answer: str | None = None,
    load_seconds: float = 0.0,
    recorded: Sequence[Event] = (),
    writes: bool = True,
    clock: Callable[[], float] = time.monotonic,
) -> FinalResult:
    """Answer a question; see ``ask``."""
    question = " ".join(question.split())
    _check_question(question, model)
    trajectory = Trajectory(
        run_dir, recorded=recorded, writes=writes, clock=clock, listener=on_event
    )
    with contextlib.closing(trajectory):
        sampling = config.sampling.model_copy(update={"seed": seed})
        workflow = config.search_workflow.model_copy(update={"action_sampling": sampling})
        config = config.model_copy(update={"search_workflow": workflow})
        session = Session(
            question=question,
            searcher=searcher,
            model=model,
            config=config,
            trajectory=trajectory,
            source_root=source_root,
            seed=seed,
            cancelled=cancelled or threading.Event(),
        )
        inputs = run_inputs(session, strategy)
        trajectory.record("search_started", inputs)
        state_space = start(session)
        failure: BaseException | None = None
        bug: Exception | None = None
        try:
            conclusion = await STRATEGIES[strategy](session, state_space)
        except (TrajectoryError, OSError):
            raise  # the record itself cannot go on, so nothing can be added to it
        except Exception as error:  # noqa: BLE001 (every outcome leaves a final result, spec §16.4)
            failure = error
            bug = None if isinstance(error, ResearchError) else error
            conclusion = Conclusion(status="error", termination="error")
        failure = failure or (state_space.error if conclusion.termination == "error" else None)
        result = _final_result(session, state_space, conclusion, strategy=strategy, failure=failure)
        result = result.model_copy(
            update={"gold_answer": gold_answer, "load_seconds": round(load_seconds, 3)}
        )
        trajectory.record(
            "search_finished",
            {"status": result.status, "termination": result.termination, "answer": result.answer},
        )
        result = result.model_copy(update={"trajectory_head": trajectory.head})
        if writes:
            _write_files(run_dir, result, inputs, searcher.store)
        if bug is not None:
            raise bug
        return result


async def _state_space(session: Session, search_: Search) -> Conclusion:
    concurrency = int(str(session.model.describe().get("concurrency", 1)))
    workers = max(1, min(session.config.params.max_workers, concurrency))
    termination = await run_search(search_, workers=workers)
    return await in_thread(conclude, search_, termination)


async def _react(session: Session, _: Search) -> Conclusion:
    return await in_thread(react, session)


async def _single_shot(session: Session, _: Search) -> Conclusion:
    return await in_thread(single_shot, session)


async def _closed_book(session: Session, _: Search) -> Conclusion:
    return await in_thread(closed_book, session)


STRATEGIES: dict[Strategy, Callable[[Session, Search], Any]] = {
    "state-space": _state_space,
    "react": _react,
    "single-shot": _single_shot,
    "closed-book": _closed_book,
}


def _check_question(question: str, model: Model) -> None:
    if not question:
        message = "the question is empty"
        raise EmptyQuestion(message)
    tokens, limit = model.count_tokens(question), model.context_length // 8
    if tokens > limit:
        message = (
            f"the question has {tokens} tokens, {limit} fit n_ctx {model.context_length};"
            " shorten it or raise n_ctx"
        )
        raise QuestionTooLong(message)


def role_prefixes(config: SearchConfig, strategy: Strategy) -> list[Message]:
    """The system messages of a strategy, for a model to prepare before the first question."""
    session: Any = _PrefixSession(config)
    if strategy == "react":
        return [react_system(session)]
    if strategy == "single-shot":
        return [single_shot_system(session)]
    if strategy == "closed-book":
        return [closed_book_system()]
    return [init_system(session), run_system(session), find_system(session)]


class _PrefixSession:
    """The part of a session that system messages depend on."""

    system = Session.system

    def __init__(self, config: SearchConfig) -> None:
        self.config = config


def run_inputs(session: Session, strategy: Strategy) -> dict[str, Any]:
    """What a search depends on; resume and replay compare it."""
    return {
        "question": session.question,
        "strategy": strategy,
        "seed": session.seed,
        "model": {"name": session.model.name, "sha256": session.model.sha256},
        "index": {"corpus": session.searcher.corpus, "fingerprint": session.searcher.fingerprint},
        "config": session.config.model_dump(mode="json"),
        "prompts": prompt_hashes(),
    }


def _final_result(
    session: Session,
    state_space: Search,
    conclusion: Conclusion,
    *,
    strategy: Strategy,
    failure: BaseException | None,
) -> FinalResult:
    answer = conclusion.answer
    total = sum(session.usage.values(), Usage())
    return FinalResult(
        schema=1,
        question=session.question,
        strategy=strategy,
        status=conclusion.status,
        termination=conclusion.termination,
        answer=answer.text if answer else None,
        message=_message(session, conclusion, failure),
        claims=answer.claims if answer else (),
        unmet_clues=conclusion.unmet_clues,
        rates=Rates(
            citations_exist=answer.existence_rate if answer else None,
            claims_supported=answer.support_rate if answer else None,
        ),
        usage=UsageReport(
            prompt_evaluated=total.prompt_evaluated,
            prompt_reused=total.prompt_reused,
            completion=total.completion,
            calls=sum(session.calls.values()),
            by_role={str(role): usage for role, usage in session.usage.items()},
        ),
        model=ModelIdentity(name=session.model.name, sha256=session.model.sha256),
        index=IndexIdentity(
            corpus=session.searcher.corpus, fingerprint=session.searcher.fingerprint
        ),
        seed=session.seed,
        run_dir=str(session.trajectory.folder),
        seconds=round(session.trajectory.elapsed(), 3),
        error=str(failure) if failure else None,
        error_code=getattr(failure, "code", None),
        flags=(*session.flags, *(answer.flags if answer else ())),
        truncations=dict(session.truncations),
        actions_explored=state_space.explored,
        fail_count=state_space.failures,
        answers=conclusion.answers,
        retrieved_evidence_ids=tuple(session.ledger.chunk_ids()),
        config=session.config.model_dump(mode="json"),
    )


LIMIT_NAMES = {
    "time_limit": "the time limit of {params.time_limit:g} s",
    "timeout_guess": "the time limit of {params.time_limit:g} s",
    "timeout_answer": "the time limit of {params.time_limit:g} s",
    "actions_explored_limit": "the limit of actions or steps",
    "fail_limit": "the limit of failures",
    "action_pool_depleted": "a lack of directions",
    "cancelled": "an interruption",
}


def _message(session: Session, conclusion: Conclusion, failure: BaseException | None) -> str:
    if failure is not None:
        return str(failure)
    ended = LIMIT_NAMES.get(conclusion.termination, "").format(params=session.config.params)
    stopped = f"stopped by {ended}" if ended else ""
    if conclusion.status == "abstained":
        seen = "" if len(session.ledger) else "; no search found anything"
        is_whole = abstention_word(conclusion.termination) == "abstained"
        told = "not in the corpus, as far as this search saw" if is_whole else "no answer yet"
        return f"{told} ({stopped or 'searched'}{seen})"
    return stopped


def _write_files(
    run_dir: Path, result: FinalResult, inputs: Mapping[str, Any], store: DocumentStore
) -> None:
    content = result.model_dump_json(by_alias=True, indent=1) + "\n"
    write_atomically(run_dir / FINAL_RESULT_FILE, content)
    write_atomically(run_dir / "answer.md", answer_markdown(result))
    write_atomically(run_dir / "answer.html", answer_html(result, store=store))
    write_manifest(
        run_dir,
        {
            "stage": "run",
            **inputs,
            "trajectory_head": result.trajectory_head,
            "final_result_sha256": sha256_hex(content),
            "versions": _versions(),
            "python": platform.python_version(),
            "time_bound": result.termination.startswith("time"),
            "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "config_sha256": sha256_hex(canonical_json(inputs["config"])),
        },
    )


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[package] = version(package)
    return found
