"""Policies that break a promise do not pass the contract."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies import NOBODY, Cucb, Policy, Standings, top
from spancrew.testing import PolicyContract


@dataclass(frozen=True)
class Impatient(Policy):
    """CUCB that does not count answers which are on their way."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Look at scored answers only."""
        log_t = np.log(np.maximum(standings.time, 2))[:, None]
        bonus = np.sqrt(1.5 * log_t / np.maximum(standings.count, 1e-12))
        index = np.where(standings.count > 0, standings.mean + bonus, np.inf)
        return top(index, standings, size, chance)


@dataclass(frozen=True)
class Unpicklable(Cucb):
    """Keeps something that no other process can be sent."""

    helper: Any = field(default_factory=lambda: lambda: None)


@dataclass(frozen=True)
class Nameless(Cucb):
    """Has an option that no name can say."""

    weights: tuple[float, ...] = (0.5, 0.5)


class Forgetful(Cucb):
    """Is not equal to a copy of itself."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        """Tell whether it is this very one."""
        return self is other


@dataclass(frozen=True)
class Incomplete:
    """Has ``select`` alone, and inherits nothing."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Select as CUCB does."""
        return Cucb().select(standings, size, chance)


@dataclass(frozen=True)
class Amnesiac(Policy):
    """Wants nothing to be kept."""

    @property
    def learning(self) -> Any:
        """Return a memory of nothing."""
        return Cucb().learning._replace(memory=0.0)

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Select as CUCB does."""
        return Cucb().select(standings, size, chance)


@dataclass(frozen=True)
class Meddling(Policy):
    """Changes the standings."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Count whom it chooses as asked."""
        crew = Cucb().select(standings, size, chance)
        standings.pending += 1
        return crew


@dataclass(frozen=True)
class Moody(Policy):
    """Draws from a generator of its own."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Select by chance that no seed decides."""
        return top(np.random.default_rng().random(standings.count.shape), standings, size, chance)


@dataclass(frozen=True)
class Inviting(Policy):
    """Chooses whoever it likes, there or not."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the first workers."""
        del chance
        crew = np.full((len(standings.time), size), NOBODY)
        crew[:, : standings.count.shape[1]] = np.arange(min(size, standings.count.shape[1]))
        return crew


@dataclass(frozen=True)
class Conformist(Policy):
    """Looks at what happens in other runs."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Select by the mean over all runs."""
        mean = standings.mean.mean(axis=0, keepdims=True)
        return top(np.broadcast_to(mean, standings.count.shape).copy(), standings, size, chance)


@dataclass(frozen=True)
class Hasty(Policy):
    """Prefers those of whom answers are on their way."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Select by what is pending."""
        return top(standings.mean + standings.pending, standings, size, chance)


@dataclass(frozen=True)
class Contrary(Policy):
    """Chooses the worst."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Select by the lowest mean."""
        return top(-standings.mean, standings, size, chance)


COPY = "test_it_is_the_same_again_from_a_copy_and_from_its_name"
BAD: list[tuple[Callable[[], Any], str]] = [
    (Impatient, "test_pending_answers_count"),
    (Hasty, "test_a_worker_with_pending_answers_is_not_preferred"),
    (Unpicklable, COPY),
    (Nameless, COPY),
    (Forgetful, COPY),
    (Incomplete, COPY),
    (Amnesiac, COPY),
    (Meddling, "test_choosing_changes_nothing_that_is_known"),
    (Moody, "test_the_same_seed_gives_the_same_crews"),
    (Inviting, "test_only_who_is_there_is_chosen"),
    (Conformist, "test_a_run_does_not_depend_on_those_beside_it"),
    (Contrary, "test_it_beats_chance"),
]


@pytest.mark.parametrize(("policy", "promise"), BAD)
def test_a_broken_promise_is_found(policy: Callable[[], Any], promise: str) -> None:
    """By the test that is meant for it."""
    contract = PolicyContract()
    contract.policy = policy()

    with pytest.raises((AssertionError, SpancrewError, AttributeError, TypeError)):
        getattr(contract, promise)()


def test_who_minds_no_pending_answers_may_say_so() -> None:
    """As a policy by chance does."""
    contract = PolicyContract()
    contract.policy, contract.minds_pending = Impatient(), False

    contract.test_pending_answers_count()
