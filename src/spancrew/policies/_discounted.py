"""Thompson sampling that forgets, for workers who tire, learn or change."""

from dataclasses import dataclass

from spancrew.core import Chance, IntArray
from spancrew.policies._base import Learning, Policy, checked_memory
from spancrew.policies._standings import Standings
from spancrew.policies._thompson import beta_draws
from spancrew.policies._top import top


@dataclass(frozen=True, slots=True)
class Discounted(Policy):
    """Choose the highest Beta draws; every step leaves ``memory`` of what was learned.

    Discounted Thompson sampling (Qi et al. 2023, arXiv:2305.10718). A memory of 0.99 looks back
    about 100 steps.
    """

    memory: float = 0.99

    def __post_init__(self) -> None:
        """Refuse a memory that keeps nothing or grows."""
        checked_memory(self.memory)

    @property
    def learning(self) -> Learning:
        """Return that old rewards fade."""
        return Learning(memory=self.memory)

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew with the highest draws."""
        return top(beta_draws(standings, chance, 1), standings, size, chance)
