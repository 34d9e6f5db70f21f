"""Small regressions that stay close to a prior where there is little to learn from."""

from operator import itemgetter
from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray

_STEPS = 5_000
"""Steps at most; ten are usual, the rest is for columns of very different size."""

_HALVINGS = 60
"""How often a step is halved before rounding is taken for the reason why nothing gets better."""

_GAP = 1e-10
"""How far above the smallest loss to stop, as a share of the loss."""


def logistic(columns: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the probabilities that columns and weights give, never quite 0 or 1."""
    chance: FloatArray = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
    return chance


def fit_logistic(
    columns: FloatArray,
    is_so: FloatArray,
    prior: FloatArray,
    firmness: FloatArray,
    counts: FloatArray | None = None,
) -> FloatArray:
    """Return the weights that explain yes and no best, drawn to ``prior`` by ``firmness``.

    A row counts ``counts`` times, by default once. ``firmness`` is above 0 for every weight: so
    there is one best answer, also for columns that are constant or tell yes from no.
    """
    counts = np.ones(len(is_so)) if counts is None else counts
    problem = LogisticProblem(columns, is_so, prior, firmness, counts)
    weights, loss = prior.copy(), problem.loss(prior)
    for _ in range(_STEPS):
        step, gain = problem.newton(weights)
        moved, lower = _halved(problem, weights, step, gain, loss)
        if loss - lower < gain / 100:
            other = _halved(problem, weights, *problem.cautious(weights), loss)
            moved, lower = min((moved, lower), other, key=itemgetter(1))
        if gain <= _GAP * lower or lower == loss:
            return moved
        weights, loss = moved, lower
    return weights


class LogisticProblem(NamedTuple):
    """Rows of yes or no, the prior of the weights, and how often each row counts."""

    columns: FloatArray
    is_so: FloatArray
    prior: FloatArray
    firmness: FloatArray
    counts: FloatArray

    def loss(self, weights: FloatArray) -> float:
        """Return how badly weights explain the rows, and how far they are from the prior."""
        odds = self.columns @ weights
        surprise = np.logaddexp(0.0, odds) - self.is_so * odds
        return float(self.counts @ surprise + self.firmness @ (weights - self.prior) ** 2 / 2)

    def newton(self, weights: FloatArray) -> tuple[FloatArray, float]:
        """Return the step to where the loss would be smallest if it were a parabola.

        The second is twice what the loss would fall by then.
        """
        chance = 0.5 + 0.5 * np.tanh(self.columns @ weights / 2)
        return self._step(weights, chance * (1 - chance))

    def cautious(self, weights: FloatArray) -> tuple[FloatArray, float]:
        """Return the same for a parabola that lies above the loss, so that this step never rises.

        It is the bound of Jaakkola and Jordan (2000, doi:10.1023/A:1008932416310).
        """
        odds = np.maximum(np.abs(self.columns @ weights), 1e-6)
        return self._step(weights, np.tanh(odds / 2) / (2 * odds))

    def _step(self, weights: FloatArray, bends: FloatArray) -> tuple[FloatArray, float]:
        chance = 0.5 + 0.5 * np.tanh(self.columns @ weights / 2)
        slope = self.columns.T @ (self.counts * (self.is_so - chance))
        slope -= self.firmness * (weights - self.prior)
        bend = self.columns.T @ ((self.counts * bends)[:, None] * self.columns)
        step = _solved(bend + np.diag(self.firmness), slope)
        return step, float(slope @ step)


def _halved(
    problem: LogisticProblem, weights: FloatArray, step: FloatArray, gain: float, loss: float
) -> tuple[FloatArray, float]:
    """Go as far along a step as the loss falls by a tenth of what was promised, or stay.

    Where chances are near 0 or 1 the loss is no parabola: full steps go back and forth for ever.
    """
    for _ in range(_HALVINGS):
        moved = weights + step
        lower = problem.loss(moved)
        if lower <= loss - gain / 10:
            return moved, lower
        step, gain = step / 2, gain / 2
    return weights, loss


def fit_positive(
    columns: FloatArray,
    values: FloatArray,
    prior: FloatArray,
    firmness: FloatArray,
    counts: FloatArray | None = None,
) -> FloatArray:
    """Return the weights, none below 0, with least squares drawn to ``prior`` by ``firmness``.

    The method of Lawson and Hanson (1974): weights are let in one by one, where the squares gain
    most, and leave again where they would fall below 0.
    """
    counts = np.ones(len(values)) if counts is None else counts
    matrix = columns.T @ (counts[:, None] * columns) + np.diag(firmness)
    target = columns.T @ (counts * values) + firmness * prior
    size = 1 / np.sqrt(np.diag(matrix))
    matrix, target = matrix * size[:, None] * size, target * size
    weights, is_in = np.zeros(len(prior)), np.zeros(len(prior), bool)
    least = 1e-13 * float(np.abs(target).max(initial=0.0))
    for _ in range(3 * len(prior)):
        slope = np.where(is_in, -np.inf, target - matrix @ weights)
        if slope.max(initial=-np.inf) <= least:
            break
        is_in[slope.argmax()] = True
        weights = _kept_positive(matrix, target, weights, is_in)
    return weights * size


def _kept_positive(
    matrix: FloatArray, target: FloatArray, weights: FloatArray, is_in: BoolArray
) -> FloatArray:
    """Return the best weights among those that are in; who would fall below 0 is let out."""
    while True:
        best = np.zeros(len(weights))
        best[is_in] = np.linalg.solve(matrix[np.ix_(is_in, is_in)], target[is_in])
        falls = is_in & (best <= 0)
        if not falls.any():
            return best
        way = weights[falls] / (weights[falls] - best[falls])
        weights = weights + way.min() * (best - weights)
        is_in[falls & (weights <= 1e-15)] = False
        is_in[np.flatnonzero(falls)[way.argmin()]] = False
        weights[~is_in] = 0.0


def _solved(matrix: FloatArray, target: FloatArray) -> FloatArray:
    """Solve a positive definite system whose rows may be of very different size."""
    size = 1 / np.sqrt(np.diag(matrix))
    found: FloatArray = np.linalg.solve(matrix * size[:, None] * size, target * size) * size
    return found
