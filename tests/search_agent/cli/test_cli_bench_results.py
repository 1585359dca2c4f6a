"""Saved results of ``bench answers``: compared, tabulated by kind, and drawn."""

import json
from pathlib import Path

import pytest

from .scripted_command_line import CommandLine, ReadJson

ANSWERS = ("bench", "answers", "toy", "--encoder", "hash", "--strategy", "single-shot", "--quiet")


@pytest.fixture(scope="module")
def two_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the results of two strategies; not to be written to."""
    folder = tmp_path_factory.mktemp("results")
    arguments = (*ANSWERS, "--strategy", "react", "--n", "3", "--out", str(folder / "both.json"))
    assert CommandLine(build_folder=folder / "build").on_builds(*arguments) == 0
    return folder / "both.json"


def test_two_results_are_compared_question_by_question(
    two_results: Path, command_line: CommandLine, printed_json: ReadJson
) -> None:
    sides = (f"{two_results}#single-shot", f"{two_results}#react")
    assert command_line.run("bench", "compare", *sides, "--json") == 0
    content = printed_json()
    assert (content["dataset"], content["pairs"], content["resamples"]) == ("toy", 3, 10_000)
    assert (content["a"]["name"], content["b"]["name"]) == ("single-shot", "react")
    [exact] = [row for row in content["differences"] if row["measure"] == "exact_match"]
    assert exact["difference"] == pytest.approx(exact["b"] - exact["a"], abs=1e-5)
    assert exact["low"] <= exact["difference"] <= exact["high"]

    assert command_line.run("bench", "answers", "--compare", *sides, "--json") == 0
    assert printed_json() == content


def test_a_comparison_is_shown_as_a_table(
    two_results: Path, command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = (f"{two_results}#single-shot", f"{two_results}#single-shot")
    assert command_line.run("bench", "compare", *sides) == 0
    shown = capsys.readouterr().out
    assert "| exact_match | 0.333 | 0.333 | +0.000 | +0.000 to +0.000 |  |" in shown
    assert shown.endswith("intervals without zero: none\n")


def test_one_of_several_results_must_be_named(
    two_results: Path, command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, fault in ((str(two_results), "2 results"), (f"{two_results}#x", "no result 'x'")):
        assert command_line.run("bench", "compare", place, place) == 2
        told = capsys.readouterr().err
        assert fault in told
        assert "both.json#react" in told


def test_results_of_different_data_sets_are_not_compared(
    two_results: Path, command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(two_results.read_text(encoding="utf-8"))["results"][0]
    other = two_results.with_name("other.json")
    other.write_text(json.dumps({**content, "dataset": "demo"}), encoding="utf-8")
    assert command_line.run("bench", "compare", f"{two_results}#react", str(other)) == 2
    assert "different data sets, 'toy' and 'demo'" in capsys.readouterr().err


def test_a_table_by_kind_has_a_row_for_each(
    two_results: Path, command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.run("bench", "table", str(two_results), "--by", "kind") == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split(" | ")[1:4] for row in rows] == [
        [kind, str(n), strategy]
        for strategy in ("single-shot", "react")
        for kind, n in (("bridge", 1), ("fact", 1), ("table", 1))
    ]


def test_a_plot_is_written_and_named(
    two_results: Path, command_line: CommandLine, printed_json: ReadJson
) -> None:
    pytest.importorskip("matplotlib", reason="plots need the extra `bench`")
    out = two_results.with_suffix(".svg")
    assert command_line.run("bench", "plot", str(two_results), "--out", str(out), "--json") == 0
    assert printed_json() == {"schema": 1, "file": str(out), "results": 2}
    assert "<svg" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["plot.png", "no/such/folder/plot.svg"])
def test_a_plot_goes_to_an_svg_file_in_a_folder_that_exists(
    name: str, two_results: Path, command_line: CommandLine, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(two_results.parent / name)
    assert command_line.run("bench", "plot", str(two_results), "--out", out) == 2
    assert "is no .svg file in a folder that exists" in capsys.readouterr().err


def test_a_file_without_results_is_not_drawn(
    command_line: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none.json").write_text('{"schema": 1, "results": []}', encoding="utf-8")
    arguments = ("bench", "plot", str(tmp_path / "none.json"), "--out", str(tmp_path / "p.svg"))
    assert command_line.run(*arguments) == 2
    assert "there is no result in" in capsys.readouterr().err
