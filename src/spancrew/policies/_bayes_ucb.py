"""Optimism by a quantile of what is believed."""

import math
from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray, kernel, normal_quantile
from spancrew.policies._base import Policy
from spancrew.policies._beta_upper import beta_upper
from spancrew.policies._standings import Standings
from spancrew.policies._thompson import beta_posterior
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class BayesUcb(Policy):
    """Choose the highest quantiles 1 - 1 / t of the Beta posteriors of the means.

    Kaufmann, Cappé and Garivier 2012 (AISTATS, PMLR 22). Draws nothing and has nothing to set.
    """

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest quantiles."""
        a, b = beta_posterior(standings)
        index = np.empty_like(a)
        _fill(a, b, np.maximum(standings.time, 2), index)
        return top(index, standings, size, chance)


@kernel
def _fill(a: FloatArray, b: FloatArray, time: IntArray, index: FloatArray) -> None:
    for run in range(len(a)):
        log_tail = -math.log(time[run])
        z = -normal_quantile(1.0 / time[run])
        for worker in range(a.shape[1]):
            index[run, worker] = beta_upper(a[run, worker], b[run, worker], log_tail, z)
