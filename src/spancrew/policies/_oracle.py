"""The best crew, by the truth that only a rehearsal knows."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._base import Policy
from spancrew.policies._standings import Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class Oracle(Policy):
    """Choose the workers whose true mean score is highest."""

    needs_truth: ClassVar[bool] = True

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
