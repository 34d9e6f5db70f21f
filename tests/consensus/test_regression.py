"""Small regressions against scikit-learn and scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.consensus._regression import fit_logistic, fit_positive, logistic


def drawn(seed: int, rows: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Draw columns with a constant, and yes or no."""
    rng = np.random.default_rng(seed)
    columns = np.concatenate([np.ones((rows, 1)), rng.normal(size=(rows, 2))], axis=1)
    is_so = rng.random(rows) < logistic(columns, np.array([-0.5, 1.0, -2.0]))
    return columns, is_so.astype(np.float64)


def test_the_weights_are_those_of_scikit_learn() -> None:
    """Drawn to 0 with the firmness that a penalty of the same size has."""
    from sklearn.linear_model import LogisticRegression

    columns, is_so = drawn(1)
    oracle = LogisticRegression(C=0.5, fit_intercept=False, tol=1e-10).fit(columns, is_so)
    weights = fit_logistic(columns, is_so, np.zeros(3), np.full(3, 2.0))

    assert np.allclose(weights, oracle.coef_[0], atol=1e-4)


def test_without_data_the_prior_stays() -> None:
    """Whatever the firmness."""
    prior = np.array([0.5, -1.0])

    assert np.array_equal(fit_logistic(np.zeros((0, 2)), np.zeros(0), prior, np.ones(2)), prior)
    assert np.array_equal(
        fit_positive(np.zeros((0, 2)), np.zeros(0), np.array([0.5, 1.0]), np.ones(2)),
        np.array([0.5, 1.0]),
    )


@given(st.integers(0, 1000), st.floats(1.0, 1e6))
@settings(max_examples=30, deadline=None)
def test_data_that_a_line_separates_give_finite_weights(seed: int, size: float) -> None:
    """All yes on one side, all no on the other, in columns of any size."""
    columns, _ = drawn(seed, 30)
    columns[:, 1] *= size
    is_so = (columns[:, 1] > 0).astype(np.float64)
    weights = fit_logistic(columns, is_so, np.zeros(3), np.ones(3))
    chance = logistic(columns, weights)

    assert np.isfinite(weights).all()
    assert ((chance > 0) & (chance < 1)).all()


@pytest.mark.parametrize("seed", range(5))
def test_weights_that_may_not_be_negative_are_those_of_scipy(seed: int) -> None:
    """Least squares with the prior as further rows."""
    from scipy.optimize import nnls

    rng = np.random.default_rng(seed)
    columns, values = rng.normal(size=(50, 3)), rng.normal(size=50)
    prior, firmness = np.array([0.7, 0.3, 0.0]), np.array([2.0, 2.0, 9.0])
    rows = np.concatenate([columns, np.diag(np.sqrt(firmness))])
    oracle, _ = nnls(rows, np.concatenate([values, np.sqrt(firmness) * prior]))

    assert np.allclose(fit_positive(columns, values, prior, firmness), oracle, atol=1e-6)
