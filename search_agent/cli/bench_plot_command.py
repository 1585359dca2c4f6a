"""``deepsearch bench plot``: saved results as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from corpora.errors import MalformedRecord
from corpora.manifest import write_atomically
from search_agent.cli.exits import DONE
from search_agent.cli.json_output import print_json
from search_agent.cli.options import JsonFlag, QuietFlag
from search_agent.cli.saved_results import holds_retrieval, read_results, read_retrieval_results
from search_agent.errors import ConfigError


def plot_command(
    *,
    files: Annotated[
        list[Path], typer.Argument(metavar="RESULT.json…", help="Files that --out wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The SVG file to write.")],
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Draw saved results as bars: measures of answers and seconds, or of rankings by leg.

    Needs the extra `bench` (matplotlib). The same results give the same bytes.

    \b
    Examples:
      deepsearch bench plot hotpotqa.json --out hotpotqa.svg
    """  # noqa: D301
    if out.suffix != ".svg" or not out.parent.is_dir():
        message = f"--out {str(out)!r} is no .svg file in a folder that exists"
        raise ConfigError(message)
    picture, n_results = _drawn(files)
    if not n_results:
        message = f"there is no result in {', '.join(repr(str(path)) for path in files)}"
        raise MalformedRecord(message)
    write_atomically(out, picture)
    if as_json:
        print_json({"schema": 1, "file": str(out), "results": n_results})
    elif not quiet:
        typer.echo(f"{n_results} results drawn: {out}")
    return DONE


def _drawn(files: list[Path]) -> tuple[str, int]:
    """The SVG of the files' results, and how many these are; empty for none."""
    if holds_retrieval(files):
        from search_agent.bench.retrieval_plot import retrieval_plot_svg

        rankings = [result for path in files for result in read_retrieval_results(path)]
        return retrieval_plot_svg(rankings), len(rankings)
    from search_agent.bench.plot import plot_svg

    answers = [result for path in files for result in read_results(path)]
    return (plot_svg(answers) if answers else ""), len(answers)
