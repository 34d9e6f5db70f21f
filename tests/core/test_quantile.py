"""The normal quantile against scipy."""

import numpy as np
import pytest
from scipy import stats

from spancrew.core import normal_cdf, normal_quantile

SHARES = [*np.linspace(0.001, 0.999, 333), *10.0 ** -np.arange(4, 16), 0.5, 0.075, 0.925]


def test_it_is_that_of_scipy() -> None:
    """To fourteen digits, in the middle and far out."""
    found = [normal_quantile(share) for share in SHARES]

    assert found == pytest.approx(stats.norm.ppf(SHARES), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("z", [-5.0, -1.0, 0.0, 0.3, 4.0])
def test_it_undoes_the_distribution_function(z: float) -> None:
    """As far as a share next to 1 can tell."""
    assert normal_quantile(normal_cdf(z)) == pytest.approx(z, abs=1e-11)


def test_the_ends_are_far_but_finite() -> None:
    """A uniform number of exactly 0 gives no infinity."""
    assert normal_quantile(0.0) == -normal_quantile(1.0) < -8
