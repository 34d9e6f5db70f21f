"""Anybody: usual crowdsourcing, without worker selection."""

from dataclasses import dataclass

from spancrew.core import Chance, IntArray
from spancrew.policies._base import Policy
from spancrew.policies._standings import Standings
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class Random(Policy):
    """Choose the crew by chance."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return available workers in random order."""
        return top(chance.uniform(standings.count.shape[1]), standings, size, chance)
