"""Optimism in the face of uncertainty: the paper's criterion."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._base import Policy
from spancrew.policies._standings import Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class Cucb(Policy):
    """Choose the highest mean + scale * sqrt(3 ln t / 2 T) (Chen et al. 2013).

    The paper prints no scale (1); its runs use 0.2 on CoNLL and 0.4 on OEI.
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a negative scale."""
        if not 0 <= self.scale < np.inf:
            raise SpancrewError(f"scale {self.scale:g}: the bonus of CUCB cannot be negative")

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest upper bounds, first those who were never asked."""
        log_t = np.log(np.maximum(standings.time, 2))[:, None]
        pulls = standings.pulls
        bonus = self.scale * np.sqrt(1.5 * log_t / np.maximum(pulls, 1e-12))
        return top(np.where(pulls > 0, standings.mean + bonus, np.inf), standings, size, chance)
