"""Random numbers for many runs at once."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spancrew.core import Chance, normal_quantile
from spancrew.errors import SpancrewError

RUNS, SIZE = 50, 400
CHANCE = Chance.of(3, range(RUNS)).at(2)

Draw = Callable[[Chance], np.ndarray]


def five(chance: Chance) -> np.ndarray:
    """Return as many numbers for every run, from different Beta distributions."""
    a = np.tile(np.arange(1.0, 6.0), (len(chance.seeds), 1))
    return chance.beta(a, a[:, ::-1].copy())


DRAWS: dict[str, Draw] = {
    "uniform": lambda chance: chance.uniform(5),
    "normal": lambda chance: chance.normal(5),
    "beta": five,
    "shuffled": lambda chance: chance.shuffled(5),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_run_draws_the_same_numbers_alone_and_among_others(name: str) -> None:
    """To the last bit; another run, step or seed draws others."""
    draw = DRAWS[name]
    together = draw(Chance.of(7, range(6)).at(4))
    alone = draw(Chance.of(7, range(3, 4)).at(4))

    assert together[3:4].tobytes() == alone.tobytes()
    assert len(np.unique(together, axis=0)) == 6
    assert (draw(Chance.of(7, range(6)).at(5)) != together).any()
    assert (draw(Chance.of(8, range(6)).at(4)) != together).any()


def test_numbers_for_different_uses_have_nothing_in_common() -> None:
    """Neither are they the numbers of the next step or place."""
    uses = np.stack([CHANCE.uniform(SIZE, use).ravel() for use in range(4)])
    steps = np.stack([CHANCE.at(step).uniform(SIZE).ravel() for step in range(4)])
    apart = np.corrcoef(np.concatenate([uses, steps[[0, 1, 3]]])) - np.eye(7)

    assert np.abs(apart).max() < 5 / np.sqrt(RUNS * SIZE)


def test_numbers_are_distributed_as_they_say() -> None:
    """Kolmogorov and Smirnov find nothing in uniform and normal numbers."""
    assert stats.kstest(CHANCE.uniform(SIZE).ravel(), "uniform").pvalue > 0.01
    assert stats.kstest(CHANCE.normal(SIZE).ravel(), "norm").pvalue > 0.01


@pytest.mark.parametrize(
    ("a", "b"), [(1, 1), (1, 5), (7, 1), (1.5, 1.2), (30, 4), (2000, 3000), (1, 1e4)]
)
def test_beta_numbers_are_distributed_as_they_say(a: float, b: float) -> None:
    """Beside the mean of several draws, which has their mean and a smaller variance."""
    shape = RUNS, SIZE
    drawn = CHANCE.beta(np.full(shape, float(a)), np.full(shape, float(b)))
    mean = CHANCE.beta(np.full(shape, float(a)), np.full(shape, float(b)), draws=4)
    sd = stats.beta.std(a, b)

    assert stats.kstest(drawn.ravel(), stats.beta(a, b).cdf).pvalue > 0.01
    assert mean.mean() == pytest.approx(stats.beta.mean(a, b), abs=2 * sd / np.sqrt(RUNS * SIZE))
    assert mean.std() == pytest.approx(sd / 2, rel=0.03)


def test_beta_numbers_need_parameters_of_at_least_1() -> None:
    """Posteriors that begin with nothing known have no others."""
    with pytest.raises(SpancrewError, match="parameters of at least 1 only"):
        CHANCE.beta(np.full((RUNS, 1), 0.5), np.ones((RUNS, 1)))


def test_every_order_is_as_likely_as_any_other() -> None:
    """By the chi-squared test, for orders of four."""
    orders = Chance.of(3, range(24_000)).shuffled(4)
    _, count = np.unique(orders, axis=0, return_counts=True)

    assert len(count) == 24
    assert stats.chisquare(count).pvalue > 0.01
    assert (np.sort(CHANCE.shuffled(9), axis=1) == np.arange(9)).all()


@given(st.floats(2.0**-53, 1 - 2.0**-53))
def test_normal_quantiles_are_those_of_scipy(share: float) -> None:
    """To the last digits."""
    assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), rel=1e-13, abs=1e-15)


def test_the_quantiles_of_nothing_and_of_everything_are_finite() -> None:
    """A uniform number may be 0."""
    assert -9 < normal_quantile(0.0) < -8
    assert 8 < normal_quantile(1.0) < 9
