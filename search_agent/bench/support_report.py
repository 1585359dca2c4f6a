"""How each scorer does: AUC by kind of pair, precision and recall at thresholds.

Everything chosen (thresholds, the judge's weight, mixes) is chosen on the train pairs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_agent.bench.citations_result import ScorerRow
from search_agent.bench.support_columns import Column, SupportColumns
from search_agent.bench.support_mix import SupportMix, fit_mix
from search_agent.bench.support_scores import (
    at_threshold,
    auc_interval,
    best_threshold,
    roc_auc,
)
from search_agent.bench.support_variants import log_odds
from search_agent.config import Citations

DECIMALS = 4
WEIGHTS = tuple(step / 20 for step in range(21))
"""Of the judge in the product's mix."""
OVERLAP = "overlap"
DENSE = "dense"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scorer:
    name: str
    column: Column
    train: Column | None
    is_product: bool = False
    """Whether the product's own threshold applies to its scores."""
    note: str = ""


def score_rows(
    columns: SupportColumns, train: SupportColumns | None, *, settings: Citations
) -> tuple[list[ScorerRow], dict[str, SupportMix]]:
    """A row per scorer on ``columns``, and the mixes that were fitted on ``train``."""
    mixes = fit_mixes(train) if train is not None else {}
    scorers = [*_plain_scorers(columns, train, settings)]
    for name, mix in mixes.items():
        assert train is not None
        scorers.append(
            _Scorer(
                name=f"mix:{name}",
                column=mix.probabilities(_inputs(columns)),
                train=mix.probabilities(_inputs(train)),
            )
        )
    return [_row(scorer, columns, train, settings) for scorer in scorers], mixes


def fit_mixes(train: SupportColumns) -> dict[str, SupportMix]:
    """Mixes by name: word scores, with embeddings, and each variant with either."""
    words = [name for name in train.features if name != DENSE]
    sets = {"words": words}
    for variant in train.judges:
        sets[f"{variant}+overlap"] = [f"judge:{variant}", OVERLAP]
        sets[f"{variant}+words"] = [f"judge:{variant}", *words]
    if len(train.judges) > 1:
        sets["all judges+words"] = [*(f"judge:{variant}" for variant in train.judges), *words]
    if DENSE in train.features:
        sets |= {f"{name}+dense": [*names, DENSE] for name, names in sets.items()}
    inputs, labels = _inputs(train), train.labels()
    fitted = {
        name: fit_mix({column: inputs[column] for column in names}, labels)
        for name, names in sets.items()
    }
    return {name: mix for name, mix in fitted.items() if mix is not None}


def best_weight(train: SupportColumns, variant: str, settings: Citations) -> float:
    """The ``support_weight`` with the highest pooled AUC, the product's own of several."""

    def pooled(weight: float) -> tuple[float, bool]:
        column = train.mixed(variant, settings.model_copy(update={"support_weight": weight}))
        auc = roc_auc(*_sides(train, column))
        return (auc or 0.0, weight == settings.support_weight)

    return max(WEIGHTS, key=pooled)


def _plain_scorers(
    columns: SupportColumns, train: SupportColumns | None, settings: Citations
) -> Iterator[_Scorer]:
    for name, column in columns.features.items():
        yield _Scorer(name=name, column=column, train=train.features[name] if train else None)
    yield _Scorer(
        name="lexical",
        column=columns.lexical,
        train=train.lexical if train else None,
        is_product=True,
    )
    for variant, column in columns.judges.items():
        yield _Scorer(
            name=f"judge:{variant}",
            column=column,
            train=train.judges[variant] if train else None,
            is_product=True,
        )
        yield _Scorer(
            name=f"both:{variant}",
            column=columns.mixed(variant, settings),
            train=train.mixed(variant, settings) if train else None,
            is_product=True,
            note=f"support_weight {settings.support_weight:g}",
        )
        if train is not None:
            weight = best_weight(train, variant, settings)
            chosen = settings.model_copy(update={"support_weight": weight})
            yield _Scorer(
                name=f"both, weight chosen:{variant}",
                column=columns.mixed(variant, chosen),
                train=train.mixed(variant, chosen),
                is_product=True,
                note=f"support_weight {weight:g}",
            )


def _row(
    scorer: _Scorer, columns: SupportColumns, train: SupportColumns | None, settings: Citations
) -> ScorerRow:
    supported, others = _sides(columns, scorer.column)
    interval = auc_interval(columns.by_claim(scorer.column))
    threshold = None
    if train is not None and scorer.train is not None:
        threshold = best_threshold(*_sides(train, scorer.train))
    train_auc = (
        None if train is None or scorer.train is None else roc_auc(*_sides(train, scorer.train))
    )
    return ScorerRow(
        scorer=scorer.name,
        note=scorer.note,
        auc_random=_rounded(roc_auc(supported, columns.of_kind(scorer.column, "random"))),
        auc_contradicting=_rounded(
            roc_auc(supported, columns.of_kind(scorer.column, "contradicting"))
        ),
        auc_pooled=_rounded(roc_auc(supported, others)),
        auc_pooled_low=_rounded(interval[0] if interval else None),
        auc_pooled_high=_rounded(interval[1] if interval else None),
        auc_pooled_train=_rounded(train_auc),
        at_product_threshold=at_threshold(supported, others, settings.supported_min)
        if scorer.is_product
        else None,
        at_train_threshold=None
        if threshold is None
        else at_threshold(supported, others, threshold),
    )


def _inputs(columns: SupportColumns) -> dict[str, Column]:
    """What mixes are made of: features as they are, judges as log-odds."""
    judges = {
        f"judge:{variant}": [log_odds(p) for p in column]
        for variant, column in columns.judges.items()
    }
    return {**columns.features, **judges}


def _sides(columns: SupportColumns, column: Column) -> tuple[Sequence[float], Sequence[float]]:
    labelled = list(zip(column, columns.labels(), strict=True))
    return [s for s, is_true in labelled if is_true], [s for s, is_true in labelled if not is_true]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)
