"""``deepsearch index search``: one query against the index, no model of language involved."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from search_agent.cli.build_layout import CorpusBuild
from search_agent.cli.encoders import open_searcher
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_CORPUS,
    BuildFolder,
    CorpusOption,
    JsonFlag,
    ModeName,
    QuietFlag,
)
from search_agent.cli.printable import printable

if TYPE_CHECKING:
    from corpora.hit import Bridge, Hit

SHOWN_CHARACTERS = 300


def search_command(
    *,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    corpus: CorpusOption = DEFAULT_CORPUS,
    k: Annotated[int, typer.Option("-k", min=1, help="Hits wanted.")] = 10,
    page: Annotated[int, typer.Option("--page", min=1, help="Which page of k hits.")] = 1,
    mode: Annotated[
        ModeName, typer.Option("--mode", help="Which legs are asked.")
    ] = ModeName.HYBRID,
    bridges: Annotated[
        bool, typer.Option(help="Also bring up what the query and the best hits name.")
    ] = True,
    labels: Annotated[
        list[str] | None, typer.Option("--label", help="Only documents with one of these labels.")
    ] = None,
    uri: Annotated[
        str | None, typer.Option("--uri", help="Only URIs that match this glob.")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="Only chunks of this language.")
    ] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Search the index.

    While documents are ingested or indexed anew, the index before answers; where other documents
    have been ingested since it was built, a warning says so.

    \b
    Examples:
      deepsearch index search "notice period" --corpus contracts -k 5
      deepsearch index search "ISO 27001" --mode sparse --json
    """  # noqa: D301
    from corpora.hit import Filters

    build = CorpusBuild(build_folder=build_folder, name=corpus)
    searcher = open_searcher(build, admit_stale=True)
    if searcher.is_stale and not quiet:
        typer.echo(
            f"warning: other documents of {corpus!r} have been ingested since its index was built;"
            " these hits are of those before; run `make index`",
            err=True,
        )
    filters = Filters(labels_any=tuple(labels or ()), uri_glob=uri, language=language)
    began = time.perf_counter()
    [hits] = searcher.search(
        [query],
        k=k,
        mode=mode.value,
        filters=None if filters.admits_all else filters,
        page=page,
        bridges=bridges,
    )
    seconds = time.perf_counter() - began
    if as_json:
        found = search_json(query, mode.value, hits, seconds=seconds, is_stale=searcher.is_stale)
        print_json(found)
    else:
        typer.echo(printable(render_hits(hits)), nl=False)
    return 0


def search_json(
    query: str, mode: str, hits: "list[Hit]", *, seconds: float, is_stale: bool
) -> dict[str, object]:
    """The documented keys; ranks count from 1."""
    return {
        "schema": 1,
        "query": query,
        "mode": mode,
        "hits": [_hit_json(hit) for hit in hits],
        "seconds": round(seconds, 4),
        "stale": is_stale,
    }


def render_hits(hits: "list[Hit]") -> str:
    """Hits as short paragraphs: rank, title, place, the beginning of the text."""
    blocks = []
    for hit in hits:
        page = f", p. {hit.page}" if hit.page is not None else ""
        heading = f" | {' > '.join(hit.heading_path)}" if hit.heading_path else ""
        text = " ".join(hit.text.split())
        shown = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
        blocks.append(
            f"{hit.rank + 1}. {hit.title} ({hit.uri}{page}{heading}) {hit.score:.3f}\n"
            f"   {hit.chunk_id}{_reason(hit)}\n   {shown}\n"
        )
    return "".join(blocks) or "nothing found\n"


def _reason(hit: "Hit") -> str:
    """Over which name another hit, or the query, led to it; nothing for a hit found by itself."""
    if hit.bridge is None:
        return ""
    named = f"{hit.bridge.mention.text!r}"
    source = hit.bridge.from_chunk_id
    return f", as the query names {named}" if source is None else f", for {named} in {source}"


def _hit_json(hit: "Hit") -> dict[str, Any]:
    return {
        "rank": hit.rank + 1,
        "score": hit.score,
        "chunk_id": hit.chunk_id,
        "doc_id": hit.doc_id,
        "title": hit.title,
        "uri": hit.uri,
        "page": hit.page,
        "heading_path": list(hit.heading_path),
        "start": hit.start,
        "end": hit.end,
        "text": hit.text,
        "legs": {
            leg: None if (rank := hit.legs.get(leg)) is None else rank + 1
            for leg in ("sparse", "dense")
        },
        "unit": hit.unit,
        "language": hit.language,
        "labels": list(hit.labels),
        "duplicates": list(hit.duplicates),
        "bridge": None if hit.bridge is None else _bridge_json(hit.bridge),
    }


def _bridge_json(bridge: "Bridge") -> dict[str, Any]:
    return {
        "from_chunk_id": bridge.from_chunk_id,
        "mention": dict(bridge.mention._asdict()),
        "weight": bridge.weight,
    }
