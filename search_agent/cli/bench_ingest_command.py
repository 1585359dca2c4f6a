"""``deepsearch bench ingest``: how fast a folder is read, as ratios within one run."""

from pathlib import Path
from typing import Annotated

import typer

from corpora.errors import CorpusNotFound
from corpora.manifest import write_atomically
from search_agent.cli.encoders import encoder_of_name
from search_agent.cli.exits import DONE
from search_agent.cli.json_output import print_json
from search_agent.cli.options import DEFAULT_ENCODER, JsonFlag, QuietFlag
from search_agent.cli.progress import open_progress


def ingest_speed_command(
    *,
    folder: Annotated[Path, typer.Argument(help="Folder of documents; nothing is written to it.")],
    repeats: Annotated[
        int, typer.Option("--repeats", min=1, help="Passes of each pair; the best counts.")
    ] = 3,
    encoder: Annotated[
        str, typer.Option("--encoder", help="Registry name of the encoder that cuts the chunks.")
    ] = DEFAULT_ENCODER,
    memory: Annotated[
        list[int] | None,
        typer.Option(
            "--memory", min=1, help="Also the memory for so many drawn files; repeatable."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Also write the JSON here.")] = None,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Measure reading, chunking, workers and a second run; other work on the machine disturbs it.

    \b
    Examples:
      deepsearch bench ingest /usr/share/doc/postgresql-doc-15
      deepsearch bench ingest ./manuals --repeats 5 --out speed.json
      deepsearch bench ingest ./manuals --memory 1000 --memory 20000
    """  # noqa: D301
    from search_agent.bench.ingest_speed import measure_ingest, speed_table

    if not folder.is_dir():
        message = f"{str(folder)!r} is no folder; give one with documents"
        raise CorpusNotFound(message)
    card = encoder_of_name(encoder)
    with open_progress(quiet=quiet) as progress:
        speed = measure_ingest(
            folder,
            encoder=card,
            repeats=repeats,
            memory_sizes=memory or (),
            tell=progress.line,
        )
    if out is not None:
        write_atomically(out, speed.model_dump_json(indent=1) + "\n")
    if as_json:
        print_json(speed)
    else:
        typer.echo(speed_table(speed), nl=False)
    return DONE
