"""``deepsearch``: the app put together, and ``main``, the console script.

No heavy library is imported here or by any command file; each command imports what it runs.
"""

import functools
import sys
from collections.abc import Sequence

import typer

from search_agent.cli.ask_command import ask_command
from search_agent.cli.bench_commands import bench_app
from search_agent.cli.doctor_command import doctor_command
from search_agent.cli.exits import ignore_file_size_signal, run_guarded, write_utf8
from search_agent.cli.index_commands import index_app
from search_agent.cli.ingest_command import ingest_command
from search_agent.cli.models_commands import models_app
from search_agent.cli.resume_commands import replay_command, resume_command
from search_agent.cli.runs_commands import runs_app
from search_agent.cli.show_command import show_command
from search_agent.cli.verify_command import verify_command
from search_agent.cli.wiring import Wiring, wiring_of

app = typer.Typer(
    name="deepsearch",
    help="Offline deep research over a fixed corpus, with citations that code has checked.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _forbid_connections(context: typer.Context) -> None:
    """Offline deep research over a fixed corpus, with citations that code has checked."""
    if context.invoked_subcommand != "models":  # its own callback lets `models fetch` out
        wiring_of(context).forbid_connections()


app.command("ingest")(ingest_command)
app.add_typer(index_app)
app.command("show")(show_command)
app.command("ask")(ask_command)
app.command("resume")(resume_command)
app.command("replay")(replay_command)
app.command("verify")(verify_command)
app.add_typer(runs_app)
app.add_typer(models_app)
app.add_typer(bench_app)
app.command("doctor")(doctor_command)


def main(arguments: Sequence[str] | None = None, *, wiring: Wiring | None = None) -> int:
    """Run one command line and return its exit code (see ``exits``)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    ignore_file_size_signal()
    write_utf8()
    return run_guarded(lambda: _run(words, wiring or Wiring()), as_json="--json" in words)


@functools.cache
def _command() -> typer.core.TyperGroup:
    """Read from the signatures once; that takes longer than most commands."""
    return typer.main.get_group(app)


def _run(words: list[str], wiring: Wiring) -> int:
    command = _command()
    with command.make_context("deepsearch", words, obj=wiring) as context:
        code = command.invoke(context)
    return code if isinstance(code, int) else 0
