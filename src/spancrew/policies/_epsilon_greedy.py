"""The best crew so far, and now and then anybody."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._base import Policy
from spancrew.policies._standings import Standings
from spancrew.policies._top import top

_WHETHER, _WHOM = 2, 3


@dataclass(frozen=True, slots=True)
class EpsilonGreedy(Policy):
    """Choose the highest means; with probability ``epsilon`` a whole crew by chance.

    The paper gives no value; its code has 0.025.
    """

    epsilon: float = 0.025

    def __post_init__(self) -> None:
        """Refuse what is not a probability."""
        if not 0 <= self.epsilon <= 1:
            raise SpancrewError(f"epsilon {self.epsilon:g}: a probability is from 0 to 1")

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest means, or a random one."""
        explores = chance.uniform(1, _WHETHER) < self.epsilon
        index = np.where(standings.pulls > 0, standings.mean, np.inf)
        if explores.any():
            index = np.where(explores, chance.uniform(index.shape[1], _WHOM), index)
        return top(index, standings, size, chance)
