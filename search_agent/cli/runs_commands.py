"""``deepsearch runs``: what has been asked, and taking it away."""

import json
import shutil
from pathlib import Path
from typing import Annotated

import typer

from search_agent.cli.build_layout import find_run, run_dirs
from search_agent.cli.json_output import print_json
from search_agent.cli.options import DEFAULT_BUILD_FOLDER, BuildFolder, JsonFlag, QuietFlag
from search_agent.cli.printable import printable

runs_app = typer.Typer(
    name="runs",
    help="List and remove run directories.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@runs_app.command("list")
def list_command(
    *,
    corpus: Annotated[
        str | None, typer.Option("--corpus", help="Only runs of this corpus.")
    ] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """List the runs of all corpora, finished or not.

    \b
    Examples:
      deepsearch runs list
      deepsearch runs list --corpus demo --json
    """  # noqa: D301
    runs = [
        describe_run(folder)
        for folder in run_dirs(build_folder)
        if corpus is None or folder.parent.parent.name == corpus
    ]
    if as_json:
        print_json({"schema": 1, "runs": runs})
        return 0
    for run in runs:
        state = run["status"] or "unfinished"
        typer.echo(printable(f"{run['id']}  {run['corpus']}  {state}  {run['question'] or ''}"))
    return 0


@runs_app.command("rm")
def rm_command(
    *,
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Run ids or paths.")],
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Remove run directories with everything in them.

    \b
    Examples:
      deepsearch runs rm 20260102T030405Z-1a2b3c4d
    """  # noqa: D301
    folders = [find_run(run, build_folder=build_folder) for run in runs]  # all or none
    for folder in dict.fromkeys(folders):
        _require_idle(folder)
        shutil.rmtree(folder)
    if as_json:
        print_json({"schema": 1, "removed": [str(folder) for folder in dict.fromkeys(folders)]})
    return 0


def describe_run(folder: Path) -> dict[str, object]:
    """One row of the list; an unfinished run has no status."""
    path = folder / "final_result.json"
    result: dict[str, object] = (
        json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    )
    return {
        "id": folder.name,
        "corpus": folder.parent.parent.name,
        "run_dir": str(folder),
        "finished": bool(result),
        **{
            key: result.get(key)
            for key in ("question", "strategy", "status", "termination", "answer", "seconds")
        },
    }


def _require_idle(folder: Path) -> None:
    """Raise TrajectoryLocked while another process writes the run."""
    from search_agent.trajectory.log import Trajectory

    if (folder / "trajectory.jsonl").is_file():
        Trajectory(folder).close()
