"""Optimism in the face of uncertainty: the paper's criterion."""

import math
from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray, kernel
from spancrew.errors import SpancrewError
from spancrew.policies._base import Policy
from spancrew.policies._standings import NO_ANSWER, Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class Cucb(Policy):
    """Choose the highest mean + scale * sqrt(3 ln t / 2 T) (Chen et al. 2013).

    The paper prints no scale (1); its runs use 0.2 on CoNLL and 0.4 on OEI.
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a negative scale."""
        if not 0 <= self.scale < np.inf:
            raise SpancrewError(f"scale {self.scale:g}: the bonus of CUCB cannot be negative")

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest upper bounds, first those who were never asked."""
        log_t = np.log(np.maximum(standings.time, 2))
        bounds = np.empty(standings.count.shape)
        sums = standings.count, standings.total, standings.pending
        _fill_bounds(1.5 * log_t, float(self.scale), *sums, bounds)
        return top(bounds, standings, size, chance)


@kernel
def _fill_bounds(
    log_t: FloatArray,
    scale: float,
    count: FloatArray,
    total: FloatArray,
    pending: IntArray,
    out: FloatArray,
) -> None:
    """Write mean and bonus of every worker; who was never asked comes first."""
    for run in range(len(count)):
        for worker in range(count.shape[1]):
            pulls = count[run, worker] + pending[run, worker]
            mean = total[run, worker] / max(count[run, worker], NO_ANSWER)
            bonus = scale * math.sqrt(log_t[run] / max(pulls, NO_ANSWER))
            out[run, worker] = mean + bonus if pulls > 0 else math.inf
