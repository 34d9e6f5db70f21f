"""The best crew, by the truth that only a rehearsal knows."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._base import Learning
from spancrew.policies._standings import Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class Oracle:
    """Choose the workers whose true mean score is highest."""

    @property
    def learning(self) -> Learning:
        """Return that nothing special is kept."""
        return Learning()

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the truly best of the available workers."""
        if standings.truth is None:
            raise SpancrewError(
                "the policy 'oracle' needs the true scores of the workers, which only a "
                "rehearsal knows; choose another policy for a live campaign"
            )
        truth = np.empty_like(standings.count)
        truth[:] = standings.truth
        return top(truth, standings, size, chance)
