"""``deepsearch verify``: a saved answer's citations against documents and files as they are now."""

from typing import TYPE_CHECKING, Annotated

import typer

from search_agent.cli.build_layout import build_of_run, find_run, source_root
from search_agent.cli.json_output import print_json
from search_agent.cli.options import DEFAULT_BUILD_FOLDER, BuildFolder, JsonFlag, QuietFlag
from search_agent.cli.printable import printable

if TYPE_CHECKING:
    from search_agent.evidence.verify import VerifyReport


def verify_command(
    *,
    run: Annotated[str, typer.Argument(metavar="RUN", help="Run id or path.")],
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Check every citation of a saved answer again; no model is needed.

    Exit code 2 if any citation does not exist any more.

    \b
    Examples:
      deepsearch verify 20260102T030405Z-1a2b3c4d
    """  # noqa: D301
    from corpora.store import DocumentStore
    from search_agent.evidence.saved_result import load_result
    from search_agent.evidence.verify import verify_result

    run_dir = find_run(run, build_folder=build_folder)
    build = build_of_run(run_dir)
    report = verify_result(
        load_result(run_dir), store=DocumentStore(build.ingest), source_root=source_root(build)
    )
    if as_json:
        print_json(report)
    else:
        typer.echo(printable(render_report(report)), nl=False)
    return report.exit_code


def render_report(report: "VerifyReport") -> str:
    """Both rates, then each citation that does not hold."""
    lines = [
        f"{report.exist} of {report.citations} citations exist,"
        f" {report.supported} of {report.claims} claims were found supported"
    ]
    lines += [f"  [{failure.citation}] {failure.reason}" for failure in report.failures]
    return "\n".join(lines) + "\n"
