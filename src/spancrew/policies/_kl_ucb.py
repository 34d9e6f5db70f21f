"""Optimism by the divergence that fits rewards between 0 and 1."""

import math
from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray, kernel
from spancrew.errors import SpancrewError
from spancrew.policies._base import Learning
from spancrew.policies._standings import Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class KlUcb:
    """Choose the highest q with T kl(mean, q) <= ln t + c ln ln t.

    kl is the divergence between two chances (Garivier and Cappé 2011, arXiv:1102.2490). Their
    proof wants c = 3; they advise 0.
    """

    c: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a negative c."""
        if not 0 <= self.c < np.inf:
            raise SpancrewError(f"c {self.c:g}: it must be 0 or more; 0 is the usual choice")

    @property
    def learning(self) -> Learning:
        """Return that nothing special is kept."""
        return Learning()

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest upper bounds; whoever was never asked comes first."""
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
    """Return the highest q with kl(mean, q) <= allowed, by Newton's method."""
    rest = 1.0 - mean
    if rest <= 0.0:
        return mean
    if mean <= 0.0:
        return -math.expm1(-allowed)
    held = mean * math.log(mean)
    # Two bounds of 1 - q from below; a convex function is descended from there without a check.
    gap = max(rest * math.exp((held - allowed) / rest), rest - math.sqrt(0.5 * allowed))
    if gap < 1e-15 or allowed <= 0.0:
        return 1.0 - gap
    held += rest * math.log(rest) - allowed
    for _ in range(30):
        excess = held - mean * math.log1p(-gap) - rest * math.log(gap)
        step = excess * gap * (1.0 - gap) / (rest - gap)
        gap += step
        if step <= 1e-7 * gap:
            break
    return 1.0 - gap
