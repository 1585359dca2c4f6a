"""``deepsearch resume`` and ``replay``: a recorded search gone on with, or run again."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from search_agent.cli.ask_command import event_teller, print_results
from search_agent.cli.build_layout import build_of_run, find_run, source_root
from search_agent.cli.encoders import open_searcher
from search_agent.cli.interruption import stop_on_signal
from search_agent.cli.options import DEFAULT_BUILD_FOLDER, BuildFolder, JsonFlag, QuietFlag
from search_agent.cli.progress import open_progress
from search_agent.cli.wiring import wiring_of

if TYPE_CHECKING:
    from search_agent.final_result import FinalResult

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="Run id or path.")]


def resume_command(
    context: typer.Context,
    *,
    run: RunArgument,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Go on with an interrupted search; a finished one gives its result again.

    \b
    Examples:
      deepsearch resume 20260102T030405Z-1a2b3c4d
    """  # noqa: D301
    from search_agent.trajectory.resume import resume

    with stop_on_signal() as stop:
        again = functools.partial(resume, cancelled=stop)
        return _run_again(again, context, run, build_folder, quiet=quiet, as_json=as_json)


def replay_command(
    context: typer.Context,
    *,
    run: RunArgument,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Run a recorded search again with its recorded replies; every event must be equal.

    \b
    Examples:
      deepsearch replay 20260102T030405Z-1a2b3c4d --json
    """  # noqa: D301
    from search_agent.trajectory.resume import replay

    return _run_again(replay, context, run, build_folder, quiet=quiet, as_json=as_json)


def _run_again(
    again: "Callable[..., FinalResult]",
    context: typer.Context,
    run: str,
    build_folder: Path,
    *,
    quiet: bool,
    as_json: bool,
) -> int:
    from search_agent.config import SearchConfig
    from search_agent.trajectory.resume import recorded_inputs

    run_dir = find_run(run, build_folder=build_folder)
    build = build_of_run(run_dir)
    _, inputs = recorded_inputs(run_dir)
    config = SearchConfig.model_validate(inputs["config"])
    with open_progress(quiet=quiet) as progress:
        progress.line(f"opening {build.name!r} and the model")
        result = again(
            run_dir,
            searcher=open_searcher(build),
            model=wiring_of(context).load_model(config, inputs["strategy"]),
            source_root=source_root(build),
            on_event=event_teller(progress),
        )
    print_results([result], as_json=as_json, is_batch=False)
    return result.exit_code
