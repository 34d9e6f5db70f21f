"""Scores of models on test sentences, and differences that chance does not explain."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spancrew.core import FloatArray
from spancrew.metrics import Metric
from spancrew.simulate import mean_sd

EXACT = Metric("exact")
DRAWS = 1_000
"""How often test sentences are drawn anew."""

_LEVEL = (2.5, 97.5)


class Difference(NamedTuple):
    """By how much one arm is better than another, in F1 from 0 to 1.

    ``by_seed`` is seed by seed. ``low`` to ``high`` is where the mean lies in 95 % of draws of the
    test sentences, the same for both arms. ``equal`` says what the two have in common.
    """

    better: str
    worse: str
    equal: str
    by_seed: tuple[float, ...]
    low: float
    high: float

    @property
    def mean(self) -> float:
        """Return the mean over seeds."""
        return float(np.mean(self.by_seed))

    @property
    def sd(self) -> float:
        """Return the standard deviation over seeds; 0 for a single one."""
        return mean_sd(np.array(self.by_seed)).sd

    @property
    def wins(self) -> int:
        """Return in how many seeds the first arm is better."""
        return sum(each > 0 for each in self.by_seed)

    @property
    def is_clear(self) -> bool:
        """Tell whether the sign is the same in all seeds and in the whole interval."""
        seeds = {each > 0 for each in self.by_seed}
        return len(seeds) == 1 and (self.low > 0 or self.high < 0)

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            **self._asdict(),
            "by_seed": list(self.by_seed),
            "mean": self.mean,
            "sd": self.sd,
            "wins": self.wins,
            "is_clear": self.is_clear,
        }


def scores_of(tallies: Sequence[FloatArray]) -> FloatArray:
    """Return precision, recall and F1 of every seed from the counts of its sentences."""
    return EXACT.of_tallies(np.stack([each.sum(axis=0)[None] for each in tallies]))


def difference(
    names: tuple[str, str, str], one: Sequence[FloatArray], other: Sequence[FloatArray]
) -> Difference:
    """Compare two arms on the same test sentences, seed by seed.

    ``names`` are the arm that should be better, the other, and what they have in common.
    """
    by_seed = scores_of(one)[:, 2] - scores_of(other)[:, 2]
    size = len(one[0])
    rng = np.random.default_rng(size)
    weights = rng.multinomial(size, np.full(size, 1 / size), DRAWS).astype(np.float64)
    drawn = _drawn_f1(weights, one) - _drawn_f1(weights, other)
    low, high = np.percentile(drawn, _LEVEL)
    return Difference(*names, tuple(by_seed.tolist()), float(low), float(high))


def _drawn_f1(weights: FloatArray, tallies: Sequence[FloatArray]) -> FloatArray:
    """Return the mean F1 over seeds for every draw of sentences."""
    by_seed = [EXACT.of_tallies((weights @ each)[:, None])[:, 2] for each in tallies]
    mean: FloatArray = np.mean(by_seed, axis=0)
    return mean
