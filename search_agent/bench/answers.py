"""Ask a benchmark's questions with one strategy and measure the answers; finished runs are reused.

Each question is an ordinary run directory, so that a surprising number can be opened and read.
"""

import re
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from index.searcher import Searcher
from search_agent.ask import ask
from search_agent.bench.all_gold import all_gold_at
from search_agent.bench.mode import BenchMode, approach_name, question_in_mode, searcher_in_mode
from search_agent.bench.question import BenchQuestion
from search_agent.bench.run_key import (
    RunKey,
    RunRecord,
    code_sha256,
    config_sha256,
    finished_run,
    prompts_sha256,
    save_run,
)
from search_agent.bench.scored import ScoredQuestion, score_question
from search_agent.config import SearchConfig
from search_agent.final_result import FinalResult, ModelIdentity, Strategy
from search_agent.model.protocol import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSetup:
    """What all questions of one benchmark run share."""

    searcher: Searcher
    identity: ModelIdentity
    load_model: Callable[[], Model]
    """Called at the first question that is not reused; a wholly reused run loads no model."""
    config: SearchConfig
    strategy: Strategy
    seed: int
    runs_folder: Path
    mode: BenchMode = "normal"
    source_root: Path | None = None
    fresh: bool = False
    """Ask again what is finished already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchProgress:
    """One question is done."""

    done: int
    total: int
    row: ScoredQuestion
    eta_s: float | None
    """At the mean pace of the questions really asked so far; None before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestions:
    """Scored questions in their order; fewer than were given when somebody stopped the run."""

    rows: tuple[ScoredQuestion, ...]
    reused_from_other_code: int


Listener = Callable[[BenchProgress], None]
EventListener = Callable[[str, Mapping[str, Any]], None]


def ask_questions(
    questions: Sequence[BenchQuestion],
    setup: BenchSetup,
    *,
    on_progress: Listener | None = None,
    on_event: EventListener | None = None,
    cancelled: threading.Event | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> AskedQuestions:
    """Ask every question once, or take its finished run, and score it."""
    stop = cancelled or threading.Event()
    code = code_sha256()
    rows: list[ScoredQuestion] = []
    pace: list[float] = []
    other_code = 0
    model: Model | None = None
    # all at once, so that a data set that a mode cannot be asked of is refused before any call
    searchers = [searcher_in_mode(setup.searcher, question, setup.mode) for question in questions]
    for given, searcher in zip(questions, searchers, strict=True):
        if stop.is_set():
            break
        question = question_in_mode(given, setup.mode)
        key = run_key(question, setup, searcher)
        folder = setup.runs_folder / run_name(question, setup)
        finished = None if setup.fresh else finished_run(folder, key)
        if finished is None:
            model = model or setup.load_model()
            began = clock()
            result = _ask_anew(
                question, setup, model, folder, searcher=searcher, on_event=on_event, stop=stop
            )
            if result.termination == "cancelled":
                break
            save_run(folder, RunRecord(key=key, code_sha256=code))
            pace.append(clock() - began)
        else:
            result, record = finished
            other_code += record.code_sha256 != code
        gold = all_gold_at(searcher, question.text, question.gold_doc_ids)
        row = score_question(
            question,
            result,
            all_gold_at_10=gold,
            reused=finished is not None,
            run_dir=folder.name,
        )
        rows.append(row)
        if on_progress is not None:
            left = len(questions) - len(rows)
            eta = left * sum(pace) / len(pace) if pace else None
            on_progress(BenchProgress(done=len(rows), total=len(questions), row=row, eta_s=eta))
    return AskedQuestions(rows=tuple(rows), reused_from_other_code=other_code)


def run_key(question: BenchQuestion, setup: BenchSetup, searcher: Searcher) -> RunKey:
    """What the answer to this question depends on, asked with this searcher."""
    return RunKey(
        question=question.text,
        strategy=setup.strategy,
        seed=setup.seed,
        model_sha256=setup.identity.sha256,
        index_fingerprint=searcher.fingerprint,
        config_sha256=config_sha256(setup.config),
        prompts_sha256=prompts_sha256(setup.mode),
        mode=setup.mode,
    )


def run_name(question: BenchQuestion, setup: BenchSetup) -> str:
    """``strategy-profile-model-seed-query_id``, cut to what a run id may be; a mode that is not
    normal stands behind the strategy.
    """
    approach = approach_name(setup.strategy, setup.mode)
    parts = (approach, setup.config.profile, setup.identity.name, str(setup.seed))
    name = "-".join((*parts, question.query_id))
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)


def _ask_anew(
    question: BenchQuestion,
    setup: BenchSetup,
    model: Model,
    folder: Path,
    *,
    searcher: Searcher,
    on_event: EventListener | None,
    stop: threading.Event,
) -> FinalResult:
    if folder.exists():  # unfinished, or finished under another key
        shutil.rmtree(folder)
    return ask(
        question.text,
        searcher=searcher,
        model=model,
        config=setup.config,
        run_dir=folder,
        strategy=setup.strategy,
        seed=setup.seed,
        source_root=setup.source_root,
        on_event=on_event,
        cancelled=stop,
        gold_answer=question.answers[0] if question.answers else None,
    )
