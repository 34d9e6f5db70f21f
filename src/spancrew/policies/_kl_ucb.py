"""Optimism by the divergence that fits rewards between 0 and 1."""

import math
from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray, kernel
from spancrew.errors import SpancrewError
from spancrew.policies._base import Policy
from spancrew.policies._standings import Standings
from spancrew.policies._top import top

_NOTHING = 1e-12
"""So little is taken as 0, where the first guess would be lost in rounding."""


@dataclass(frozen=True, slots=True)
class KlUcb(Policy):
    """Choose the highest q with T kl(mean, q) <= ln t + c ln ln t.

    kl is the divergence between two chances (Garivier and Cappé 2011, arXiv:1102.2490). Their
    proof wants c = 3; they advise 0.
    """

    c: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a negative c."""
        if not 0 <= self.c < np.inf:
            raise SpancrewError(f"c {self.c:g}: it must be 0 or more; 0 is the usual choice")

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest upper bounds, first those who were never asked."""
        log_t = np.log(np.maximum(standings.time, 2))
        allowed = np.maximum(log_t + self.c * np.log(log_t), 0.0)
        index = np.empty_like(standings.total)
        _fill(standings.mean, standings.pulls, allowed, index)
        return top(index, standings, size, chance)


@kernel
def _fill(mean: FloatArray, pulls: FloatArray, allowed: FloatArray, index: FloatArray) -> None:
    for run in range(len(mean)):
        for worker in range(mean.shape[1]):
            asked = pulls[run, worker]
            index[run, worker] = (
                kl_upper(mean[run, worker], allowed[run] / asked) if asked > 0.0 else np.inf
            )


@kernel
def kl_upper(mean: float, allowed: float) -> float:
    """Return the highest q with kl(mean, q) <= allowed, within 1e-4 (1e-6 for means over 0.05).

    Halley's method on the gap to 1, from the normal approximation or from a lower bound.
    """
    rest = 1.0 - mean
    if rest <= 0.0 or allowed <= _NOTHING:
        return mean
    if mean <= _NOTHING:
        return -math.expm1(-allowed)
    held = mean * math.log(mean)
    bound = rest * math.exp((held - allowed) / rest)
    if bound < 1e-15:
        return 1.0
    gap = max(bound, rest - math.sqrt(2.0 * mean * rest * allowed))
    held += rest * math.log(rest) - allowed
    # Two steps suffice; asking whether one did would cost more than the second step.
    for _ in range(2):
        excess = held - mean * math.log(1.0 - gap) - rest * math.log(gap)
        slope = rest - gap
        bend = excess * (mean * gap**2 + rest * (1.0 - gap) ** 2)
        step = 2.0 * excess * gap * (1.0 - gap) * slope
        gap += step / max(2.0 * slope**2 - bend, slope**2)
        gap = min(max(gap, bound), rest)
    return 1.0 - gap
