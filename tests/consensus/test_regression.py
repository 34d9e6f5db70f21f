"""Small regressions against scikit-learn and scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.consensus._regression import LogisticProblem, fit_logistic, fit_positive, logistic
from tests.consensus.regressions import (
    draw_problem,
    least_loss,
    refuse_a_rise,
    refuse_more_squares,
)
from tests.spread import often


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
    counts = np.random.default_rng(1).uniform(0.1, 9.0, len(is_so))
    oracle = LogisticRegression(C=0.5, fit_intercept=False, tol=1e-10)
    nothing, firmness = np.zeros(3), np.full(3, 2.0)

    for sample in (None, counts):
        expected = oracle.fit(columns, is_so, sample).coef_[0]
        found = fit_logistic(columns, is_so, nothing, firmness, sample)
        assert np.allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("seed", [353, 1466, 5450, 5987, 8970])
def test_problems_that_need_many_steps_end_at_the_optimum(seed: int) -> None:
    """The few of ten thousand that halved steps, or cautious ones, did not solve alone."""
    refuse_a_rise(draw_problem(seed))


@given(st.integers(0, 2**32))
@settings(max_examples=often(30, 100), deadline=None)
def test_the_loss_never_rises_and_ends_at_the_optimum(seed: int) -> None:
    """Of problems with columns of any size, constant, twice the same, or separating."""
    refuse_a_rise(draw_problem(seed))


@given(st.integers(0, 2**32))
@settings(max_examples=often(30, 100), deadline=None)
def test_weights_that_may_not_be_negative_are_the_best(seed: int) -> None:
    """Least squares with the prior as further rows."""
    refuse_more_squares(draw_problem(seed))


def test_chances_near_0_and_1_do_not_make_it_go_back_and_forth() -> None:
    """Full steps ended worse than the prior here, at a loss of 6 times the best."""
    rng = np.random.default_rng(0)
    odds = rng.normal(4.0, 3.0, 400)
    columns = np.stack([np.ones(400), odds, odds * (odds > 4), -odds], axis=1)
    is_so = (rng.random(400) < 0.94).astype(np.float64)
    prior = np.array([-0.2, 0.8, 0.4, -0.15])
    firmness = np.array([4.0, 50.0, 50.0, 50.0])
    weights = fit_logistic(columns, is_so, prior, firmness)
    problem = LogisticProblem(columns, is_so, prior, firmness, np.ones(400))

    assert problem.loss(weights) == pytest.approx(least_loss(problem, prior), rel=1e-6)


def test_a_row_that_counts_twice_is_two_rows() -> None:
    """And one that counts 0 times is none."""
    columns, is_so = drawn(3)
    values = columns @ np.array([0.3, 1.0, -0.2]) + is_so
    prior, firmness = np.array([0.5, 0.0, 1.0]), np.array([1.0, 3.0, 9.0])
    counts = np.arange(len(is_so)) % 3
    rows = np.repeat(np.arange(len(is_so)), counts)
    for fit, wanted in ((fit_logistic, is_so), (fit_positive, values)):
        weighed = fit(columns, wanted, prior, firmness, counts.astype(np.float64))
        repeated = fit(columns[rows], wanted[rows], prior, firmness)

        assert np.allclose(weighed, repeated, atol=1e-6)


def test_without_data_the_prior_stays() -> None:
    """Whatever the firmness."""
    prior = np.array([0.5, -1.0])

    assert np.array_equal(fit_logistic(np.zeros((0, 2)), np.zeros(0), prior, np.ones(2)), prior)
    assert np.allclose(
        fit_positive(np.zeros((0, 2)), np.zeros(0), np.array([0.5, 1.0]), np.array([3.0, 0.7])),
        np.array([0.5, 1.0]),
        rtol=1e-12,
    )


@given(st.integers(0, 1000), st.floats(1.0, 1e6))
@settings(max_examples=often(12, 30), deadline=None)
def test_data_that_a_line_separates_give_finite_weights(seed: int, size: float) -> None:
    """All yes on one side, all no on the other, in columns of any size."""
    columns, _ = drawn(seed, 30)
    columns[:, 1] *= size
    is_so = (columns[:, 1] > 0).astype(np.float64)
    weights = fit_logistic(columns, is_so, np.zeros(3), np.ones(3))
    chance = logistic(columns, weights)

    assert np.isfinite(weights).all()
    assert ((chance > 0) & (chance < 1)).all()
