"""Random numbers that are a function of their place."""

import numpy as np
import pytest
from scipy import stats

from spancrew.core import (
    next_normal,
    next_poisson,
    next_uniform,
    normal_cdf,
    stream,
    uniform,
)

PINNED = [0.2671267746268803, 0.5632108044800689, 0.5893811183172]


def place(seed: int, sentence: int, worker: int) -> np.uint64:
    """Open a stream from Python, where numba hands out a plain int."""
    return np.uint64(stream(seed, sentence, worker))


def many(draw: object, *arguments: float, count: int = 4000) -> np.ndarray:
    """Draw many numbers from one stream."""
    state, drawn = place(7, 3, 5), np.zeros(1, np.int64)
    return np.array([draw(*arguments, state, drawn) for _ in range(count)])  # type: ignore[operator]


def test_a_place_has_its_own_numbers_for_ever() -> None:
    """Pinned, so that a rehearsal of today can be repeated after an update."""
    drawn = [uniform(place(0, 1, 2), k) for k in range(3)]

    assert drawn == pytest.approx(PINNED, abs=1e-15)
    assert len({uniform(place(*at), 0) for at in np.ndindex(6, 6, 6)}) == 216


def test_uniform_numbers_are_uniform() -> None:
    """Kolmogorov and Smirnov find nothing, within a stream and across streams."""
    across = [uniform(place(1, s, w), 0) for s in range(60) for w in range(60)]

    assert stats.kstest(many(next_uniform), "uniform").pvalue > 0.01
    assert stats.kstest(across, "uniform").pvalue > 0.01


def test_normal_numbers_are_normal() -> None:
    """And the distribution function is that of scipy."""
    assert stats.kstest(many(next_normal), "norm").pvalue > 0.01
    for z in (-4.0, -1.0, 0.0, 0.3, 2.5):
        assert normal_cdf(z) == pytest.approx(stats.norm.cdf(z), rel=1e-12)


@pytest.mark.parametrize("mean", [0.0, 0.3, 4.0])
def test_poisson_numbers_have_their_mean_and_variance(mean: float) -> None:
    """Within four standard errors."""
    drawn = many(next_poisson, mean)

    assert drawn.mean() == pytest.approx(mean, abs=4 * (mean / 4000) ** 0.5 + 1e-9)
    assert drawn.var() == pytest.approx(mean, rel=0.15, abs=1e-9)
