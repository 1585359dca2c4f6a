"""``deepsearch bench answers``: ask questions with known answers, and print what came of it."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.manifest import write_atomically
from search_agent.cli.bench_compare_command import print_comparison
from search_agent.cli.bench_options import SplitOption, bench_mode, bench_strategies
from search_agent.cli.build_layout import CorpusBuild, remember_source
from search_agent.cli.encoders import (
    encoder_of_name,
    open_searcher,
    with_second_encoder,
)
from search_agent.cli.exits import DONE, INTERRUPTED
from search_agent.cli.index_commands import index_teller
from search_agent.cli.ingest_command import ingest_teller
from search_agent.cli.interruption import stop_on_signal
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_ENCODER,
    DEFAULT_PROFILE,
    BuildFolder,
    EncoderOption,
    JsonFlag,
    ModelOption,
    ProfileOption,
    QuietFlag,
    SeedOption,
    SetOption,
    StrategyName,
)
from search_agent.cli.progress import Progress, open_progress
from search_agent.cli.settings import search_config
from search_agent.cli.wiring import Wiring, wiring_of
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from search_agent.bench.answers import BenchProgress
    from search_agent.bench.mode import BenchMode
    from search_agent.bench.question import BenchQuestion, SplitName
    from search_agent.bench.result import BenchResult
    from search_agent.config import SearchConfig
    from search_agent.final_result import Strategy


def answers_command(
    context: typer.Context,
    *,
    dataset: Annotated[
        str | None,
        typer.Argument(help="Folder of a test collection, or a corpus with topics.jsonl."),
    ] = None,
    strategies: Annotated[
        list[StrategyName] | None,
        typer.Option("--strategy", help="Repeatable; default state-space."),
    ] = None,
    topics: Annotated[
        Path | None, typer.Option("--topics", help="Topics file instead of the corpus' own.")
    ] = None,
    split: Annotated[
        SplitOption, typer.Option("--split", help="Which topics of the file, by their split.")
    ] = SplitOption.ALL,
    n: Annotated[
        int, typer.Option("--n", min=0, help="First n questions in file order; 0: all.")
    ] = 20,
    closed_book: Annotated[
        bool, typer.Option("--closed-book", help="Floor: the model alone, without any passage.")
    ] = False,
    oracle: Annotated[
        bool, typer.Option("--oracle", help="Ceiling: search each question's gold documents only.")
    ] = False,
    filter_gold: Annotated[
        bool,
        typer.Option(
            "--filter-gold", help="Take the gold documents away: only an abstention is right."
        ),
    ] = False,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--compare", metavar="A.json B.json", help="Ask nothing; as `bench compare A B`."
        ),
    ] = None,
    seed: SeedOption = 0,
    profile: ProfileOption = DEFAULT_PROFILE,
    model: ModelOption = "",
    assignments: SetOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the JSON here.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask again what is finished already.")
    ] = False,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    encoder: EncoderOption = DEFAULT_ENCODER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Ask a dataset's questions and measure the answers; finished questions are not asked again.

    With one --strategy the JSON is that result; with several it is {"schema", "results"}.

    \b
    Examples:
      deepsearch bench answers demo --n 0
      deepsearch bench answers ./hotpotqa-200 --strategy react --strategy single-shot --out r.json
      deepsearch bench answers ./hotpotqa-200 --closed-book --out floor.json
    """  # noqa: D301
    if compare is not None:
        print_comparison(*compare, as_json=as_json)
        return DONE
    if dataset is None:
        message = "name a data set: the folder of a test collection, or a corpus with topics.jsonl"
        raise ConfigError(message)
    if out is not None and not out.parent.is_dir():
        message = f"--out {str(out)!r}: the folder {str(out.parent)!r} does not exist"
        raise ConfigError(message)
    config = search_config(profile, assignments=assignments, model=model)
    mode = bench_mode(closed_book=closed_book, oracle=oracle, filter_gold=filter_gold)
    wanted = bench_strategies(strategies, mode)
    from search_agent.bench.prepare import find_dataset, load_questions, prepare_index
    from search_agent.bench.table import markdown_table

    source = find_dataset(dataset, topics=topics)
    build = CorpusBuild(build_folder=build_folder, name=f"bench-{source.name}")
    with open_progress(quiet=quiet) as progress:
        prepare_index(
            source,
            build.folder,
            encoder=encoder_of_name(encoder),
            encoders_for=partial(with_second_encoder, tell=progress.line),
            on_ingest=ingest_teller(progress),
            on_index=index_teller(progress),
        )
        remember_source(build, source.card.root)
        questions = load_questions(source, build.folder, n=n, split=split.value)
        results = _run_strategies(
            questions,
            wanted,
            mode=mode,
            split=split.value,
            build=build,
            dataset=source.name,
            source_root=None if source.is_collection else source.card.root,
            config=config,
            seed=seed,
            fresh=fresh,
            wiring=wiring_of(context),
            progress=progress,
        )
    content = _json_of(results)
    if out is not None:
        write_atomically(out, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    if as_json:
        print_json(content)
    else:
        typer.echo(markdown_table(results), nl=False)
    is_whole = len(results) == len(wanted) and all(result.complete for result in results)
    return DONE if is_whole else INTERRUPTED


def _run_strategies(
    questions: "Sequence[BenchQuestion]",
    strategies: "Sequence[Strategy]",
    *,
    mode: "BenchMode",
    split: "SplitName",
    build: CorpusBuild,
    dataset: str,
    source_root: Path | None,
    config: "SearchConfig",
    seed: int,
    fresh: bool,
    wiring: Wiring,
    progress: Progress,
) -> "list[BenchResult]":
    from search_agent.bench.answers import BenchSetup, ask_questions
    from search_agent.bench.mode import approach_name
    from search_agent.bench.report import report_bench

    searcher = open_searcher(build)
    identity = wiring.identify_model(config)
    results: list[BenchResult] = []
    with stop_on_signal() as stop:
        for strategy in strategies:
            name = approach_name(strategy, mode)
            progress.line(f"{dataset}: {len(questions)} questions, {name}")
            setup = BenchSetup(
                searcher=searcher,
                identity=identity,
                load_model=partial(wiring.load_model, config, strategy),
                config=config,
                strategy=strategy,
                mode=mode,
                seed=seed,
                runs_folder=build.runs,
                source_root=source_root,
                fresh=fresh,
            )
            asked = ask_questions(
                questions, setup, on_progress=_bench_teller(progress), cancelled=stop
            )
            result = report_bench(
                asked,
                setup,
                dataset=dataset,
                n_wanted=len(questions),
                now=wiring.now(),
                split=split,
            )
            if result.reused_from_other_code:
                progress.line(
                    f"{result.reused_from_other_code} answers were made by other code;"
                    " --fresh asks again"
                )
            results.append(result)
            if stop.is_set():
                break
    return results


def _json_of(results: "Sequence[BenchResult]") -> dict[str, object]:
    dumped = [result.model_dump(mode="json") for result in results]
    return dumped[0] if len(dumped) == 1 else {"schema": 1, "results": dumped}


def _bench_teller(progress: Progress) -> "Callable[[BenchProgress], None]":
    def tell(step: "BenchProgress") -> None:
        row = step.row
        marks = (
            f"EM {row.exact_match:.0f} F1 {row.f1:.2f}" if row.f1 is not None else "unanswerable"
        )
        source = "reused" if row.reused else f"{row.seconds:.0f} s"
        eta = "" if step.eta_s is None else f", {step.eta_s / 60:.0f} min left"
        progress.line(
            f"{step.done}/{step.total} {row.query_id} {row.status} {row.answer or '–'!r}"
            f" ({marks}, {source}{eta})"
        )

    return tell
