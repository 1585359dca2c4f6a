"""Results of ``bench retrieval`` as a Markdown table, a row per dataset and leg."""

from collections.abc import Iterable

from search_agent.bench.retrieval_measures import MEASURES
from search_agent.bench.retrieval_result import RetrievalResult


def retrieval_table(results: Iterable[RetrievalResult]) -> str:
    """A table with the legs of each result in the order they were asked for."""
    lines = [
        _row(["dataset", "queries", "leg", *MEASURES]),
        _row(["---", "---:", "---", *["---:"] * len(MEASURES)]),
    ]
    for result in results:
        for leg, values in result.legs.items():
            cells = [f"{values[name]:.4f}" for name in MEASURES]
            lines.append(_row([dataset_label(result), queries_label(result), leg, *cells]))
    return "\n".join(lines) + "\n"


def dataset_label(result: RetrievalResult) -> str:
    """The dataset, and whose queries were asked where they are not its own."""
    return result.dataset if result.queries is None else f"{result.queries} on {result.dataset}"


def queries_label(result: RetrievalResult) -> str:
    """How many queries were ranked, and whether that was all."""
    return f"{result.n_queries}" + ("" if result.complete else " (interrupted)")


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
