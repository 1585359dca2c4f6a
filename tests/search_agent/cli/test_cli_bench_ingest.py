"""``bench ingest``: each ratio is there where the folder holds such files, and only there."""

from pathlib import Path
from typing import Any

import pytest

from .scripted_command_line import CommandLine, ReadJson

GIANT = "<p>" + "x9" * 4000 + "</p>"
"""A sentence that no chunk can hold."""
PAGE = f"<html><h1>Pumps</h1><p>The pump is green. It has two valves.</p>{GIANT}</html>"


def speed_of(
    command_line: CommandLine, folder: Path, printed_json: ReadJson, *more: str
) -> dict[str, Any]:
    words = ("bench", "ingest", str(folder), "--encoder", "hash", "--repeats", "1", "-q", "--json")
    assert command_line.run(*words, *more) == 0
    return printed_json()


@pytest.mark.slow
def test_a_folder_is_measured_without_being_written_to(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    fpdf = pytest.importorskip("fpdf")
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.html").write_text(PAGE, encoding="utf-8")
    pdf = fpdf.FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    pdf.cell(text="The second pump is blue.")
    (folder / "b.pdf").write_bytes(bytes(pdf.output()))
    before = sorted(path.name for path in folder.iterdir())

    sizes = ("--memory", "3", "--memory", "30")
    speed = speed_of(command_line, folder, printed_json, *sizes)

    assert sorted(path.name for path in folder.iterdir()) == before
    assert (speed["files"], speed["pages"]) == (2, 1)
    for name in ("pdf", "html", "chunks", "two_workers"):
        row = speed[name]
        assert row is not None
        assert row["ours_s"] > 0
    assert [row["files"] for row in speed["memory"]] == [3, 30]
    assert all(row["worker_mb"] > 10 for row in speed["memory"])


@pytest.mark.slow
def test_what_the_folder_does_not_hold_is_not_measured(
    command_line: CommandLine, tmp_path: Path, printed_json: ReadJson
) -> None:
    (tmp_path / "a.txt").write_text("The pump is green.", encoding="utf-8")
    speed = speed_of(command_line, tmp_path, printed_json)
    assert (speed["pdf"], speed["html"], speed["chunks"]) == (None, None, None)


def test_a_folder_that_is_not_there_is_one_line(
    command_line: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.run("bench", "ingest", str(tmp_path / "gone"), "-q") == 2
    assert "is no folder; give one with documents" in capsys.readouterr().err
