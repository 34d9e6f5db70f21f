"""How many errors there are for each that is expected, by what experts have shown."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray, kernel, kernel_part
from spancrew.feedback._doubts import BINS, LEAST_DOUBT, doubt_at

_PAIRS = 2.0
"""Errors come in pairs: a span with a wrong border or label is wrong, and another is missing."""

_LEVEL, _SLOPE = 0.3**-2, 0.3**-2
"""The information on level and slope before anything is shown: they are near 0."""

_STEPS, _ENOUGH = 50, 1e-9
"""Newton steps at most, and the length of a step that changes nothing."""


class Curve(NamedTuple):
    """A straight line for the logarithm of real by expected errors, and how sure it is.

    ``level`` is that of one expected error and more, ``slope`` by the logarithm of fewer, but not
    below the least doubt;
    the rest is the information on them: of the level, of both, of the slope.
    """

    level: float
    slope: float
    of_level: float
    of_both: float
    of_slope: float


@kernel
def curve_of(shown: FloatArray) -> Curve:
    """Return the curve that expected and found errors by bin make most probable.

    Errors are counts with twice the variance of Poisson's; a prior keeps the curve near 1. Steps
    that lead upwards are halved, so that it always ends at the optimum, which is the only one.
    """
    here = _at(shown, 0.0, 0.0)
    for _ in range(_STEPS):
        up, across = _gradient(shown, here)
        off = here.of_level * here.of_slope - here.of_both**2
        step = (here.of_slope * up - here.of_both * across) / off
        turn = (here.of_level * across - here.of_both * up) / off
        now = _misfit(shown, here.level, here.slope)
        while _misfit(shown, here.level - step, here.slope - turn) > now + _ENOUGH:
            step, turn = step / 2, turn / 2
        here = _at(shown, here.level - step, here.slope - turn)
        if abs(step) + abs(turn) < _ENOUGH:
            break
    return here


@kernel
def real_errors(curve: Curve, expected: FloatArray) -> FloatArray:
    """Return how many errors there are where so many are expected, bin by bin."""
    real = np.zeros(BINS)
    for place in range(BINS):
        real[place] = expected[place] * math.exp(curve.level + curve.slope * _log_doubt(place))
    return real


@kernel_part
def _log_doubt(place: int) -> float:
    return math.log(min(max(doubt_at(place), LEAST_DOUBT), 1.0))


@kernel_part
def _at(shown: FloatArray, level: float, slope: float) -> Curve:
    """Return a curve with the information that there is at its place."""
    of_level, of_both, of_slope = _LEVEL, 0.0, _SLOPE
    for place in range(BINS):
        x = _log_doubt(place)
        mean = shown[0, place] * math.exp(level + slope * x) / _PAIRS
        of_level += mean
        of_both += mean * x
        of_slope += mean * x * x
    return Curve(level, slope, of_level, of_both, of_slope)


@kernel_part
def _gradient(shown: FloatArray, here: Curve) -> tuple[float, float]:
    up, across = here.level * _LEVEL, here.slope * _SLOPE
    for place in range(BINS):
        x = _log_doubt(place)
        mean = shown[0, place] * math.exp(here.level + here.slope * x)
        up += (mean - shown[1, place]) / _PAIRS
        across += x * (mean - shown[1, place]) / _PAIRS
    return up, across


@kernel_part
def _misfit(shown: FloatArray, level: float, slope: float) -> float:
    """Return what the curve makes least: minus the log of the posterior."""
    total = (_LEVEL * level**2 + _SLOPE * slope**2) / 2
    for place in range(BINS):
        odds = level + slope * _log_doubt(place)
        total += (shown[0, place] * math.exp(odds) - shown[1, place] * odds) / _PAIRS
    return total
