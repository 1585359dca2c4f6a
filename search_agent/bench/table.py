"""Results as a Markdown table, one row per strategy: what goes into README and LOG."""

from collections.abc import Iterable

from search_agent.bench.result import BenchResult

COLUMNS: tuple[tuple[str, str, str], ...] = (
    # heading, field, format
    ("EM", "exact_match", ".3f"),
    ("F1", "f1", ".3f"),
    ("accepted", "accepted_form", ".3f"),
    ("cite P", "citation_precision", ".3f"),
    ("cite R", "citation_recall", ".3f"),
    ("exist", "citations_exist", ".3f"),
    ("supported", "claims_supported", ".3f"),
    ("guessed", "guessed", ".2f"),
    ("abstained", "abstained", ".2f"),
    ("all gold@10", "all_gold_at_10", ".2f"),
    ("s/question", "seconds_per_question", ".1f"),
    ("evaluated", "prompt_evaluated", ".0f"),
    ("reused", "prompt_reused", ".0f"),
    ("completion", "completion", ".0f"),
)


def markdown_table(results: Iterable[BenchResult]) -> str:
    """A table with a row per result, in the order given; ``–`` where a measure does not apply."""
    headings = ["dataset", "n", "strategy", "profile", "model", *(name for name, _, _ in COLUMNS)]
    lines = [_row(headings), _row(["---"] * 5 + ["---:"] * len(COLUMNS))]
    for result in results:
        count = str(result.n) if result.complete else f"{result.n} (interrupted)"
        cells = [result.dataset, count, result.strategy, result.profile, result.model.name]
        for _, field, form in COLUMNS:
            value: float | None = getattr(result, field)
            cells.append("–" if value is None else format(value, form))
        lines.append(_row(cells))
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
