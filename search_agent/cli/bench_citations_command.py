"""``deepsearch bench citations``: the support check against claims with known evidence."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.manifest import write_atomically
from search_agent.cli.encoders import encoder_of_name
from search_agent.cli.exits import DONE, INTERRUPTED
from search_agent.cli.interruption import stop_on_signal
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_ENCODER,
    DEFAULT_MODELS_FOLDER,
    DEFAULT_PROFILE,
    BuildFolder,
    JsonFlag,
    ModelOption,
    ModelsFolder,
    ProfileOption,
    QuietFlag,
    SetOption,
)
from search_agent.cli.progress import Progress, open_progress
from search_agent.cli.settings import search_config
from search_agent.cli.wiring import wiring_of
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWERS_FOLDER = "bench-citations"


def citations_command(
    context: typer.Context,
    *,
    data: Annotated[Path, typer.Argument(help="SciFact folder: claims.jsonl and corpus.jsonl.gz.")],
    pairs: Annotated[Path, typer.Option("--pairs", help="Pairs to report on.")],
    train: Annotated[
        Path | None,
        typer.Option("--train", help="Pairs on which thresholds, weights and mixes are chosen."),
    ] = None,
    variants: Annotated[
        list[str] | None,
        typer.Option("--variant", help="Way to ask the judge; repeatable; `all`: every one."),
    ] = None,
    no_judge: Annotated[
        bool, typer.Option("--no-judge", help="Only scores that need no language model.")
    ] = False,
    n: Annotated[
        int, typer.Option("--n", min=0, help="First n of --pairs in file order; 0: all.")
    ] = 0,
    profile: ProfileOption = DEFAULT_PROFILE,
    model: ModelOption = "",
    encoder: Annotated[
        str, typer.Option("--encoder", help="Embedding model of the dense scores; `none`: without.")
    ] = DEFAULT_ENCODER,
    assignments: SetOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the JSON here.")] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    models_folder: ModelsFolder = DEFAULT_MODELS_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Score claims beside sentences that do and do not support them; answers are kept and reused.

    \b
    Examples:
      deepsearch bench citations ./scifact --pairs tests/bench/scifact-pairs.dev.jsonl
      deepsearch bench citations ./scifact --pairs dev.jsonl --train train.jsonl --variant all
    """  # noqa: D301
    if out is not None and not out.parent.is_dir():
        message = f"--out {str(out)!r}: the folder {str(out.parent)!r} does not exist"
        raise ConfigError(message)
    if no_judge and variants:
        message = "--no-judge asks no model, so --variant has no meaning beside it; give one"
        raise ConfigError(message)
    config = search_config(profile, assignments=assignments, model=model)
    from index.encoder import load_encoder
    from search_agent.bench.citations import JudgeSetup, ask_judge, load_pairs, report_citations
    from search_agent.bench.citations_result import citations_table
    from search_agent.bench.support_variants import wanted_variants

    names = wanted_variants(variants or ["product"])
    wiring = wiring_of(context)
    judge = None
    if not no_judge:
        judge = JudgeSetup(
            identity=wiring.identify_model(config),
            load_model=partial(wiring.load_model, config, "single-shot"),
            variants=names,
            folder=build_folder / ANSWERS_FOLDER,
        )
    card = None if encoder == "none" else encoder_of_name(encoder, models_folder)
    with open_progress(quiet=quiet) as progress, stop_on_signal() as stop:
        loaded = load_pairs(data, pairs, train, n=n)
        answers = None
        if judge is not None:
            answers = ask_judge(loaded, judge, on_progress=_teller(progress), stop=stop)
        progress.line("scoring")
        result = report_citations(
            loaded,
            judge=judge,
            answers=answers,
            encoder=None if card is None else load_encoder(card),
            settings=config.citations,
            now=wiring.now(),
        )
    if out is not None:
        write_atomically(out, result.model_dump_json(indent=1) + "\n")
    if as_json:
        print_json(result)
    else:
        typer.echo(citations_table(result), nl=False)
    return DONE if result.complete else INTERRUPTED


def _teller(progress: Progress) -> "Callable[[int, int], None]":
    import time

    began = time.monotonic()

    def tell(done: int, total: int) -> None:
        left = (time.monotonic() - began) / done * (total - done) / 60
        progress.count("judged", done, total, note=f"{left:.0f} min left")

    return tell
