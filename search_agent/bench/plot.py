"""Plot: results as bars, measures of the answers on the left and seconds on the right, as SVG.

The same results give the same bytes: no date, no random ids, text as text.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from search_agent.bench.mode import approach_name
from search_agent.bench.result import BenchResult
from search_agent.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEASURES = (
    ("exact match", "exact_match"),
    ("F1", "f1"),
    ("accepted form", "accepted_form"),
    ("citation\nprecision", "citation_precision"),
    ("citation\nrecall", "citation_recall"),
)
GROUP_WIDTH = 0.8
"""Of the distance between two measures; the rest is the gap between their groups of bars."""
INCHES = (11.0, 4.2)


@dataclass(slots=True)
class Drawing:
    """A figure on its way to an SVG."""

    figure: "Figure"
    svg: str = ""
    """Filled in when the drawing is done."""


@contextmanager
def drawn_svg(inches: tuple[float, float]) -> Iterator[Drawing]:
    """A figure to draw on; afterwards ``svg`` holds its picture.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        message = (
            f"plots need matplotlib ({error}); install the extra `bench`:"
            " pip install 'deepsearch[bench]'"
        )
        raise ConfigError(message) from error
    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the user's matplotlibrc says
        mpl.rcParams["svg.hashsalt"] = "deepsearch"
        mpl.rcParams["svg.fonttype"] = "none"
        figure = Figure(figsize=inches, layout="constrained")
        FigureCanvasSVG(figure)
        drawing = Drawing(figure)
        yield drawing
        written = StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
        drawing.svg = written.getvalue()


def plot_svg(results: Sequence[BenchResult]) -> str:
    """The SVG of a bar chart with a bar per result; a measure that a result lacks has no bar.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    with drawn_svg(INCHES) as drawing:
        answers, seconds = drawing.figure.subplots(1, 2, width_ratios=(3, 1))
        width = GROUP_WIDTH / len(results)
        for number, result in enumerate(results):
            bars = [
                (place + (number + 0.5) * width - GROUP_WIDTH / 2, value)
                for place, (_, field) in enumerate(MEASURES)
                if (value := getattr(result, field)) is not None
            ]
            color = f"C{number % 10}"
            answers.bar([x for x, _ in bars], [y for _, y in bars], width, color=color)
            seconds.barh(number, result.seconds_per_question or 0.0, color=color)
        answers.set_xticks(range(len(MEASURES)), [name for name, _ in MEASURES])
        answers.set_ylim(0, 1)
        answers.set_title(", ".join(dict.fromkeys(f"{r.dataset} (n = {r.n})" for r in results)))
        # names stand here once; the colours carry them to the left
        seconds.set_yticks(range(len(results)), result_labels(results))
        seconds.invert_yaxis()
        seconds.set_title("seconds a question")
    return drawing.svg


def result_labels(results: Sequence[BenchResult]) -> list[str]:
    """What tells the results apart: the strategy, and the first of model, profile, data set and
    seed that differ; equal ones are numbered.
    """
    parts = [
        (
            approach_name(result.strategy, result.mode),
            result.model.name,
            result.profile,
            result.dataset,
            f"seed {result.seed}",
        )
        for result in results
    ]
    differing = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    names = [
        ", ".join(
            part
            for place, (part, differs) in enumerate(zip(row, differing, strict=True))
            if place == 0 or differs
        )
        for row in parts
    ]
    return [
        f"{name} #{names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
