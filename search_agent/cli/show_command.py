"""``deepsearch show``: the exact text behind a citation, a span or a document."""

import contextlib
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.document import parse_span_id
from corpora.errors import CorpusNotFound
from search_agent.cli.build_layout import CorpusBuild, build_of_run, builds_in, find_run
from search_agent.cli.json_output import print_json
from search_agent.cli.options import DEFAULT_BUILD_FOLDER, BuildFolder, JsonFlag, QuietFlag
from search_agent.cli.printable import printable

if TYPE_CHECKING:
    from pathlib import Path

    from search_agent.evidence.show import ShownSpan


def show_command(
    *,
    target: Annotated[
        str, typer.Argument(metavar="CITATION|DOC", help="doc_id, doc_id:start-end or RUN#n.")
    ],
    corpus: Annotated[
        str | None, typer.Option("--corpus", help="Where to look; default: every build.")
    ] = None,
    context: Annotated[
        int, typer.Option("--context", min=0, help="Characters shown before and after.")
    ] = 0,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Show the stored text that a citation points to.

    \b
    Examples:
      deepsearch show d_0123456789abcdef:120-240 --context 200
      deepsearch show 20260102T030405Z-1a2b3c4d#2
    """  # noqa: D301
    from corpora.store import DocumentStore
    from search_agent.evidence.show import show

    run, mark, number = target.rpartition("#")
    if mark and number.isdecimal():
        run_dir = find_run(run, build_folder=build_folder)
        build = build_of_run(run_dir)
        target = f"{run_dir}#{number}"
    else:
        build = _build_with(target, corpus=corpus, build_folder=build_folder)
    shown = show(target, store=DocumentStore(build.ingest), runs_folder=build.runs, context=context)
    if as_json:
        print_json(shown)
    else:
        typer.echo(printable(render_span(shown)), nl=False)
    return 0


def render_span(span: "ShownSpan") -> str:
    """Where the text stands, then the text, the span marked when there is context around it."""
    page = f", p. {span.page}" if span.page is not None else ""
    place = f"{span.title} ({span.uri}{page})\n{span.doc_id}:{span.start}-{span.end}"
    text = f"{span.before}»{span.text}«{span.after}" if span.before or span.after else span.text
    return f"{place}\nsource sha256 {span.source_sha256}\n\n{text.rstrip()}\n"


def _build_with(target: str, *, corpus: str | None, build_folder: "Path") -> CorpusBuild:
    """The corpus that is named, or the one that holds the document."""
    from corpora.store import DocumentStore

    if corpus is not None:
        return CorpusBuild(build_folder=build_folder, name=corpus)
    doc_ids = {target}
    with contextlib.suppress(ValueError):  # a whole document is no span
        doc_ids.add(parse_span_id(target)[0])
    for build in builds_in(build_folder):
        store = DocumentStore(build.ingest)
        try:
            if any(store.document(doc_id) is not None for doc_id in doc_ids):
                return build
        finally:
            store.close()
    known = ", ".join(build.name for build in builds_in(build_folder)) or "none is ingested"
    message = (
        f"{target!r} is in no corpus under {str(build_folder)!r} ({known});"
        " show takes doc_id, doc_id:start-end or RUN#n"
    )
    raise CorpusNotFound(message)
