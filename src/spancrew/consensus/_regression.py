"""Small regressions that stay close to a prior where there is little to learn from."""

import numpy as np

from spancrew.core import FloatArray

_STEPS = 25
"""Newton steps; a handful is enough, the rest is for separable data."""


def logistic(columns: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the probabilities that columns and weights give, never quite 0 or 1."""
    chance: FloatArray = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
    return chance


def fit_logistic(
    columns: FloatArray, is_so: FloatArray, prior: FloatArray, firmness: FloatArray
) -> FloatArray:
    """Return the weights that explain yes and no best, drawn to ``prior`` by ``firmness``."""
    weights = prior.copy()
    for _ in range(_STEPS):
        chance = logistic(columns, weights)
        slope = columns.T @ (is_so - chance) - firmness * (weights - prior)
        curve = (columns * (chance * (1 - chance))[:, None]).T @ columns + np.diag(firmness)
        step = np.linalg.solve(curve, slope)
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def fit_positive(
    columns: FloatArray, values: FloatArray, prior: FloatArray, firmness: FloatArray
) -> FloatArray:
    """Return the weights, none below 0, with least squares drawn to ``prior`` by ``firmness``."""
    matrix = columns.T @ columns + np.diag(firmness)
    target = columns.T @ values + firmness * prior
    weights = prior.copy()
    for _ in range(200):
        before = weights.copy()
        for k in range(len(weights)):
            rest = target[k] - matrix[k] @ weights + matrix[k, k] * weights[k]
            weights[k] = max(rest / matrix[k, k], 0.0)
        if np.abs(weights - before).max() < 1e-9:
            break
    return weights
