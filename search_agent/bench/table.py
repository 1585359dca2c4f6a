"""Results as Markdown tables, a row per result or per group of its questions."""

from collections.abc import Iterable
from typing import Literal

from search_agent.bench.mode import approach_name
from search_agent.bench.result import BenchResult, Group, Measures

GroupedBy = Literal["kind", "language"]
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
    ("abst. P", "abstention_precision", ".2f"),
    ("abst. R", "abstention_recall", ".2f"),
    ("all gold@10", "all_gold_at_10", ".2f"),
    ("s/question", "seconds_per_question", ".1f"),
    ("evaluated", "prompt_evaluated", ".0f"),
    ("reused", "prompt_reused", ".0f"),
    ("completion", "completion", ".0f"),
)


def markdown_table(results: Iterable[BenchResult], *, by: GroupedBy | None = None) -> str:
    """A table with a row per result, in the order given, or per group of it where ``by`` is given;
    ``–`` where a measure does not apply.
    """
    headings = ["dataset", *([by] if by else []), "n", "strategy", "profile", "model"]
    lines = [
        _row([*headings, *(name for name, _, _ in COLUMNS)]),
        _row(["---"] * len(headings) + ["---:"] * len(COLUMNS)),
    ]
    for result in results:
        asked = "" if result.complete else " (interrupted)"
        who = [approach_name(result.strategy, result.mode), result.profile, result.model.name]
        if by is None:
            lines.append(_row([result.dataset, f"{result.n}{asked}", *who, *_cells(result)]))
        else:
            for name, group in groups_of(result, by).items():
                count = f"{group.n}{asked}"
                lines.append(_row([result.dataset, name, count, *who, *_cells(group)]))
    return "\n".join(lines) + "\n"


def groups_of(result: BenchResult, by: GroupedBy) -> dict[str, Group]:
    """The measures of a result by kind or by language."""
    return {"kind": result.by_kind, "language": result.by_language}[by]


def _cells(measures: Measures) -> list[str]:
    cells = []
    for _, field, form in COLUMNS:
        value: float | None = getattr(measures, field)
        cells.append("–" if value is None else format(value, form))
    return cells


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
