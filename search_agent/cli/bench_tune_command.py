"""``deepsearch bench tune``: the dense leg's weight for a corpus with judged queries."""

from pathlib import Path
from typing import Annotated

import typer

from corpora.manifest import write_atomically
from search_agent.cli.exits import DONE, INTERRUPTED
from search_agent.cli.interruption import stop_on_signal
from search_agent.cli.json_output import as_json_text, print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    BuildFolder,
    JsonFlag,
    QuietFlag,
    SetOption,
)
from search_agent.cli.progress import open_progress
from search_agent.cli.ranked_index import open_ranked_index, rank_teller
from search_agent.cli.settings import parse_assignments
from search_agent.errors import ConfigError


def tune_command(
    *,
    dataset: Annotated[
        str, typer.Argument(help="Folder of a test collection, or a corpus with topics.jsonl.")
    ],
    measure: Annotated[str, typer.Option("--measure", help="What is made large.")] = "nDCG@10",
    qrels: Annotated[
        str | None,
        typer.Option("--qrels", help="Which qrels/NAME.tsv; default test, or the only one."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the JSON here.")] = None,
    assignments: SetOption = None,
    encoder: Annotated[
        str | None,
        typer.Option("--encoder", help="Embedding model. Default: those the corpus needs."),
    ] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Choose weight_dense on half of the judged queries and measure it on the other half.

    Which half a query belongs to is read off its id. Nothing is changed: what pays goes into the
    corpus' corpus.toml under [search], and the next `index build` takes it.

    \b
    Examples:
      deepsearch bench tune ./scifact
      deepsearch bench tune ./contracts-with-topics --measure R@10 --json
    """  # noqa: D301
    from search_agent.bench.judged_topic import load_judged_topics
    from search_agent.bench.prepare import find_dataset
    from search_agent.bench.retrieval_measures import MEASURES
    from search_agent.bench.tune import tune_report, tune_weight

    if measure not in MEASURES:
        message = f"no measure {measure!r}; known are {', '.join(MEASURES)}"
        raise ConfigError(message)
    if out is not None and not out.parent.is_dir():
        message = f"--out {str(out)!r}: the folder {str(out.parent)!r} does not exist"
        raise ConfigError(message)
    found = find_dataset(dataset)
    with (
        open_progress(quiet=quiet) as progress,
        stop_on_signal() as stop,
        open_ranked_index(
            found,
            build_folder=build_folder,
            encoders=None if encoder is None else (encoder,),
            settings=parse_assignments(assignments or ()),
            progress=progress,
        ) as index,
    ):
        result = tune_weight(
            found.name,
            index.searcher,
            load_judged_topics(found, index.folder, queries=None, qrels=qrels),
            config=index.config,
            measure=measure,
            on_progress=rank_teller(progress, found.name),
            cancelled=stop,
        )
    if result is None:
        return INTERRUPTED
    content = result.model_dump(mode="json")
    if out is not None:
        write_atomically(out, as_json_text(content))
    if as_json:
        print_json(content)
    else:
        typer.echo(tune_report(result), nl=False)
    return DONE
