"""Thompson sampling on rewards freed of how hard the sentences were."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._base import Learning
from spancrew.policies._standings import Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class DifficultyThompson:
    """Choose the highest draws from normal posteriors of the skills.

    Workers on the same sentence share its difficulty, which varies more than skill does; what the
    others got there tells how much of a reward is the sentence's. Nothing has to be set.
    """

    @property
    def learning(self) -> Learning:
        """Return that difficulty is to be taken out of the rewards."""
        return Learning(difficulty=True)

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest draws."""
        if standings.difficulty is None:
            raise SpancrewError("these standings keep no difficulty; start them with it")
        mean, spread = standings.difficulty.beliefs()
        # A pending answer narrows the belief as if it had met the mean.
        narrowed = spread * np.sqrt(standings.count + 1) / np.sqrt(standings.pulls + 1)
        drawn = mean + narrowed * chance.normal(mean.shape[1])
        return top(drawn, standings, size, chance)
