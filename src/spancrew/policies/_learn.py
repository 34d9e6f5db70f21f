"""Kernels that add rewards to the standings."""

import math

from spancrew.core import FloatArray, IntArray, kernel


@kernel
def add_rewards(
    run: IntArray,
    crew: IntArray,
    rewards: FloatArray,
    count: FloatArray,
    total: FloatArray,
    squares: FloatArray,
) -> None:
    """Add the rewards of groups, one group a row, to number, sum and sum of squares."""
    for row in range(len(run)):
        for k in range(crew.shape[1]):
            worker, reward = crew[row, k], rewards[row, k]
            if worker >= 0 and not math.isnan(reward):
                count[run[row], worker] += 1.0
                total[run[row], worker] += reward
                squares[run[row], worker] += reward * reward
