"""CitationsResult: how well support is told from its absence, as ``bench citations`` prints it.

An interface: additive changes only.
"""

from pydantic import BaseModel, ConfigDict, Field

from search_agent.bench.machine import Machine
from search_agent.bench.support_mix import SupportMix
from search_agent.bench.support_pairs import Kind
from search_agent.bench.support_scores import AtThreshold
from search_agent.final_result import ModelIdentity
from search_agent.result_part import ResultPart


class ScorerRow(BaseModel):
    """One scorer; None where a measure has nothing to compare or was not chosen."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scorer: str
    """A feature, ``lexical``, ``judge:VARIANT``, ``both:VARIANT`` (the product's mix), ``mix:``."""
    note: str = ""
    auc_random: float | None
    """Supporting sentences against random ones of the same abstract."""
    auc_contradicting: float | None
    """Against contradicting sentences."""
    auc_pooled: float | None
    auc_pooled_low: float | None
    auc_pooled_high: float | None
    """95 % interval, bootstrap over claims."""
    auc_pooled_train: float | None
    at_product_threshold: AtThreshold | None
    """At ``supported_min``; only for scores on the product's scale."""
    at_train_threshold: AtThreshold | None
    """At the threshold of highest F1 on the train pairs."""


class PairsIdentity(BaseModel):
    """Which pairs were scored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str
    sha256: str
    n: int
    by_kind: dict[Kind, int]
    n_unanswered: int
    """Pairs left out because the judge was interrupted before them."""


class QuestionCost(BaseModel):
    """Means per call of one question, as they were when it was asked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: int
    seconds: float
    prompt_evaluated: float
    prompt_reused: float


class CitationsResult(ResultPart):
    """All scorers on one file of pairs, and what they depend on."""

    schema_: int = Field(1, alias="schema")
    pairs: PairsIdentity
    train: PairsIdentity | None
    """The pairs that thresholds, weights and mixes were chosen on."""
    complete: bool
    model: ModelIdentity | None
    encoder: str
    """Empty: no embeddings."""
    supported_min: float
    scorers: tuple[ScorerRow, ...]
    mixes: dict[str, SupportMix]
    questions: dict[str, QuestionCost]
    commit: str | None
    machine: Machine
    made_at: str


def citations_table(result: CitationsResult) -> str:
    """The scorers as a Markdown table, in their order."""
    headings = ("scorer", "AUC random", "contradicting", "pooled", "95 %", "train")
    precise = ("P", "R", "P at train's threshold", "R", "F1")
    lines = [_line([*headings, *precise]), _line(["---"] + ["---:"] * 10)]
    for row in result.scorers:
        own, chosen = row.at_product_threshold, row.at_train_threshold
        interval = f"{_number(row.auc_pooled_low)}–{_number(row.auc_pooled_high)}"
        aucs = [row.auc_random, row.auc_contradicting, row.auc_pooled]
        measures = [
            *((own.precision, own.recall) if own else (None, None)),
            *((chosen.precision, chosen.recall, chosen.f1) if chosen else (None, None, None)),
        ]
        name = f"{row.scorer} ({row.note})" if row.note else row.scorer
        cells = [name, *map(_number, aucs), interval, _number(row.auc_pooled_train)]
        lines.append(_line([*cells, *map(_number, measures)]))
    return "\n".join(lines) + "\n"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
