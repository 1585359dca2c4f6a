"""Every command has help, an example, --json and --quiet; and none of it loads a heavy library."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from search_agent.cli.main import app, main

EXPECTED = {
    "ingest",
    "show",
    "ask",
    "resume",
    "replay",
    "verify",
    "doctor",
    "index build",
    "index update",
    "index verify",
    "index stats",
    "index search",
    "runs list",
    "runs rm",
    "models list",
    "models fetch",
    "models add",
    "models verify",
    "bench answers",
    "bench table",
    "bench compare",
    "bench ingest",
    "bench plot",
    "bench chunks",
    "bench tune",
    "bench retrieval",
    "bench citations",
    "bench speed",
}


def commands(group: TyperGroup, prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, TyperCommand]]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, (*prefix, name))
        else:
            assert isinstance(command, TyperCommand)
            yield " ".join((*prefix, name)), command


def root() -> TyperGroup:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group


def test_the_commands_are_these() -> None:
    assert {name for name, _ in commands(root())} == EXPECTED


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_command_has_help_json_and_quiet(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*name.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert "--json" in text
    assert "--quiet" in text
    # every option says what it is for
    command = dict(commands(root()))[name]
    for parameter in command.params:
        assert isinstance(parameter, TyperArgument | TyperOption)
        assert parameter.help, f"{name}: {parameter.name}"


@pytest.mark.parametrize("name", sorted(EXPECTED - {"index update"}))
def test_every_command_shows_an_example_of_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*name.split(), "--help"])
    assert f"  deepsearch {name}" in capsys.readouterr().out


def test_a_help_page_loads_no_heavy_library() -> None:
    heavy = "('numpy', 'rich.console', 'jinja2', 'torch', 'faiss', 'llama_cpp')"
    program = (
        "import sys; from search_agent.cli.main import main; main(['ask', '--help']);"
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) in {0, 2}
    captured = capsys.readouterr()
    assert "ingest" in captured.out + captured.err
