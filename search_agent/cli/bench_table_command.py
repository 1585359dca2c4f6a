"""``deepsearch bench table``: saved results of ``bench answers`` as Markdown."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.errors import CorpusNotFound, MalformedRecord
from search_agent.cli.exits import DONE
from search_agent.cli.json_output import print_json
from search_agent.cli.options import JsonFlag, QuietFlag

if TYPE_CHECKING:
    from search_agent.bench.result import BenchResult


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
    """Print saved results as a Markdown table.

    \b
    Examples:
      deepsearch bench table state-space.json single-shot.json
      deepsearch bench table hotpotqa.json --by kind
    """  # noqa: D301
    from search_agent.bench.table import markdown_table

    results = [result for path in files for result in read_results(path)]
    table = markdown_table(results, by=by.value if by else None)
    if as_json:
        print_json({"schema": 1, "table": table})
    else:
        typer.echo(table, nl=False)
    return DONE


def read_results(path: Path) -> "list[BenchResult]":
    """The result or results of a file that ``bench answers --out`` wrote.

    Raises:
        MalformedRecord: the file is no such file.
        CorpusNotFound: it does not exist.
    """
    from pydantic import ValidationError

    from search_agent.bench.result import BenchResult

    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return [BenchResult.model_validate(item) for item in content.get("results", [content])]
    except FileNotFoundError as error:
        message = (
            f"no result file {str(path)!r}; `deepsearch bench answers … --out FILE` writes one"
        )
        raise CorpusNotFound(message) from error
    except (ValueError, AttributeError, ValidationError) as error:
        message = f"{str(path)!r} is no result of `deepsearch bench answers`: {error}"
        raise MalformedRecord(message) from error
