"""The toy corpus, ingested and indexed once with the hash encoder."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from .scripted_command_line import CommandLine, ReadJson


@pytest.fixture(scope="session")
def indexed_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build folder with the toy corpus; not to be written to."""
    folder = tmp_path_factory.mktemp("indexed") / "build"
    command_line = CommandLine(build_folder=folder)
    assert command_line.on_builds("ingest", "toy", "--encoder", "hash", "--quiet") == 0
    assert command_line.on_builds("index", "build", "--corpus", "toy", "--quiet") == 0
    return folder


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """An empty build folder."""
    return CommandLine(build_folder=tmp_path / "build")


@pytest.fixture
def toy(indexed_toy: Path, tmp_path: Path) -> CommandLine:
    """A copy of the indexed toy corpus, free to be changed."""
    shutil.copytree(indexed_toy, tmp_path / "build")
    return CommandLine(build_folder=tmp_path / "build")


@pytest.fixture
def printed_json(capsys: pytest.CaptureFixture[str]) -> ReadJson:
    """Parse what the last command printed on stdout: one object and nothing else."""

    def read() -> dict[str, Any]:
        content = json.loads(capsys.readouterr().out)
        assert isinstance(content, dict)
        assert content["schema"] == 1
        return content

    return read
