"""``deepsearch index build|verify|stats``: make an index and say what is in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from search_agent.cli.build_layout import CorpusBuild
from search_agent.cli.encoders import encoders_of_build
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_CORPUS,
    BuildFolder,
    CorpusOption,
    JsonFlag,
    QuietFlag,
)
from search_agent.cli.progress import Progress, open_progress
from search_agent.cli.search_command import search_command

if TYPE_CHECKING:
    from index.manifest import DenseSearch, IndexManifest
    from index.progress import IndexProgress

index_app = typer.Typer(
    name="index",
    help="Build, check and search the index.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@index_app.command("build")
def build_command(
    *,
    corpus: CorpusOption = DEFAULT_CORPUS,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    encoders: Annotated[
        list[str] | None,
        typer.Option(
            "--encoder",
            help="Embedding model, repeatable; default: the one the chunks were cut for, and the"
            " multilingual one where the corpus needs it.",
        ),
    ] = None,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Turn ingested chunks into a hybrid index; does nothing when it is fresh.

    \b
    Examples:
      deepsearch index build
      deepsearch index build --corpus contracts --json
      deepsearch index build --encoder all-MiniLM-L6-v2 --encoder use-multilingual-v3
    """  # noqa: D301
    from index import build_index

    build = CorpusBuild(build_folder=build_folder, name=corpus)
    with open_progress(quiet=quiet) as progress:
        manifest = build_index(
            build.folder,
            encoders=encoders_of_build(build, encoders or (), tell=progress.line),
            progress=index_teller(progress),
        )
    if as_json:
        print_json({"schema": 1, "corpus": corpus, **manifest.model_dump(mode="json")})
    else:
        typer.echo(render_manifest(corpus, manifest))
    return 0


index_app.command("update", help="The same as build: what has not changed is not done again.")(
    build_command
)


@index_app.command("verify")
def verify_command(
    *,
    corpus: CorpusOption = DEFAULT_CORPUS,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Read every file of the index and compare it with what was written.

    \b
    Examples:
      deepsearch index verify --corpus contracts
    """  # noqa: D301
    from index import verify_index

    with open_progress(quiet=quiet) as progress:
        progress.line(f"reading the index of {corpus!r}")
        n_files = verify_index(CorpusBuild(build_folder=build_folder, name=corpus).folder)
    if as_json:
        print_json({"schema": 1, "corpus": corpus, "ok": True, "files": n_files})
    else:
        typer.echo(f"{corpus}: {n_files} files are as they were written")
    return 0


@index_app.command("stats")
def stats_command(
    *,
    corpus: CorpusOption = DEFAULT_CORPUS,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Say how big the index is, also a stale one.

    \b
    Examples:
      deepsearch index stats --corpus contracts --json
    """  # noqa: D301
    from index import index_stats

    stats = index_stats(CorpusBuild(build_folder=build_folder, name=corpus).folder)
    if as_json:
        content = {
            "schema": 1,
            "corpus": corpus,
            "terms": stats.terms,
            "postings": stats.postings,
            "bytes_by_part": stats.bytes_by_part,
            "manifest": stats.manifest.model_dump(mode="json", exclude={"files"}),
        }
        print_json(content)
        return 0
    typer.echo(render_manifest(corpus, stats.manifest))
    typer.echo(f"{stats.terms} terms, {stats.postings} postings")
    for part, size in sorted(stats.bytes_by_part.items()):
        typer.echo(f"  {part}: {size / 1e6:.2f} MB")
    return 0


index_app.command("search")(search_command)


def render_manifest(corpus: str, manifest: "IndexManifest") -> str:
    """What a build made, in two lines."""
    legs = ", ".join(f"{dense.name} ({_render_search(dense.search)})" for dense in manifest.dense)
    counts = f"{manifest.counts.documents} documents, {manifest.counts.chunks} chunks"
    work = (
        f"{manifest.written} written in {manifest.seconds:.1f} s"
        if manifest.written
        else "was fresh"
    )
    return (
        f"{corpus}: generation {manifest.generation}, {counts}; {work}\n"
        f"legs: {manifest.lexical.backend}/{manifest.lexical.variant}, {legs or 'no dense leg'};"
        f" self-query {manifest.self_query.found}/{manifest.self_query.documents}"
    )


def _render_search(search: "DenseSearch") -> str:
    """How a dense leg is searched; its recall where it is not exact."""
    if search.index_type == "flat":
        return f"flat, {search.note}" if search.note else "flat"
    return (
        f"{search.clusters} clusters, {search.compared} rows compared;"
        f" recall@10 {search.recall_at_10:.3f}, recall@100 {search.recall_at_100:.3f}"
        f" on {search.sample_queries} sample queries"
    )


def index_teller(progress: Progress) -> "Callable[[IndexProgress], None]":
    """A listener that shows a build's stages."""

    def tell(step: "IndexProgress") -> None:
        name = step.stage if step.encoder is None else f"{step.stage} {step.encoder}"
        rate = "" if step.rate_per_s is None else f"{step.rate_per_s:.0f}/s"
        eta = "" if step.eta_s is None else f", {step.eta_s:.0f} s left"
        reused = f"{step.reused} kept" if step.reused else ""
        progress.count(name, step.done, step.total, rate + eta + reused)

    return tell
