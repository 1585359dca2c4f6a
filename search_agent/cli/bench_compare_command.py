"""``deepsearch bench compare``: what changed between two saved results, and whether by chance."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.errors import MalformedRecord
from search_agent.cli.bench_table_command import read_results
from search_agent.cli.exits import DONE
from search_agent.cli.json_output import print_json
from search_agent.cli.options import JsonFlag, QuietFlag

if TYPE_CHECKING:
    from search_agent.bench.result import BenchResult


def compare_command(
    *,
    a: Annotated[str, typer.Argument(metavar="A.json", help="The result to compare with.")],
    b: Annotated[
        str,
        typer.Argument(
            metavar="B.json",
            help="The result to compare; FILE#NAME picks one of a file with several strategies.",
        ),
    ],
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Print the differences B − A, question by question paired, with 95 % intervals.

    A difference is marked when its interval leaves out zero.

    \b
    Examples:
      deepsearch bench compare before.json after.json
      deepsearch bench compare hotpotqa.json#react hotpotqa.json#state-space --json
    """  # noqa: D301
    print_comparison(a, b, as_json=as_json)
    return DONE


def print_comparison(a: str, b: str, *, as_json: bool) -> None:
    """Compare two saved results on stdout.

    Raises:
        MalformedRecord: a file holds no result, or several and no name; or they are of different
            questions.
        CorpusNotFound: a file does not exist.
    """
    from search_agent.bench.compare import compare_results, comparison_table

    comparison = compare_results(_one_result(a), _one_result(b))
    if as_json:
        print_json(comparison)
        return
    sides = (comparison.a, comparison.b)
    told = " against ".join(f"{side.name} ({side.model}, {side.profile})" for side in sides)
    typer.echo(f"{comparison.dataset}: {told}, {comparison.pairs} common questions\n")
    typer.echo(comparison_table(comparison))
    certain = [row.measure for row in comparison.differences if row.excludes_zero]
    typer.echo(f"intervals without zero: {', '.join(certain) or 'none'}")


def _one_result(place: str) -> "BenchResult":
    """The result that ``FILE`` or ``FILE#NAME`` names."""
    from search_agent.bench.mode import approach_name

    file, mark, wanted = place.rpartition("#")
    if not mark or Path(place).exists():
        file, wanted = place, ""
    results = {
        approach_name(result.strategy, result.mode): result for result in read_results(Path(file))
    }
    if not wanted and len(results) == 1:
        return next(iter(results.values()))
    if wanted not in results:
        asked = f"no result {wanted!r}" if wanted else f"{len(results)} results"
        choices = ", ".join(f"{file}#{name}" for name in results)
        message = f"{file!r} holds {asked}; name one as in {choices}"
        raise MalformedRecord(message)
    return results[wanted]
