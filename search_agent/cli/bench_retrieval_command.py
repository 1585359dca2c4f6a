"""``deepsearch bench retrieval``: rankings of test collections, measured leg by leg."""

from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.manifest import write_atomically
from search_agent.cli.bench_compare_command import print_comparison
from search_agent.cli.exits import DONE, INTERRUPTED
from search_agent.cli.interruption import stop_on_signal
from search_agent.cli.json_output import as_json_text, print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    BuildFolder,
    JsonFlag,
    LegName,
    QuietFlag,
    SetOption,
)
from search_agent.cli.progress import Progress, open_progress
from search_agent.cli.ranked_index import open_ranked_index, rank_teller
from search_agent.cli.settings import parse_assignments
from search_agent.cli.wiring import Wiring, wiring_of
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from index import DocumentMode
    from search_agent.bench.prepare import Dataset
    from search_agent.bench.retrieval_result import RetrievalResult


def retrieval_command(
    context: typer.Context,
    *,
    dataset: Annotated[
        str | None,
        typer.Argument(
            help="Folder of a test collection, a corpus with topics.jsonl, or a folder of such."
        ),
    ] = None,
    modes: Annotated[
        list[LegName] | None,
        typer.Option("--mode", help="Repeatable; default all four. sparse alone embeds nothing."),
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, help="Documents kept of each ranking.")] = 1000,
    n: Annotated[
        int, typer.Option("--n", min=0, help="First n judged queries in file order; 0: all.")
    ] = 0,
    queries: Annotated[
        Path | None,
        typer.Option(
            "--queries", help="Folder whose queries and judgements are used instead (same ids)."
        ),
    ] = None,
    qrels: Annotated[
        str | None,
        typer.Option("--qrels", help="Which qrels/NAME.tsv; default test, or the only one."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name of the dataset and its build; default: the folder's."),
    ] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--compare", metavar="A.json B.json", help="Rank nothing; as `bench compare A B`."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the JSON here.")] = None,
    run_dir: Annotated[
        Path | None, typer.Option("--run-dir", help="Write a TREC run file for each leg here.")
    ] = None,
    assignments: SetOption = None,
    encoders: Annotated[
        list[str] | None,
        typer.Option(
            "--encoder",
            help="Embedding model; repeatable, the first cuts. Default: those the corpus needs.",
        ),
    ] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Rank the documents for judged queries and measure each leg; ingests and indexes if needed.

    --set changes settings of the search (weight_dense=0.6, fusion="rrf", depth=1000), not the
    index. With one dataset the JSON is its result; with several it is {"schema", "results"}.

    \b
    Examples:
      deepsearch bench retrieval ./scifact --run-dir runs --out scifact.json
      deepsearch bench retrieval ./scifact --mode sparse --set k1=0.9 --set b=0.4
      deepsearch bench retrieval ./xquad/en --name xquad-en --queries ./xquad/zh
      deepsearch bench retrieval --compare before.json after.json
    """  # noqa: D301
    if compare is not None:
        print_comparison(*compare, as_json=as_json)
        return DONE
    if dataset is None:
        message = "name a dataset: the folder of a test collection, or a corpus with topics.jsonl"
        raise ConfigError(message)
    from search_agent.bench.retrieval_table import retrieval_table
    from search_agent.bench.suite import find_datasets

    if out is not None and not out.parent.is_dir():
        message = f"--out {str(out)!r}: the folder {str(out.parent)!r} does not exist"
        raise ConfigError(message)
    legs: list[DocumentMode] = [mode.value for mode in modes or LegName]
    asked = _Asked(
        modes=tuple(dict.fromkeys(legs)),
        k=k,
        n=n,
        queries=queries,
        qrels=qrels,
        run_dir=run_dir,
        settings=parse_assignments(assignments or ()),
        encoders=tuple(dict.fromkeys(encoders)) if encoders else None,
        build_folder=build_folder,
        wiring=wiring_of(context),
    )
    results: list[RetrievalResult] = []
    with open_progress(quiet=quiet) as progress, stop_on_signal() as stop:
        for found in find_datasets(dataset, name=name):
            results.append(asked.measure(found, progress, stop))
            if stop.is_set():
                break
    dumped = [result.model_dump(mode="json") for result in results]
    content = dumped[0] if len(dumped) == 1 else {"schema": 1, "results": dumped}
    if out is not None:
        write_atomically(out, as_json_text(content))
    if as_json:
        print_json(content)
    else:
        typer.echo(retrieval_table(results), nl=False)
    return DONE if not stop.is_set() else INTERRUPTED


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the command line asks of every dataset."""

    modes: "tuple[DocumentMode, ...]"
    k: int
    n: int
    queries: Path | None
    qrels: str | None
    run_dir: Path | None
    settings: "Mapping[str, object]"
    encoders: tuple[str, ...] | None
    build_folder: Path
    wiring: Wiring

    def measure(self, dataset: "Dataset", progress: Progress, stop: Event) -> "RetrievalResult":
        """Ingest, index, rank and measure one dataset."""
        from corpora.collection import identify_collection
        from search_agent.bench.judged_topic import load_judged_topics
        from search_agent.bench.retrieval import RetrievalSetup, measure_retrieval

        known = identify_collection(dataset.card.root)
        progress.line(f"{dataset.name}: {known.title if known else 'no registered collection'}")
        with open_ranked_index(
            dataset,
            build_folder=self.build_folder,
            encoders=() if self.modes == ("sparse",) else self.encoders,
            settings=self.settings,
            progress=progress,
        ) as index:
            topics = load_judged_topics(
                dataset, index.folder, queries=self.queries, qrels=self.qrels
            )
            return measure_retrieval(
                topics[: self.n or None],
                RetrievalSetup(
                    dataset=dataset.name,
                    collection=None if known is None else known.id,
                    queries=None if self.queries is None else self.queries.resolve().name,
                    searcher=index.searcher,
                    manifest=index.manifest,
                    config=index.config,
                    legs=self.modes,
                    k=self.k,
                    run_dir=self.run_dir,
                ),
                now=self.wiring.now(),
                on_progress=rank_teller(progress, dataset.name),
                cancelled=stop,
            )
