"""What is wanted of a campaign, and by whom it is done."""

import math
from dataclasses import dataclass

from spancrew.errors import PlanError

WORKER_HOURS, EXPERT_HOURS = 2.0, 4.0
"""Hours a day that people are assumed to work."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How many sentences, how good, for how much, until when; None: it does not matter.

    ``quality`` is the exact F1 of the final labels, ``days`` the deadline.
    """

    sentences: int
    quality: float | None = 0.95
    budget: float | None = None
    days: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be aimed at."""
        if self.sentences < 1:
            raise PlanError(f"{self.sentences} sentences: a campaign needs at least one")
        if self.quality is not None and not 0 < self.quality <= 1:
            hint = f"; {self.quality / 100:g} is meant?" if 1 < self.quality <= 100 else ""
            raise PlanError(f"quality {self.quality:g}: it is an F1 above 0 and up to 1{hint}")
        _refuse_unless_positive(budget=self.budget, days=self.days)


@dataclass(frozen=True, slots=True)
class People:
    """Who works on it: how many, how long a day, and how long they need for a sentence."""

    workers: int
    experts: int = 1
    worker_hours: float = WORKER_HOURS
    expert_hours: float = EXPERT_HOURS
    worker_seconds: float = 20.0
    expert_seconds: float = 40.0

    def __post_init__(self) -> None:
        """Refuse people who do nothing."""
        if self.workers < 1:
            raise PlanError(f"{self.workers} workers: a crowd needs at least one")
        if self.experts < 0:
            raise PlanError(f"{self.experts} experts: take 0 for a campaign without any")
        for name in ("worker_hours", "expert_hours"):
            if not 0 < getattr(self, name) <= 24:
                raise PlanError(f"{name} {getattr(self, name):g}: a day has up to 24 hours")
        _refuse_unless_positive(
            worker_seconds=self.worker_seconds, expert_seconds=self.expert_seconds
        )


def _refuse_unless_positive(**numbers: float | None) -> None:
    for name, number in numbers.items():
        if number is not None and not 0 < number < math.inf:
            raise PlanError(f"{name} {number:g}: it must be above 0")
