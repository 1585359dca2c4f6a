"""The bar chart: what it shows, as text in the SVG, and that its bytes do not change."""

import subprocess
import sys
from pathlib import Path

import pytest

from search_agent.bench.plot import plot_svg, result_labels
from search_agent.bench.result import BenchResult

from .result_rows import result, row

ROOT = Path(__file__).parents[3]
pytest.importorskip("matplotlib", reason="plots need the extra `bench`")


def two() -> list[BenchResult]:
    floor = row("1", citation_precision=None, citation_recall=None, exact_match=0.0, f1=0.25)
    return [
        result(floor, strategy="closed-book", mode="closed-book"),
        result(row("1"), strategy="state-space"),
    ]


def test_the_same_results_give_the_same_bytes() -> None:
    first = plot_svg(two())
    assert first == plot_svg(two())
    assert "<dc:date>" not in first


def test_strategies_measures_and_seconds_are_named() -> None:
    svg = plot_svg(two())
    for words in ("closed-book", "state-space", "exact match", "F1", "seconds a question", "toy"):
        assert f">{words}" in svg


def test_a_measure_that_does_not_apply_has_no_bar() -> None:
    # bars are the filled patches with a clip path: 3 + 5 of the measures, 2 of seconds
    assert plot_svg(two()).count("clip-path") == (3 + 5) + 2


def test_without_matplotlib_the_extra_is_named() -> None:
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from search_agent.bench.plot import plot_svg\n"
        "from search_agent.errors import ConfigError\n"
        "try: plot_svg([])\n"
        "except ConfigError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "pip install 'deepsearch[bench]'" in done.stdout


@pytest.mark.parametrize(
    ("changes", "labels"),
    [
        (({"strategy": "react"}, {"strategy": "single-shot"}), ["react", "single-shot"]),
        (({"mode": "oracle"}, {}), ["react-oracle", "react"]),
        (({"seed": 1}, {"seed": 2}), ["react, seed 1", "react, seed 2"]),
        (({}, {"dataset": "demo"}), ["react, toy", "react, demo"]),
        (({}, {}), ["react #1", "react #2"]),
    ],
)
def test_labels_say_what_differs(changes: tuple[dict[str, object], ...], labels: list[str]) -> None:
    assert result_labels([result(row("1"), **change) for change in changes]) == labels
