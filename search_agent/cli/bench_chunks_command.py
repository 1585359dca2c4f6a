"""``deepsearch bench chunks``: which chunk size retrieves most of the answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpora.manifest import write_atomically
from search_agent.cli.encoders import encoder_of_name
from search_agent.cli.exits import DONE
from search_agent.cli.index_commands import index_teller
from search_agent.cli.json_output import print_json
from search_agent.cli.options import (
    DEFAULT_BUILD_FOLDER,
    DEFAULT_ENCODER,
    BuildFolder,
    EncoderOption,
    JsonFlag,
    ModeName,
    QuietFlag,
)
from search_agent.cli.progress import open_progress
from search_agent.cli.wiring import wiring_of
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from corpora.hit import Mode


def chunks_command(
    context: typer.Context,
    *,
    folder: Annotated[
        Path, typer.Argument(help="Folder with corpora/*.gz and questions.jsonl (marked answers).")
    ],
    sizes: Annotated[
        str, typer.Option("--sizes", help="Tokens of text in a chunk at most, comma-separated.")
    ] = "64,96,128,160,192,222",
    overlaps: Annotated[
        str, typer.Option("--overlaps", help="Sentences repeated from the chunk before: 0, 1.")
    ] = "0,1",
    headers: Annotated[
        str, typer.Option("--headers", help="Tokens of the header at most; 0: no header.")
    ] = "0,32",
    modes: Annotated[
        list[ModeName] | None,
        typer.Option("--mode", help="Repeatable; default sparse, which embeds nothing."),
    ] = None,
    encoder: EncoderOption = DEFAULT_ENCODER,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the JSON here.")] = None,
    build_folder: BuildFolder = DEFAULT_BUILD_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Chunk texts in every way asked for and measure recall and precision of answer characters.

    \b
    Examples:
      deepsearch bench chunks ./chunking-spans --sizes 64,128,222 --out chunks.json
      deepsearch bench chunks ./chunking-spans --sizes 222 --overlaps 1 --headers 32 --mode hybrid
    """  # noqa: D301
    from search_agent.bench.chunk_sizes import (
        ChunkSizesSetup,
        chunk_sizes_table,
        chunking_ways,
        measure_chunk_sizes,
    )

    legs: list[Mode] = [mode.value for mode in modes or [ModeName.SPARSE]]
    ways = chunking_ways(
        _numbers("--sizes", sizes),
        overlaps=_numbers("--overlaps", overlaps),
        headers=_numbers("--headers", headers),
    )
    setup = ChunkSizesSetup(
        folder=folder,
        build_folder=build_folder / f"bench-chunks-{folder.resolve().name}",
        encoder=encoder_of_name(encoder),
        legs=tuple(dict.fromkeys(legs)),
    )
    with open_progress(quiet=quiet) as progress:
        result = measure_chunk_sizes(
            ways,
            setup,
            now=wiring_of(context).now(),
            tell=progress.line,
            on_index=index_teller(progress),
        )
    if out is not None:
        write_atomically(out, result.model_dump_json(indent=1) + "\n")
    if as_json:
        print_json(result)
    else:
        typer.echo(chunk_sizes_table(result), nl=False)
    return DONE


def _numbers(option: str, written: str) -> list[int]:
    """The numbers of ``1,2,3``, each once.

    Raises:
        ConfigError: a part is no whole number.
    """
    try:
        return list(dict.fromkeys(int(part) for part in written.split(",")))
    except ValueError as error:
        message = f"{option} {written!r} is not whole numbers with commas, as in 64,128"
        raise ConfigError(message) from error
