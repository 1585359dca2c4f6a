"""``deepsearch ingest``: documents of a folder, or a test collection, into the store."""

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, TypeVar

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
from search_agent.cli.settings import parse_assignments, validate_settings
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from corpora.card import CorpusCard
    from corpora.encoder_card import EncoderCard
    from ingest import IngestConfig
    from ingest.preview import IngestPreview
    from ingest.report import IngestProgress, IngestReport

SHOWN_PROBLEMS = 20
IngestSetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override one limit or size of reading (TOML value); repeatable.",
    ),
]
Result = TypeVar("Result", "IngestReport", "IngestPreview")


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
            "--collection",
            help="SOURCE is a test collection (corpus.jsonl.gz); told apart where it has queries.",
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
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Tell what is new, changed, renamed or gone; write nothing."
        ),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Ingest again whenever the folder has changed, until Ctrl-C."),
    ] = False,
    watch_interval_s: Annotated[
        float,
        typer.Option("--watch-interval-s", min=0.1, help="Seconds between two looks at it."),
    ] = 5.0,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=0,
            help="Processes that read files; default: the cores, at most 4; 0: none, no limits.",
        ),
    ] = None,
    assignments: IngestSetOption = None,
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
      deepsearch ingest ./contracts --corpus contracts --dry-run
      deepsearch ingest ./scans --set max_reader_wall_s=7200 --set 'ocr_languages=["de"]'
      deepsearch ingest ./hotpotqa-200 --corpus hotpot
    """  # noqa: D301
    from corpora.card import find_corpus
    from ingest import IngestConfig, is_collection

    _check_flags(sources, corpus=corpus, dry_run=dry_run, watch=watch)
    encoder_card = encoder_of_name(encoder)
    flags: dict[str, object] = {"rehash": rehash, "retry_problems": retry_problems}
    if workers is not None:
        flags["workers"] = workers
    config = validate_settings(IngestConfig, {**parse_assignments(assignments or []), **flags})
    runs = [
        _Run(card, CorpusBuild(build_folder=build_folder, name=card.name), encoder_card, config)
        for card in (find_corpus(source, name=corpus) for source in sources)
    ]
    collections = {run.card.name for run in runs if collection or is_collection(run.card.root)}
    if collections and (dry_run or watch):
        message = "--dry-run and --watch are for folders, not for a test collection"
        raise ConfigError(message)
    if dry_run:
        previews = {run.card.name: run.preview() for run in runs}
        _show(previews, render_preview, as_json=as_json)
        return 0
    with open_progress(quiet=quiet) as progress:
        tell = ingest_teller(progress)
        for name in sorted(collections):
            progress.line(f"{name} is a test collection: each record of its corpus is a document")
        reports = {
            run.card.name: run.ingest(tell, collection=run.card.name in collections) for run in runs
        }
    _show(reports, render_report, as_json=as_json)
    if watch:
        _watch(runs[0], watch_interval_s, quiet=quiet, as_json=as_json)
    return 0


@dataclass(frozen=True, slots=True)
class _Run:
    """One source on its way into one build."""

    card: "CorpusCard"
    build: CorpusBuild
    encoder: "EncoderCard"
    config: "IngestConfig"

    def preview(self) -> "IngestPreview":
        from ingest.preview import preview_corpus

        return preview_corpus(
            self.card, self.build.ingest, encoder=self.encoder, config=self.config
        )

    def ingest(
        self, tell: "Callable[[IngestProgress], None]", *, collection: bool
    ) -> "IngestReport":
        from ingest import ingest_collection, ingest_corpus

        if collection:
            report = ingest_collection(
                self.card.root,
                self.build.ingest,
                encoder=self.encoder,
                config=self.config,
                progress=tell,
            )
        else:
            report = ingest_corpus(
                self.card,
                self.build.ingest,
                encoder=self.encoder,
                config=self.config,
                progress=tell,
            )
        remember_source(self.build, self.card.root)
        return report


def _check_flags(sources: list[str], *, corpus: str | None, dry_run: bool, watch: bool) -> None:
    """Flags that exclude each other.

    Raises:
        ConfigError: two that do.
    """
    message = ""
    if len(sources) > 1 and corpus is not None:
        message = (
            f"one build holds one source; --corpus {corpus!r} was given with {len(sources)} sources"
        )
    elif len(sources) > 1 and watch:
        message = f"--watch watches one source, {len(sources)} were given; start one for each"
    elif dry_run and watch:
        message = "--dry-run writes nothing and ends; --watch goes on writing: give one of them"
    if message:
        raise ConfigError(message)


def _watch(run: _Run, interval_s: float, *, quiet: bool, as_json: bool) -> None:
    """Ingest at every change, for ever."""
    from ingest.watch import watch_folder

    once = replace(run, config=run.config.model_copy(update={"retry_problems": False}))
    changes = watch_folder(
        run.card,
        max_file_bytes=run.config.max_file_bytes,
        wait=lambda: time.sleep(interval_s),
    )
    for _ in changes:
        with open_progress(quiet=quiet) as progress:
            report = once.ingest(ingest_teller(progress), collection=False)
        _show({run.card.name: report}, render_report, as_json=as_json)
        sys.stdout.flush()


def _show(
    results: "Mapping[str, Result]", render: "Callable[[str, Result], str]", *, as_json: bool
) -> None:
    """Results by corpus: one object, or lines for each."""
    if as_json and len(results) == 1:
        print_json(next(iter(results.values())))
    elif as_json:
        content = {
            name: result.model_dump(mode="json", by_alias=True) for name, result in results.items()
        }
        print_json({"schema": 1, "corpora": content})
    else:
        for name, result in results.items():
            typer.echo(printable(render(name, result)), nl=False)


def render_report(name: str, report: "IngestReport") -> str:
    """A report as lines: changes, files by state, then the first problems and duplicates."""
    changes = ", ".join(f"{count} {change}" for change, count in report.changes.items() if count)
    states = {state: count for state, count in report.documents.items() if count}
    lines = [f"{name}: {changes or 'no changes'}"]
    lines += [f"  {state:<12}{count:>8}" for state, count in states.items()]
    lines += [f"  {'files':<12}{sum(states.values()):>8}"]
    lines.append(f"{report.segments} segments, {report.chunks} chunks, {report.seconds:.1f} s")
    lines += _first(
        [f"{problem.state}: {problem.path}: {problem.reason}" for problem in report.problems],
        "problems; problems.jsonl lists all",
    )
    lines += _first(
        [
            f"near-duplicate: {each.path} of {each.survivor} ({each.similarity:.2f}); {each.reason}"
            for each in report.duplicates
        ],
        "near-duplicates; near_duplicates.jsonl lists all",
    )
    return "\n".join(lines) + "\n"


def render_preview(name: str, preview: "IngestPreview") -> str:
    """A preview as lines: counts, then the first paths of each change."""
    paths = {
        "added": preview.added,
        "changed": preview.changed,
        "renamed": [f"{each.before} -> {each.now}" for each in preview.renamed],
        "removed": preview.removed,
    }
    counts = [f"{len(found)} {change}" for change, found in paths.items() if found]
    if preview.unchanged:
        counts.append(f"{preview.unchanged} unchanged")
    lines = [f"{name}: {', '.join(counts) or 'no files'} (dry run, nothing was written)"]
    lines.append(f"{preview.to_read} to read, {preview.to_read_bytes} bytes")
    for change, found in paths.items():
        lines += _first([f"{change}: {path}" for path in found], f"{change}; --json lists all")
    lines += _first(
        [f"{problem.state}: {problem.path}: {problem.reason}" for problem in preview.problems],
        "problems; --json lists all",
    )
    return "\n".join(lines) + "\n"


def _first(lines: list[str], of_what: str) -> list[str]:
    """The first lines, indented, and how many more there are."""
    shown = [f"  {line}" for line in lines[:SHOWN_PROBLEMS]]
    if len(lines) > SHOWN_PROBLEMS:
        shown.append(f"  and {len(lines) - SHOWN_PROBLEMS} more {of_what}")
    return shown


def ingest_teller(progress: Progress) -> "Callable[[IngestProgress], None]":
    """A listener that shows files, rates and the time that is left."""

    def tell(step: "IngestProgress") -> None:
        notes = [f"{step.chunks} chunks"]
        if step.chunks_per_s:
            notes.append(f"{step.pages_per_s:.1f} pages/s, {step.chunks_per_s:.1f} chunks/s")
        if step.left_s:
            notes.append(f"{_duration(step.left_s)} left")
        progress.count("files", step.files_done, step.files_total, ", ".join([*notes, step.path]))

    return tell


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
