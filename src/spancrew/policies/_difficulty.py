"""Rewards freed of how hard the sentences were.

The model: the reward of worker j on sentence i is m_j + d_i + noise, with skills m_j spread
normally around a common mean, difficulties d_i and noise around 0. All four variances and means
are learned from the rewards as they come; nothing is given.
"""

import math
from dataclasses import dataclass

import numpy as np

from spancrew.core import FloatArray, IntArray, kernel, kernel_part

WITHIN, WITHIN_DF, BETWEEN, GROUPS, INVERSE, MEAN, SPREAD = range(7)
"""Columns of ``parts``.

Squares within groups and their degrees of freedom; squares of group means, their number and the
sum of 1 / size; mean and variance of the skills.
"""

_START = 1.0 / 12.0
"""The variance of a score of which nothing is known but that it lies between 0 and 1."""

_PRIOR = 2.0
"""How many observations that start is worth."""


@dataclass(slots=True)
class Difficulty:
    """Weighted sums of freed rewards by run and worker, and the variances by run."""

    weight: FloatArray
    total: FloatArray
    parts: FloatArray

    @classmethod
    def start(cls, runs: int, workers: int) -> "Difficulty":
        """Return what is known before the first reward."""
        parts = np.zeros((runs, 7))
        parts[:, MEAN] = 0.5
        parts[:, SPREAD] = _START
        return cls(np.zeros((runs, workers)), np.zeros((runs, workers)), parts)

    def copy(self) -> "Difficulty":
        """Return the same, to be changed without harm."""
        return Difficulty(self.weight.copy(), self.total.copy(), self.parts.copy())

    def joined(self) -> "Difficulty":
        """Return the same with one more worker, of whom nothing is known."""
        nothing = np.zeros((len(self.weight), 1))
        weight, total = (np.hstack([sums, nothing]) for sums in (self.weight, self.total))
        return Difficulty(weight, total, self.parts)

    def learn(self, run: IntArray, crew: IntArray, rewards: FloatArray) -> None:
        """Add the rewards of groups; each row of ``crew`` answered one sentence."""
        learn_groups(run, crew, rewards, self.weight, self.total, self.parts)

    def fade(self, left: FloatArray) -> None:
        """Leave a part, by run, of what is known of the workers; the variances stay."""
        self.weight *= left
        self.total *= left

    def beliefs(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and standard deviation of the posterior of every worker's skill."""
        mean, spread = np.empty_like(self.weight), np.empty_like(self.weight)
        fill_beliefs(self.weight, self.total, self.parts, mean, spread)
        return mean, spread


@kernel
def noise_of(parts: FloatArray) -> float:
    """Return the variance of the noise of a run."""
    return float((parts[WITHIN] + _PRIOR * _START) / (parts[WITHIN_DF] + _PRIOR))


@kernel
def difficulty_of(parts: FloatArray) -> float:
    """Return the variance of the difficulty of a run."""
    means = (parts[BETWEEN] + _PRIOR * _START) / (parts[GROUPS] + _PRIOR)
    share = parts[INVERSE] / parts[GROUPS] if parts[GROUPS] > 0 else 0.0
    return float(max(means - noise_of(parts) * share, 1e-6))


@kernel_part
def skill_belief(
    weight: float, total: float, parts: FloatArray, noise: float
) -> tuple[float, float]:
    """Return mean and variance of the posterior of a skill."""
    precision = 1.0 / parts[SPREAD] + weight / noise
    return (parts[MEAN] / parts[SPREAD] + total / noise) / precision, 1.0 / precision


@kernel
def fill_beliefs(
    weight: FloatArray,
    total: FloatArray,
    parts: FloatArray,
    mean: FloatArray,
    spread: FloatArray,
) -> None:
    """Fill in the posterior of every skill."""
    for run in range(len(weight)):
        noise = noise_of(parts[run])
        for worker in range(weight.shape[1]):
            m, v = skill_belief(weight[run, worker], total[run, worker], parts[run], noise)
            mean[run, worker], spread[run, worker] = m, np.sqrt(v)


@kernel
def learn_groups(
    run: IntArray,
    crew: IntArray,
    rewards: FloatArray,
    weight: FloatArray,
    total: FloatArray,
    parts: FloatArray,
) -> None:
    """Add groups one by one, then let mean and variance of the skills follow."""
    excess = np.empty(crew.shape[1])
    has_learned = np.zeros(len(parts), np.bool_)
    for row in range(len(run)):
        r = run[row]
        has_learned[r] = True
        learn_group(crew[row], rewards[row], weight[r], total[r], parts[r], excess)
    for r in range(len(parts)):
        if has_learned[r]:
            follow(weight[r], total[r], parts[r])


@kernel_part
def learn_group(
    crew: IntArray,
    rewards: FloatArray,
    weight: FloatArray,
    total: FloatArray,
    parts: FloatArray,
    excess: FloatArray,
) -> None:
    """Add one group: each reward less what the others say of the sentence."""
    size = fill_excess(crew, rewards, weight, total, parts, excess)
    if size == 0:
        return
    noise, spread = noise_of(parts), difficulty_of(parts)
    summed = squares = 0.0
    for k in range(len(crew)):
        if not math.isnan(excess[k]):
            summed += excess[k]
            squares += excess[k] ** 2
    trust = spread * (size - 1) / (spread * (size - 1) + noise)
    worth = noise / (noise + spread * (1.0 - trust))
    for k in range(len(crew)):
        if not math.isnan(excess[k]):
            others = (summed - excess[k]) / max(size - 1, 1)
            weight[crew[k]] += worth
            total[crew[k]] += worth * (rewards[k] - trust * others)
    parts[WITHIN] += squares - summed**2 / size
    parts[WITHIN_DF] += size - 1
    parts[BETWEEN] += (summed / size) ** 2
    parts[GROUPS] += 1
    parts[INVERSE] += 1.0 / size


@kernel_part
def fill_excess(
    crew: IntArray,
    rewards: FloatArray,
    weight: FloatArray,
    total: FloatArray,
    parts: FloatArray,
    excess: FloatArray,
) -> int:
    """Fill in by how much each reward exceeds its worker's skill; return how many there are.

    NaN stands where there is no worker or no reward.
    """
    noise = noise_of(parts)
    size = 0
    for k in range(len(crew)):
        excess[k] = np.nan
        if crew[k] >= 0 and not math.isnan(rewards[k]):
            mean, _ = skill_belief(weight[crew[k]], total[crew[k]], parts, noise)
            excess[k] = rewards[k] - mean
            size += 1
    return size


@kernel_part
def follow(weight: FloatArray, total: FloatArray, parts: FloatArray) -> None:
    """Take one step of EM on mean and variance of the skills."""
    noise = noise_of(parts)
    workers = len(weight)
    means = np.empty(workers)
    center = variance = 0.0
    for worker in range(workers):
        means[worker], v = skill_belief(weight[worker], total[worker], parts, noise)
        center += means[worker]
        variance += v
    center /= workers
    for worker in range(workers):
        variance += (means[worker] - center) ** 2
    parts[MEAN] = center
    parts[SPREAD] = max(variance / workers, 1e-6)
