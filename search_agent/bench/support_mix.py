"""SupportMix: several scores as one probability, by logistic regression fitted on train pairs."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

INVERSE_PENALTY = 0.1
"""200 train pairs and up to thirty scores: a strong penalty, fixed beforehand, not tuned."""


class SupportMix(BaseModel):
    """p = 1 / (1 + exp(−(intercept + Σ weight · score)))."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intercept: float
    weights: dict[str, float]

    def probabilities(self, columns: Mapping[str, Sequence[float]]) -> list[float]:
        """One probability per row."""
        named = [(weight, columns[name]) for name, weight in self.weights.items()]
        n_rows = len(named[0][1])
        odds = [
            self.intercept + sum(w * column[row] for w, column in named) for row in range(n_rows)
        ]
        return [1 / (1 + math.exp(-max(min(value, 700.0), -700.0))) for value in odds]


def fit_mix(columns: Mapping[str, Sequence[float]], labels: Sequence[bool]) -> SupportMix | None:
    """The mix of all columns; None where the labels are all alike.

    Columns are standardised for the fit, so that the penalty meets them alike; the weights are for
    the raw scores.
    """
    if len(set(labels)) < 2:
        return None
    from sklearn.linear_model import LogisticRegression

    table = np.array([columns[name] for name in columns], dtype=np.float64).T  # (n_rows, n_columns)
    mean, scale = table.mean(axis=0), table.std(axis=0)
    scale[scale == 0] = 1.0
    regression = LogisticRegression(C=INVERSE_PENALTY, max_iter=1000)
    regression.fit((table - mean) / scale, np.array(labels))
    weights = regression.coef_[0] / scale
    return SupportMix(
        intercept=float(regression.intercept_[0] - weights @ mean),
        weights={name: float(weight) for name, weight in zip(columns, weights, strict=True)},
    )
