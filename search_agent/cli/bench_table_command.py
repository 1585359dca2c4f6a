"""``deepsearch bench table``: saved results as Markdown."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from search_agent.cli.exits import DONE
from search_agent.cli.json_output import print_json
from search_agent.cli.options import JsonFlag, QuietFlag
from search_agent.cli.saved_results import holds_retrieval, read_results, read_retrieval_results
from search_agent.errors import ConfigError


class GroupOption(StrEnum):
    """What questions are grouped by."""

    KIND = "kind"
    LANGUAGE = "language"


def table_command(
    *,
    files: Annotated[
        list[Path], typer.Argument(metavar="RESULT.json…", help="Files that --out wrote.")
    ],
    by: Annotated[
        GroupOption | None,
        typer.Option("--by", help="A row per group of questions instead of one per result."),
    ] = None,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Print saved results of `bench answers`, or of `bench retrieval`, as a Markdown table.

    \b
    Examples:
      deepsearch bench table state-space.json single-shot.json
      deepsearch bench table hotpotqa.json --by kind
    """  # noqa: D301
    if holds_retrieval(files):
        from search_agent.bench.retrieval_table import retrieval_table

        if by is not None:
            message = "--by groups questions of `bench answers`; these are of `bench retrieval`"
            raise ConfigError(message)
        table = retrieval_table([one for path in files for one in read_retrieval_results(path)])
    else:
        from search_agent.bench.table import markdown_table

        results = [result for path in files for result in read_results(path)]
        table = markdown_table(results, by=by.value if by else None)
    if as_json:
        print_json({"schema": 1, "table": table})
    else:
        typer.echo(table, nl=False)
    return DONE
