"""What a policy is: a rule that chooses a crew from the standings."""

from abc import abstractmethod
from typing import NamedTuple, Protocol

import numpy as np

from spancrew.core import Chance, IntArray, checked_numbers
from spancrew.errors import InvalidArrayError, SpancrewError
from spancrew.policies._standings import NOBODY, Standings


class Learning(NamedTuple):
    """What a policy wants to be kept of the past.

    ``memory`` is what is left of old rewards after every step; ``difficulty`` asks for rewards
    freed of how hard the sentences were.
    """

    memory: float = 1.0
    difficulty: bool = False


class Policy(Protocol):
    """A stateless rule: everything that was learned is in the standings.

    Inherit it: ``select`` has to be written, all else has a default. A class that does not inherit
    it must have every member itself.
    """

    __slots__ = ()

    @abstractmethod
    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the crew of every run (runs x size), best first; -1 where nobody is left."""

    @property
    def learning(self) -> Learning:
        """Return what the policy wants to be kept of the past; by default, nothing special."""
        return Learning()

    @property
    def needs_truth(self) -> bool:
        """Tell whether the policy must know the true scores, as in a rehearsal only."""
        return False


def chosen_by(policy: Policy, standings: Standings, size: int, chance: Chance) -> IntArray:
    """Return the crews that a policy selects; refuse what no crews are."""
    crew = policy.select(standings, size, chance)
    runs, workers = standings.count.shape
    where = f"crew of {type(policy).__name__}"
    if np.shape(crew) != (runs, size):
        raise InvalidArrayError(
            f"{where}: the shape is {np.shape(crew)}, but {runs} x {size} is needed"
        )
    checked_numbers(where, crew.ravel(), least=NOBODY, below=workers)
    return crew


def checked_memory(memory: float) -> float:
    """Return a memory that keeps something and does not grow; refuse any other."""
    if not 0 < memory <= 1:
        raise SpancrewError(f"memory {memory:g}: it must be above 0 and at most 1")
    return memory
