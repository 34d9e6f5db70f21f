"""The paper's Appendix B: how often the majority is right, and the lower bound on it."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from spancrew.core import FloatArray, IntArray, kernel, stream, uniform
from spancrew.errors import SpancrewError
from spancrew.experiments._findings import Measured

CHANCES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
SIZES = tuple(range(1, 41))

Worth = Literal["invalid", "vacuous", "useful"]


class Majority(NamedTuple):
    """The chance that the majority is right; only at even N do the three differ.

    ``exact`` counts a tie as right, as the paper's P(X >= N/2) does; ``strict`` counts it as
    wrong; ``fair`` tosses a coin.
    """

    exact: float
    strict: float
    fair: float


class BoundPoint(NamedTuple):
    """One crowd of independent workers: how often its majority is right, and what is promised.

    ``chance`` is the mean over workers. ``simulated`` counts ties as ``exact`` does.
    ``hoeffding`` is the bound with the factor 2 that the paper leaves out.
    """

    workers: int
    chance: float
    exact: float
    strict: float
    fair: float
    simulated: float
    simulated_error: float
    bound: float
    hoeffding: float

    @property
    def worth(self) -> Worth:
        """Say what the paper's bound is worth: below 1/2 a coin promises more.

        It is invalid where the mean chance is below 1/2, since the derivation needs delta >= 0.
        """
        if self.chance < 0.5 - 1e-9:
            return "invalid"
        return "vacuous" if self.bound < 0.5 else "useful"


def majority_right(chances: Sequence[float] | FloatArray) -> Majority:
    """Return how often the majority of independent workers with these chances is right.

    >>> [round(chance, 3) for chance in majority_right([0.9, 0.9, 0.6, 0.3])]
    [0.941, 0.616, 0.778]
    """
    known = _checked(chances)
    # The distribution of X, the number of workers who are right, one worker after another.
    distribution = np.zeros(len(known) + 1)
    distribution[0] = 1.0
    for chance in known:
        moved = chance * distribution[:-1]
        distribution *= 1.0 - chance
        distribution[1:] += moved
    # A sum of many small numbers may miss 1 by a rounding error.
    exact = min(1.0, float(distribution[(len(known) + 1) // 2 :].sum()))
    strict = min(1.0, float(distribution[len(known) // 2 + 1 :].sum()))
    return Majority(exact, strict, (exact + strict) / 2)


def majority_bound(chances: Sequence[float] | FloatArray, factor: float = 1.0) -> float:
    """Return 1 - exp(-factor N (p - 1/2)^2) with p the mean chance, as the paper has it.

    A factor of 2 gives Hoeffding's bound (doi:10.1080/01621459.1963.10500830). Below p = 1/2
    neither holds: the formula is symmetric about 1/2, the truth is not.

    >>> round(majority_bound([0.7] * 4), 4), round(majority_bound([0.7] * 4, factor=2), 4)
    (0.1479, 0.2739)
    """
    known = _checked(chances)
    return -math.expm1(-factor * len(known) * (float(known.mean()) - 0.5) ** 2)


def workers_needed(chance: float, promised: float = 0.5, factor: float = 1.0) -> int | None:
    """Return from how many workers on the bound promises that much; ``None`` means never.

    >>> workers_needed(0.7), workers_needed(0.7, 0.95), workers_needed(0.5)
    (18, 75, None)
    """
    _checked([chance])
    if not 0 < promised < 1:
        raise SpancrewError(f"a promise of {promised} cannot be met; give one between 0 and 1")
    if chance <= 0.5:
        return None
    return max(1, math.ceil(-math.log1p(-promised) / (factor * (chance - 0.5) ** 2)))


def bound_point(
    chances: Sequence[float] | FloatArray, seed: int = 0, draws: int = 10_000
) -> BoundPoint:
    """Compare the exact chance, a simulation of it and the bounds for one crowd.

    The error is the standard error of ``draws`` at the exact chance; one estimated from the
    draws themselves is 0 where all of them came out right.
    """
    if draws < 1:
        raise SpancrewError(f"{draws} draws simulate nothing; ask for at least one")
    known = _checked(chances)
    hits = int(np.count_nonzero(2 * _times_right(known, seed, draws) >= len(known)))
    right = majority_right(known)
    return BoundPoint(
        len(known),
        float(known.mean()),
        *right,
        hits / draws,
        math.sqrt(right.exact * (1 - right.exact) / draws),
        majority_bound(known),
        majority_bound(known, factor=2),
    )


def bound_points(
    seed: int = 0,
    draws: int = 10_000,
    chances: Sequence[float] = CHANCES,
    sizes: Sequence[int] = SIZES,
) -> list[BoundPoint]:
    """Compare for every number of equal workers and every chance, by chance."""
    return [bound_point([chance] * size, seed, draws) for chance in chances for size in sizes]


def bound_rows(points: Sequence[BoundPoint]) -> list[Measured]:
    """Return two rows for each point: the exact chance and the simulated one beside the bound.

    ``sd`` is the error of the simulation, 0 for what is exact. Where the bound does not hold
    there is nothing of the paper's to compare with, hence ``None``.
    """
    return [
        Measured(
            f"N={point.workers} p={point.chance:.3g}",
            column,
            None if point.worth == "invalid" else point.bound,
            ours,
            sd,
            "bound",
        )
        for point in points
        for column, ours, sd in (
            ("P(majority right)", point.exact, 0.0),
            ("P(majority right), simulated", point.simulated, point.simulated_error),
        )
    ]


@kernel
def _times_right(chances: FloatArray, seed: int, draws: int) -> IntArray:
    """Return for each draw how many workers are right; every crowd has numbers of its own."""
    right = np.zeros(draws, np.int64)
    # With numbers in common, one unlucky draw would push all points of a chart the same way.
    crowd = 1_000_001 * len(chances) + round(1_000_000 * chances.mean())
    for worker in range(len(chances)):
        state = stream(seed, crowd, worker)
        for k in range(draws):
            if uniform(state, k) < chances[worker]:
                right[k] += 1
    return right


def _checked(chances: Sequence[float] | FloatArray) -> FloatArray:
    known = np.asarray(chances, np.float64)
    if known.ndim != 1 or not len(known):
        raise SpancrewError(
            f"chances of shape {known.shape} are no crowd; give one chance for each worker"
        )
    outside = np.flatnonzero(~((known >= 0) & (known <= 1)))
    if len(outside):
        worker = outside[0]
        raise SpancrewError(
            f"chance {known[worker]} of worker {worker + 1} is none; give one within 0 and 1"
        )
    return known
