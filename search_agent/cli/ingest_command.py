"""``deepsearch ingest``: documents of a folder, or a test collection, into the store."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from search_agent.cli.build_layout import CorpusBuild, remember_source
from search_agent.cli.encoders import encoder_of_name
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_ENCODER,
    BuildFolder,
    EncoderOption,
    JsonFlag,
    QuietFlag,
)
from search_agent.cli.printable import printable
from search_agent.cli.progress import Progress, open_progress
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from ingest.report import IngestProgress, IngestReport

SHOWN_PROBLEMS = 20


def ingest_command(
    *,
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE…", help="Shipped corpus names or folders.")
    ],
    corpus: Annotated[
        str | None,
        typer.Option(
            "--corpus", "--name", help="Name of the build; default: the source's own name."
        ),
    ] = None,
    collection: Annotated[
        bool,
        typer.Option(
            "--collection", help="SOURCE is a test collection (corpus.jsonl.gz, queries, qrels)."
        ),
    ] = False,
    rehash: Annotated[
        bool,
        typer.Option(
            "--rehash", help="Hash every file again, also where size and time are unchanged."
        ),
    ] = False,
    retry_problems: Annotated[
        bool,
        typer.Option("--retry-problems", help="Read unchanged files again that failed before."),
    ] = False,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    encoder: EncoderOption = DEFAULT_ENCODER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Turn a folder of documents into exact text with addresses.

    \b
    Examples:
      deepsearch ingest demo
      deepsearch ingest ./contracts --corpus contracts
      deepsearch ingest ./hotpotqa-200 --collection --corpus hotpot
    """  # noqa: D301
    from corpora.card import find_corpus
    from ingest import IngestConfig, ingest_collection, ingest_corpus

    if len(sources) > 1 and corpus is not None:
        message = (
            f"one build holds one source; --corpus {corpus!r} was given with {len(sources)} sources"
        )
        raise ConfigError(message)
    encoder_card = encoder_of_name(encoder)
    reports: dict[str, IngestReport] = {}
    config = IngestConfig(rehash=rehash, retry_problems=retry_problems)
    with open_progress(quiet=quiet) as progress:
        tell = ingest_teller(progress)
        for source in sources:
            card = find_corpus(source, name=corpus)
            build = CorpusBuild(build_folder=build_folder, name=card.name)
            if collection:
                report = ingest_collection(
                    card.root, build.ingest, encoder=encoder_card, config=config, progress=tell
                )
            else:
                report = ingest_corpus(
                    card, build.ingest, encoder=encoder_card, config=config, progress=tell
                )
            remember_source(build, card.root)
            reports[card.name] = report
    if as_json and len(reports) == 1:
        print_json(next(iter(reports.values())))
    elif as_json:
        content = {
            name: report.model_dump(mode="json", by_alias=True) for name, report in reports.items()
        }
        print_json({"schema": 1, "corpora": content})
    else:
        for name, report in reports.items():
            typer.echo(printable(render_report(name, report)), nl=False)
    return 0


def render_report(name: str, report: "IngestReport") -> str:
    """A report as lines: counts that are not zero, then the first problems."""
    states = ", ".join(f"{count} {state}" for state, count in report.documents.items() if count)
    changes = ", ".join(f"{count} {change}" for change, count in report.changes.items() if count)
    lines = [
        f"{name}: {states or 'no documents'} ({changes or 'no changes'})",
        f"{report.segments} segments, {report.chunks} chunks, {report.seconds:.1f} s",
    ]
    lines += [
        f"  {problem.state}: {problem.path}: {problem.reason}"
        for problem in report.problems[:SHOWN_PROBLEMS]
    ]
    if len(report.problems) > SHOWN_PROBLEMS:
        lines.append(
            f"  and {len(report.problems) - SHOWN_PROBLEMS} more problems; --json lists all"
        )
    return "\n".join(lines) + "\n"


def ingest_teller(progress: Progress) -> "Callable[[IngestProgress], None]":
    """A listener that shows files and chunks."""

    def tell(step: "IngestProgress") -> None:
        note = f"{step.chunks} chunks, {step.path}"
        progress.count("files", step.files_done, step.files_total, note)

    return tell
