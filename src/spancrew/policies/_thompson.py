"""A draw from what is believed of every worker."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._base import Policy
from spancrew.policies._standings import Standings
from spancrew.policies._top import top

Belief = Literal["beta", "gaussian"]

_MANY = 30
"""So many draws and more are not drawn one by one."""


@dataclass(frozen=True, slots=True)
class Thompson(Policy):
    """Choose the highest draws from the posteriors of the means.

    ``beta``: Beta(1 + sum of rewards, 1 + sum of what they lack to 1). ``gaussian``: the mean with
    variance 1 / T, the paper's text. ``draws`` is how many are averaged: 1 is Thompson sampling;
    the paper's code takes 100, which all but ends exploration. The average of 30 Beta draws or
    more is drawn at once, from the normal distribution of the same mean and variance: by the
    central limit theorem the difference cannot be seen.
    """

    belief: Belief = "beta"
    draws: int = 1

    def __post_init__(self) -> None:
        """Refuse what is not known."""
        if self.belief not in get_args(Belief):
            raise SpancrewError(f"belief {self.belief!r} is not known (beta or gaussian)")
        if self.draws < 1:
            raise SpancrewError(f"draws {self.draws}: at least 1 is needed")

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest draws."""
        if self.belief == "beta":
            return top(beta_draws(standings, chance, self.draws), standings, size, chance)
        pulls = standings.pulls
        spread = 1.0 / np.sqrt(np.maximum(pulls, 1e-12) * self.draws)
        drawn = standings.mean + spread * chance.normal(pulls.shape[1])
        return top(np.where(pulls > 0, drawn, np.inf), standings, size, chance)


def beta_draws(standings: Standings, chance: Chance, draws: int) -> FloatArray:
    """Return averages of draws from Beta posteriors."""
    a, b = beta_posterior(standings)
    if draws < _MANY:
        return chance.beta(a, b, draws)
    both = a + b
    mean = a / both
    spread = np.sqrt(mean * (1.0 - mean) / ((both + 1.0) * draws))
    return mean + spread * chance.normal(a.shape[1])


def beta_posterior(standings: Standings) -> tuple[FloatArray, FloatArray]:
    """Return both parameters.

    What is pending counts as if it met the mean of what is believed without it. Meeting the mean
    of the rewards instead, it would make a good worker look better before anything is known.
    """
    a = 1.0 + standings.total
    b = 1.0 + np.maximum(standings.count - standings.total, 0.0)
    more = 1.0 + standings.pending / (a + b)
    return a * more, b * more
