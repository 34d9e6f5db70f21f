"""The quality to be expected, and how far it may be off."""

import numpy as np
import pytest
from scipy.stats import chi2

from spancrew.campaign._quality import count_interval, quality_of
from spancrew.campaign._state import SettledCounts


@pytest.mark.parametrize("count", [0.0, 0.1, 0.5, 1.0, 2.3, 7.0, 40.0, 1000.0])
def test_the_interval_of_a_count_is_garwoods(count: float) -> None:
    """Within a hundredth of the exact bounds; for less than one, the lower one may be 0."""
    low, high = count_interval(count)
    exact = chi2.ppf(0.025, 2 * count) / 2 if count else 0.0

    assert high == pytest.approx(chi2.ppf(0.975, 2 * count + 2) / 2, rel=0.01)
    assert low == pytest.approx(exact, abs=0.02, rel=0.01)
    assert low <= exact + 0.01
    assert low <= count < high


def test_nothing_settled_has_no_quality() -> None:
    """What is known from the beginning says nothing of what the crowd does."""
    assert quality_of(SettledCounts(gold=5)) == (None, None, None)


def test_no_expected_error_is_no_proof() -> None:
    """The interval is not of no width, and gets narrower with what is seen."""
    few = quality_of(SettledCounts(crowd=5, errors=0.0, size=20.0))
    many = quality_of(SettledCounts(crowd=500, errors=0.0, size=2000.0))

    assert few.expected == few.high == many.high == 1.0
    assert few.low is not None
    assert many.low is not None
    assert 0.8 < few.low < 0.85
    assert few.low < many.low < 1.0


def test_experts_are_right() -> None:
    """Where the crowd has settled nothing, there is nothing to be unsure of."""
    assert quality_of(SettledCounts(expert=3, size=8.0)) == (1.0, 1.0, 1.0)


def test_quality_stays_between_no_and_all() -> None:
    """More errors than spans are possible for a while; an F1 below 0 is not."""
    found = quality_of(SettledCounts(crowd=2, errors=9.0, size=4.0))

    assert found == (0.0, 0.0, 0.0)


def test_the_interval_holds_what_really_happens() -> None:
    """If the doubts are right, at least 95 of 100 campaigns end within."""
    rng = np.random.default_rng(3)
    chances = rng.beta(0.5, 4.0, size=400)
    errors = (rng.random((2000, 400)) < chances).sum(axis=1)
    found = quality_of(SettledCounts(crowd=200, errors=float(chances.sum()), size=800.0))
    assert found.low is not None
    assert found.high is not None
    real = 1 - errors / 800.0

    assert np.mean((real >= found.low) & (real <= found.high)) >= 0.95
