"""``deepsearch bench speed``: our legs beside other systems on corpora that grow."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.manifest import write_atomically
from search_agent.cli.build_layout import CorpusBuild
from search_agent.cli.encoders import encoder_of_name
from search_agent.cli.exits import DONE, INTERRUPTED
from search_agent.cli.interruption import stop_on_signal
from search_agent.cli.json_output import as_json_text, print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_ENCODER,
    BuildFolder,
    EncoderOption,
    JsonFlag,
    QuietFlag,
    SeedOption,
)
from search_agent.cli.progress import open_progress
from search_agent.cli.wiring import wiring_of
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from search_agent.bench.speed.leg import Leg

_DEFAULT_SYSTEMS = "ours,bm25s,tantivy,rank-bm25,faiss-flat"
_DEFAULT_LEGS = "sparse,dense,hybrid"


def speed_command(
    context: typer.Context,
    *,
    data: Annotated[str, typer.Argument(help="Folder of a test collection, or a folder of such.")],
    sizes: Annotated[
        str, typer.Option("--sizes", help="Chunks of each corpus, by comma.")
    ] = "10000,100000,1000000",
    legs: Annotated[
        str, typer.Option("--legs", help="By comma; sparse alone needs no encoder.")
    ] = _DEFAULT_LEGS,
    systems: Annotated[
        str, typer.Option("--systems", help="By comma; also bm25s-numba.")
    ] = _DEFAULT_SYSTEMS,
    k: Annotated[int, typer.Option("--k", min=1, help="Hits asked for.")] = 10,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Times each question is asked; the best counts.")
    ] = 5,
    build_limit: Annotated[
        int, typer.Option("--build-limit", min=1, help="Seconds a build may take.")
    ] = 3600,
    seed: SeedOption = 0,
    encoder: EncoderOption = DEFAULT_ENCODER,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the JSON here.")] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the growth to this SVG; needs matplotlib.")
    ] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Measure building, memory, disk and latency by size, each system in a process of its own.

    Terms, questions and vectors are drawn from real ones with a seed. Vectors are those of the
    indexes that `bench retrieval` has built of the same collections; where there are none, a sample
    is embedded. What does not fit memory, disk or time is skipped with a line.

    \b
    Examples:
      deepsearch bench speed ./collections --out speed.json --plot speed.svg
      deepsearch bench speed ./scifact --sizes 10000 --legs sparse --systems ours,bm25s
    """  # noqa: D301
    from search_agent.bench.speed.leg import LEGS
    from search_agent.bench.speed.measure import measure_speed
    from search_agent.bench.speed.plot import speed_plot_svg
    from search_agent.bench.speed.size import SpeedPlan
    from search_agent.bench.speed.systems import SYSTEMS
    from search_agent.bench.speed.table import speed_tables
    from search_agent.bench.suite import find_datasets

    for option, path in (("--out", out), ("--plot", plot)):
        if path is not None and not path.parent.is_dir():
            message = f"{option} {str(path)!r}: the folder {str(path.parent)!r} does not exist"
            raise ConfigError(message)
    named_legs = set(_named("--legs", legs, LEGS))
    wanted: tuple[Leg, ...] = tuple(leg for leg in LEGS if leg in named_legs)
    named = _named("--systems", systems, SYSTEMS)
    asked = tuple(name for name in named if set(SYSTEMS[name].legs) & set(wanted))
    for name in asked:
        if not SYSTEMS[name].is_installed():
            message = (
                f"system {name!r} is not installed; install the extra `bench`, or leave it out"
            )
            raise ConfigError(message)
    datasets = find_datasets(data)
    with open_progress(quiet=quiet) as progress, stop_on_signal() as stop:
        result = measure_speed(
            datasets,
            SpeedPlan(
                systems=asked,
                legs=wanted,
                k=k,
                rounds=rounds,
                build_limit_s=build_limit,
                stop=stop,
                tell=progress.line,
                count=progress.count,
            ),
            sizes=_sizes(sizes),
            encoder=None if wanted == ("sparse",) else encoder_of_name(encoder),
            index_folders=[
                CorpusBuild(build_folder=build_folder, name=f"bench-{dataset.name}").index
                for dataset in datasets
            ],
            seed=seed,
            now=wiring_of(context).now(),
        )
    content = result.model_dump(mode="json")
    if out is not None:
        write_atomically(out, as_json_text(content))
    if plot is not None:
        write_atomically(plot, speed_plot_svg(result))
    if as_json:
        print_json(content)
    else:
        typer.echo(speed_tables(result), nl=False)
    return DONE if result.complete else INTERRUPTED


def _named(option: str, given: str, known: Collection[str]) -> tuple[str, ...]:
    """Names by comma, each once.

    Raises:
        ConfigError: one is unknown.
    """
    names = tuple(dict.fromkeys(name.strip() for name in given.split(",")))
    for name in names:
        if name not in known:
            message = f"{option}: {name!r} is unknown; known are {', '.join(known)}"
            raise ConfigError(message)
    return names


def _sizes(given: str) -> tuple[int, ...]:
    """Numbers of chunks by comma.

    Raises:
        ConfigError: one is no number above 0.
    """
    try:
        sizes = tuple(dict.fromkeys(int(part) for part in given.split(",")))
    except ValueError:
        sizes = (0,)
    if min(sizes) < 1:
        message = f"--sizes {given!r}: give numbers of chunks by comma, like 10000,100000"
        raise ConfigError(message)
    return sizes
