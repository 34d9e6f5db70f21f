"""How many errors there are for each that is expected."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from spancrew.core import FloatArray
from spancrew.feedback._curve import curve_of, real_errors
from spancrew.feedback._doubts import BINS
from tests.feedback.plain_steering import middle

LOGS = np.log(np.clip([middle(place) for place in range(BINS)], 0.01, 1.0))
EXPECTED = arrays(np.float64, BINS, elements=st.one_of(st.just(0.0), st.floats(0.01, 400)))
RATIOS = arrays(np.float64, BINS, elements=st.sampled_from([0.0, 0.3, 1.0, 5.0, 50.0]))


def misfit(line: FloatArray, shown: FloatArray) -> float:
    """Return minus the log of the posterior of level and slope."""
    odds = line[0] + line[1] * LOGS
    prior = float((line[0] / 0.3) ** 2 / 2 + (line[1] / 0.3) ** 2 / 2)
    return prior + float((shown[0] * np.exp(odds) - shown[1] * odds).sum()) / 2


@settings(max_examples=60)
@given(EXPECTED, RATIOS)
def test_the_curve_is_where_another_optimiser_finds_it(
    expected: FloatArray, ratio: FloatArray
) -> None:
    """Also where errors are found that nobody expected, or none where many were."""
    shown = np.stack([expected, expected * ratio])
    found = curve_of(shown)
    best = minimize(misfit, np.zeros(2), (shown,), "Nelder-Mead", options={"xatol": 1e-9})

    assert misfit(np.array(found[:2]), shown) <= best.fun + 1e-6 * max(abs(best.fun), 1)


def test_nothing_shown_leaves_expectations_as_they_are() -> None:
    """At every doubt."""
    curve = curve_of(np.zeros((2, BINS)))

    assert real_errors(curve, np.arange(BINS, dtype=float)).tolist() == list(range(BINS))


def test_the_more_is_shown_the_more_the_curve_follows() -> None:
    """Errors are twice as many at one expected error, half as many at a tenth."""
    slope = np.log(4) / np.log(10)
    ratio = 2 * np.exp(slope * LOGS)
    off = []
    for much in (0.01, 1.0, 1000.0):
        expected = np.full(BINS, much)
        curve = curve_of(np.stack([expected, expected * ratio]))
        off.append(np.abs(np.log(real_errors(curve, np.ones(BINS)) / ratio)).max())

    assert off[0] > off[1] > off[2]
    assert off[2] < 0.01
