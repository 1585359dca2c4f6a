"""``deepsearch ask``: a question to an answer whose citations code has checked."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from search_agent.cli.build_layout import CorpusBuild, new_run_dir, source_root
from search_agent.cli.encoders import open_searcher
from search_agent.cli.event_lines import event_line
from search_agent.cli.exits import INTERRUPTED
from search_agent.cli.interruption import stop_on_signal
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_CORPUS,
    DEFAULT_PROFILE,
    BuildFolder,
    CorpusOption,
    JsonFlag,
    ModelOption,
    ProfileOption,
    QuietFlag,
    SeedOption,
    SetOption,
    StrategyName,
)
from search_agent.cli.progress import Progress, open_progress
from search_agent.cli.settings import search_config
from search_agent.cli.wiring import wiring_of
from search_agent.errors import ConfigError, EmptyQuestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from search_agent.final_result import FinalResult


def ask_command(
    context: typer.Context,
    *,
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    corpus: CorpusOption = DEFAULT_CORPUS,
    strategy: Annotated[
        StrategyName, typer.Option("--strategy", help="How the question is worked on.")
    ] = StrategyName.STATE_SPACE,
    profile: ProfileOption = DEFAULT_PROFILE,
    model: ModelOption = "",
    seed: SeedOption = 0,
    run_id: Annotated[
        str | None,
        typer.Option("--run-id", help="Name of the run directory; default: time and a hash."),
    ] = None,
    topics: Annotated[
        Path | None,
        typer.Option("--topics", help="JSONL of {query_id, text}: many questions, one model load."),
    ] = None,
    assignments: SetOption = None,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="Override the profile's limit."),
    ] = None,
    guess: Annotated[
        bool | None,
        typer.Option(
            "--guess/--no-guess", help="Whether the best candidate may be given as a guess."
        ),
    ] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Answer a question from the corpus, with citations that code has checked.

    Exit codes: 0 answered, 1 error, 2 something to put right, 3 not in the corpus, 4 a limit came
    first, 130 interrupted (the first Ctrl-C still writes what is known).

    \b
    Examples:
      deepsearch ask "Who signed the supply contract?"
      deepsearch ask "…" --corpus contracts --strategy react --profile quick --json
      deepsearch ask --topics questions.jsonl --set llm_config.general.n_ctx=8192
    """  # noqa: D301
    questions = _questions(question, topics, run_id)
    config = search_config(
        profile, assignments=assignments, model=model, time_limit=time_limit, guess=guess
    )
    build = CorpusBuild(build_folder=build_folder, name=corpus)
    wiring = wiring_of(context)
    for name, text in questions:  # a bad or taken id is told before the model is loaded
        new_run_dir(build.runs, run_id=name, question=text, now=wiring.now())
    from search_agent.ask import ask

    results: list[FinalResult] = []
    with open_progress(quiet=quiet) as progress, stop_on_signal() as stop:
        began = time.perf_counter()
        progress.line(f"opening {corpus!r}")
        searcher = open_searcher(build)
        progress.line("loading the model")
        loaded = wiring.load_model(config, strategy.value)
        load_seconds = time.perf_counter() - began
        for name, text in questions:
            if stop.is_set():
                break
            if topics is not None:
                progress.line(f"question {len(results) + 1}/{len(questions)}: {text}")
            result = ask(
                text,
                searcher=searcher,
                model=loaded,
                config=config,
                run_dir=new_run_dir(build.runs, run_id=name, question=text, now=wiring.now()),
                strategy=strategy.value,
                seed=seed,
                source_root=source_root(build),
                on_event=event_teller(progress),
                cancelled=stop,
                load_seconds=load_seconds,
            )
            results.append(result)
            load_seconds = 0.0
        was_stopped = stop.is_set()
    if not results and was_stopped:
        raise KeyboardInterrupt
    print_results(results, as_json=as_json, is_batch=topics is not None)
    return _exit_code(results, is_batch=topics is not None, was_stopped=was_stopped)


def event_teller(progress: Progress) -> "Callable[[str, Mapping[str, Any]], None]":
    """A listener that turns a search's events into lines of progress."""

    def tell(kind: str, data: "Mapping[str, Any]") -> None:
        line = event_line(kind, data)
        if line is not None:
            progress.line(line)

    return tell


def _questions(
    question: str | None, topics: Path | None, run_id: str | None
) -> list[tuple[str | None, str]]:
    """(run id or None, text) of each question."""
    if topics is None:
        if question is None:
            message = "there is no question; give one, or a file with --topics"
            raise EmptyQuestion(message)
        return [(run_id, question)]
    if question is not None:
        message = "give either a question or --topics, not both"
        raise ConfigError(message)
    from corpora.topics import load_topics

    prefix = f"{run_id}-" if run_id else None
    return [
        (None if prefix is None else f"{prefix}{topic.query_id}", topic.text)
        for topic in load_topics(topics)
    ]


def print_results(results: "list[FinalResult]", *, as_json: bool, is_batch: bool) -> None:
    """Print one result, or a batch as one object with ``results``."""
    if as_json and not is_batch:
        print_json(results[0])
    elif as_json:
        content = [result.model_dump(mode="json", by_alias=True) for result in results]
        print_json({"schema": 1, "results": content})
    else:
        from search_agent.evidence.terminal import render_answer

        for result in results:
            typer.echo(render_answer(result, is_coloured=sys.stdout.isatty()))


def _exit_code(results: "list[FinalResult]", *, is_batch: bool, was_stopped: bool) -> int:
    """One question: its own code. A batch is done when it is through; errors and a stop show."""
    if not is_batch:
        return results[0].exit_code
    if was_stopped:
        return INTERRUPTED
    return int(any(result.status == "error" for result in results))
