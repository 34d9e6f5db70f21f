"""Thompson sampling on rewards freed of how hard the sentences were."""

import math
from dataclasses import dataclass

import numpy as np

from spancrew.core import BoolArray, Chance, FloatArray, IntArray, kernel
from spancrew.errors import SpancrewError
from spancrew.policies._base import Learning, Policy, checked_memory
from spancrew.policies._standings import Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class DifficultyThompson(Policy):
    """Choose the highest draws from normal posteriors of the skills.

    Workers on the same sentence share its difficulty, which varies more than skill does; what the
    others got there tells how much of a reward is the sentence's. No draw exceeds its mean by
    more than sd * sqrt(2 ln+ r), r being the average precision of all posteriors over its own
    (MOTS, Jin et al. 2021, arXiv:2003.01803). Nothing has to be set; a ``memory`` below 1 makes
    old rewards fade with every step, for workers who change.
    """

    memory: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a memory that keeps nothing or grows."""
        checked_memory(self.memory)

    @property
    def learning(self) -> Learning:
        """Return that difficulty is to be taken out of the rewards."""
        return Learning(memory=self.memory, difficulty=True)

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest draws."""
        if standings.difficulty is None:
            raise SpancrewError("these standings keep no difficulty; start them with it")
        mean, spread = standings.difficulty.beliefs()
        # A pending answer narrows the belief as if it had met the mean.
        spread *= np.sqrt((standings.count + 1.0) / (standings.pulls + 1.0))
        drawn = chance.normal(mean.shape[1])
        _cap_draws(mean, spread, standings.available, drawn)
        return top(drawn, standings, size, chance)


@kernel
def _cap_draws(
    mean: FloatArray, spread: FloatArray, available: BoolArray, drawn: FloatArray
) -> None:
    """Turn standard normal numbers into draws from the posteriors, not too far up."""
    for run in range(len(mean)):
        precision, there = 0.0, 0
        for worker in range(mean.shape[1]):
            if available[run, worker]:
                precision += 1.0 / spread[run, worker] ** 2
                there += 1
        average = precision / max(there, 1)
        for worker in range(mean.shape[1]):
            ratio = average * spread[run, worker] ** 2
            most = math.sqrt(2.0 * math.log(ratio)) if ratio > 1.0 else 0.0
            away = min(drawn[run, worker], most)
            drawn[run, worker] = mean[run, worker] + spread[run, worker] * away
