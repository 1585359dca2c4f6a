"""Plot of retrieval results: a group of bars a collection, a bar a leg, as SVG.

The same results give the same bytes, as in ``plot``.
"""

from collections.abc import Sequence

from search_agent.bench.plot import GROUP_WIDTH, drawn_svg
from search_agent.bench.retrieval_result import RetrievalResult
from search_agent.bench.retrieval_table import dataset_label, queries_label

MEASURES = ("nDCG@10", "R@100", "all_gold@10")
"""One row of the picture each."""
_WIDTH, _ROW_HEIGHT = 11.0, 2.6
"""Inches."""


def retrieval_plot_svg(results: Sequence[RetrievalResult]) -> str:
    """The SVG of a bar chart; a leg that a collection lacks has no bar.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    legs = list(dict.fromkeys(leg for result in results for leg in result.legs))
    width = GROUP_WIDTH / len(legs)
    with drawn_svg((_WIDTH, _ROW_HEIGHT * len(MEASURES))) as drawing:
        rows = drawing.figure.subplots(len(MEASURES), 1, sharex=True)
        for axes, measure in zip(rows, MEASURES, strict=True):
            for number, leg in enumerate(legs):
                bars = [
                    (place + (number + 0.5) * width - GROUP_WIDTH / 2, result.legs[leg][measure])
                    for place, result in enumerate(results)
                    if leg in result.legs
                ]
                axes.bar(
                    [x for x, _ in bars],
                    [y for _, y in bars],
                    width,
                    color=f"C{number % 10}",
                    label=leg,
                )
            axes.set_ylim(0, 1)
            axes.set_ylabel(measure)
        rows[0].legend(loc="upper center", bbox_to_anchor=(0.5, 1.3), ncols=len(legs))
        names = [f"{dataset_label(result)}\nn = {queries_label(result)}" for result in results]
        rows[-1].set_xticks(range(len(results)), names, rotation=30, ha="right")
    return drawing.svg
