"""What a policy is: a rule that chooses a crew from the standings."""

from typing import NamedTuple, Protocol

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._standings import Standings


class Learning(NamedTuple):
    """What a policy wants to be kept of the past.

    ``memory`` is what is left of old rewards after every step; ``difficulty`` asks for rewards
    freed of how hard the sentences were.
    """

    memory: float = 1.0
    difficulty: bool = False


class Policy(Protocol):
    """A stateless rule: everything that was learned is in the standings."""

    @property
    def learning(self) -> Learning:
        """Return what the policy wants to be kept of the past."""
        ...

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew of every run (runs x size), best first; -1 where nobody is left."""
        ...


def checked_memory(memory: float) -> float:
    """Return a memory that keeps something and does not grow; refuse any other."""
    if not 0 < memory <= 1:
        raise SpancrewError(f"memory {memory:g}: it must be above 0 and at most 1")
    return memory
