"""``deepsearch bench compare``: what changed between two saved results, and whether by chance."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.errors import MalformedRecord
from search_agent.cli.exits import DONE
from search_agent.cli.json_output import print_json
from search_agent.cli.options import JsonFlag, QuietFlag
from search_agent.cli.saved_results import holds_retrieval, read_results, read_retrieval_results

if TYPE_CHECKING:
    from search_agent.bench.result import BenchResult


def compare_command(
    *,
    a: Annotated[str, typer.Argument(metavar="A.json", help="The result to compare with.")],
    b: Annotated[
        str,
        typer.Argument(
            metavar="B.json",
            help="The result to compare; FILE#NAME picks a strategy, or a leg of rankings.",
        ),
    ],
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Print the differences B − A, question by question paired, with 95 % intervals.

    A difference is marked when its interval leaves out zero; one of rankings (`bench retrieval`)
    when a randomisation test gives p < 0.05.

    \b
    Examples:
      deepsearch bench compare before.json after.json
      deepsearch bench compare hotpotqa.json#react hotpotqa.json#state-space --json
      deepsearch bench compare retrieval.json#sparse retrieval.json#hybrid
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
    (file_a, name_a), (file_b, name_b) = _parts(a), _parts(b)
    if holds_retrieval([Path(file_a), Path(file_b)]):
        if bool(name_a) != bool(name_b):
            message = f"{a!r} and {b!r}: name a leg of both, or of neither"
            raise MalformedRecord(message)
        legs = (name_a, name_b) if name_a else None
        _print_rankings(Path(file_a), Path(file_b), legs=legs, as_json=as_json)
        return
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


def _print_rankings(a: Path, b: Path, *, legs: tuple[str, str] | None, as_json: bool) -> None:
    from search_agent.bench.retrieval_compare import (
        compare_retrieval,
        retrieval_comparison_table,
    )

    comparison = compare_retrieval(read_retrieval_results(a), read_retrieval_results(b), legs=legs)
    if as_json:
        print_json(comparison)
    else:
        typer.echo(retrieval_comparison_table(comparison), nl=False)


def _parts(place: str) -> tuple[str, str]:
    """File and name of ``FILE#NAME``; the name is empty where none is given."""
    file, mark, wanted = place.rpartition("#")
    return (place, "") if not mark or Path(place).exists() else (file, wanted)


def _one_result(place: str) -> "BenchResult":
    """The result that ``FILE`` or ``FILE#NAME`` names."""
    from search_agent.bench.mode import approach_name

    file, wanted = _parts(place)
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
