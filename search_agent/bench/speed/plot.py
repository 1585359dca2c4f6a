"""Plot of a speed result on logarithmic axes, so that a straight line's slope is the growth.

Above, a row for each leg and a column for each number of terms: p50 solid, p95 dotted, one asker.
Below, what a build takes. The same result gives the same bytes.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from search_agent.bench.plot import drawn_svg
from search_agent.bench.speed.questions import N_TERMS
from search_agent.bench.speed.result import Build, SpeedResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _ROW_HEIGHT = 11.0, 3.0
"""Inches."""
_BUILD_FIGURES: tuple[tuple[str, Callable[[Build], float | None]], ...] = (
    ("build, s", lambda build: build.seconds),
    ("private memory of the build, MB", lambda build: build.private_mb),
    ("on disk, MB", lambda build: build.bytes / 1e6),
)
_MARKERS = {"sparse": "o", "dense": "s"}


def speed_plot_svg(result: SpeedResult) -> str:
    """The SVG.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    colors = {name: f"C{number % 10}" for number, name in enumerate(result.systems)}
    n_rows = len(result.legs) + 1
    with drawn_svg((_WIDTH, _ROW_HEIGHT * n_rows)) as drawing:
        rows = drawing.figure.subplots(n_rows, len(N_TERMS), sharex=True, squeeze=False)
        for axes_row, leg in zip(rows, result.legs, strict=False):
            for axes, n_terms in zip(axes_row, N_TERMS, strict=True):
                for name in result.systems:
                    found = sorted(
                        (row.n_chunks, row.p50_ms, row.p95_ms)
                        for row in result.latencies
                        if (row.system, row.leg, row.n_terms, row.n_threads)
                        == (name, leg, n_terms, 1)
                    )
                    p50, p95 = [(n, p50) for n, p50, _ in found], [(n, p95) for n, _, p95 in found]
                    _line(axes, p50, color=colors[name], style="o-", label=name)
                    _line(axes, p95, color=colors[name], style=":")
                axes.set_title(f"{leg}, {n_terms} terms")
            axes_row[0].set_ylabel("ms, p50 and p95 (dotted)")
            axes_row[0].legend(fontsize="small")
        for axes, (title, value) in zip(rows[-1], _BUILD_FIGURES, strict=True):
            for name in result.systems:
                for built, marker in _MARKERS.items():
                    points = sorted(
                        (build.n_chunks, figure)
                        for build in result.builds
                        if (build.system, build.leg) == (name, built)
                        and (figure := value(build)) is not None
                    )
                    label = f"{name} {built}"
                    _line(axes, points, color=colors[name], style=f"{marker}-", label=label)
            axes.set_title(title)
            axes.set_xlabel("chunks")
        rows[-1][0].legend(fontsize="small")
    return drawing.svg


def _line(
    axes: "Axes",
    points: Sequence[tuple[int, float]],
    *,
    color: str,
    style: str,
    label: str | None = None,
) -> None:
    if points:
        sizes, values = zip(*points, strict=True)
        axes.loglog(sizes, values, style, color=color, label=label, markersize=4)
