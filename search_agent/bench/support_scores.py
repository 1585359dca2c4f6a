"""How well scores tell supported pairs from the others: ROC AUC, precision and recall.

Why not scikit-learn's: a bootstrap calls these some ten thousand times, and its checks of every
argument then cost more than the ranking.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_RESAMPLES = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class AtThreshold:
    """Pairs with score ≥ ``threshold`` taken for supported; None where nothing is to divide by."""

    threshold: float
    precision: float | None
    recall: float | None
    f1: float | None


def roc_auc(supported: Sequence[float], others: Sequence[float]) -> float | None:
    """Share of (supported, other) pairs in which the supported score is higher, ties counting half.

    U = R − n(n + 1)/2 with R the sum of the midranks of the n supported scores; AUC = U / (n m).
    None where either side is empty.

    Source: Mann and Whitney, 1947; Hanley and McNeil, Radiology 1982.
    """
    n, m = len(supported), len(others)
    if not n or not m:
        return None
    ranks = _midranks(np.concatenate([supported, others]))
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m))


def at_threshold(
    supported: Sequence[float], others: Sequence[float], threshold: float
) -> AtThreshold:
    """Precision, recall and F1 of "supported" at a threshold."""
    hits = sum(score >= threshold for score in supported)
    false = sum(score >= threshold for score in others)
    total = len(supported) + hits + false
    return AtThreshold(
        threshold=threshold,
        precision=hits / (hits + false) if hits + false else None,
        recall=hits / len(supported) if supported else None,
        f1=2 * hits / total if total else None,
    )


def best_threshold(supported: Sequence[float], others: Sequence[float]) -> float | None:
    """The score that gives the highest F1 as a threshold, the highest of several; None without one.

    Chosen on train pairs, reported on others.
    """
    candidates = sorted({*supported, *others}, reverse=True)
    return max(
        candidates,
        key=lambda threshold: at_threshold(supported, others, threshold).f1 or 0.0,
        default=None,
    )


def auc_interval(
    groups: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, seed: int = 0
) -> tuple[float, float] | None:
    """95 % bootstrap interval of the AUC, drawn by group: pairs of one claim are not independent.

    ``groups`` maps a claim to its supported scores and its others.
    """
    drawn = random.Random(seed)
    parts = [groups[name] for name in sorted(groups)]
    aucs = []
    for _ in range(N_RESAMPLES if parts else 0):
        sample = drawn.choices(parts, k=len(parts))
        auc = roc_auc([s for part in sample for s in part[0]], [o for p in sample for o in p[1]])
        if auc is not None:
            aucs.append(auc)
    if not aucs:
        return None
    low, high = np.quantile(aucs, [0.025, 0.975])
    return float(low), float(high)


def _midranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1, equal scores sharing the mean of theirs; (n,) float64."""
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle: NDArray[np.float64] = last - (counts - 1) / 2
    return middle[inverse]
