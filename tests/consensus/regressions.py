"""Regression problems of every kind, and what scipy makes of them.

``python -m tests.consensus.regressions 10000`` checks as many of them.
"""

import sys
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from spancrew.consensus._regression import LogisticProblem, fit_logistic, fit_positive
from spancrew.core import FloatArray


class Drawn(NamedTuple):
    """Columns, yes or no, values, a prior with its firmness, and how often each row counts."""

    columns: FloatArray
    is_so: FloatArray
    values: FloatArray
    prior: FloatArray
    firmness: FloatArray
    counts: FloatArray | None

    @property
    def logistic(self) -> LogisticProblem:
        """Return the problem of the logistic regression."""
        counts = np.ones(len(self.is_so)) if self.counts is None else self.counts
        return LogisticProblem(self.columns, self.is_so, self.prior, self.firmness, counts)

    @property
    def squares(self) -> tuple[FloatArray, FloatArray]:
        """Return rows and values of least squares; the prior is among them."""
        roots = np.sqrt(self.logistic.counts)
        pull = np.sqrt(self.firmness)
        rows = np.concatenate([self.columns * roots[:, None], np.diag(pull)])
        return rows, np.concatenate([self.values * roots, pull * np.abs(self.prior)])


def draw_problem(seed: int) -> Drawn:
    """Draw a problem: columns of any size, constant, twice the same, or telling yes from no."""
    rng = np.random.default_rng(seed)
    rows, width = int(rng.integers(0, 300)), int(rng.integers(1, 6))
    size = 10.0 ** rng.uniform(-3, 4, width) if rng.random() < 0.5 else np.ones(width)
    columns = rng.normal(size=(rows, width)) * size
    is_so = (rng.random(rows) < rng.random()).astype(np.float64)
    match int(rng.integers(6)):
        case 0:
            columns[:, 0] = 1.0
        case 1:
            columns[:, -1] = columns[:, 0]
        case 2:
            columns[:, 0] = 0.0
        case 3:
            is_so = (columns[:, 0] > 0).astype(np.float64)
        case 4:
            is_so[:] = 1.0
        case _:
            pass
    prior = rng.normal(size=width) * 10.0 ** rng.uniform(-1, 1)
    firmness = 10.0 ** rng.uniform(-3, 3, width)
    often = 10.0 ** rng.uniform(-1, 2, rows) * (rng.random(rows) < 0.9)
    counts = None if rng.random() < 0.3 else often
    return Drawn(columns, is_so, 10 * rng.normal(size=rows), prior, firmness, counts)


def least_loss(problem: LogisticProblem, start: FloatArray) -> float:
    """Return the smallest loss that scipy finds, from a start and from the prior."""
    from scipy.optimize import minimize

    columns, counts, prior, firmness = (
        problem.columns,
        problem.counts,
        problem.prior,
        problem.firmness,
    )
    size = 1 / np.sqrt(np.diag(columns.T @ (counts[:, None] * columns)) / 4 + firmness)

    def loss(scaled: FloatArray) -> tuple[float, FloatArray]:
        weights = scaled * size
        chance = 0.5 + 0.5 * np.tanh(columns @ weights / 2)
        slope = columns.T @ (counts * (chance - problem.is_so)) + firmness * (weights - prior)
        return problem.loss(weights), slope * size

    options = {"maxiter": 20_000, "maxfun": 100_000, "ftol": 1e-15, "gtol": 1e-12}
    found = (
        minimize(loss, begin / size, jac=True, method="L-BFGS-B", options=options)
        for begin in (start, prior)
    )
    return float(min(each.fun for each in found))


def least_squares(rows: FloatArray, values: FloatArray) -> float:
    """Return the smallest sum of squares with weights of 0 or more that scipy finds."""
    from scipy.optimize import nnls

    norms = np.linalg.norm(rows, axis=0)
    _, rest = nnls(rows / norms, values, maxiter=1000)
    return float(rest**2)


def refuse_a_rise(problem: Drawn) -> None:
    """Check that the loss never rises on the way, and ends where scipy's does."""
    columns, is_so, _, prior, firmness, counts = problem
    passed: list[FloatArray] = []
    newton = LogisticProblem.newton

    def step(self: LogisticProblem, weights: FloatArray) -> tuple[FloatArray, float]:
        passed.append(weights)
        return newton(self, weights)

    with patch.object(LogisticProblem, "newton", step):
        end = fit_logistic(columns, is_so, prior, firmness, counts)
    losses = [problem.logistic.loss(weights) for weights in (*passed, end)]
    best = least_loss(problem.logistic, end)

    assert (np.diff(losses) <= 0).all()
    assert losses[-1] - best <= 1e-6 * max(best, 1.0)


def refuse_more_squares(problem: Drawn) -> None:
    """Check that no weight is below 0 and that scipy finds no smaller sum of squares."""
    columns, _, values, prior, firmness, counts = problem
    weights = fit_positive(columns, values, np.abs(prior), firmness, counts)
    rows, wanted = problem.squares
    best = least_squares(rows, wanted)

    assert (weights >= 0).all()
    assert ((rows @ weights - wanted) ** 2).sum() - best <= 1e-6 * max(best, 1.0)


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        refuse_a_rise(draw_problem(number))
        refuse_more_squares(draw_problem(number))
