"""How long a campaign takes, and who holds it up."""

import math
from typing import Literal, NamedTuple

from spancrew.planner._aim import People

Bottleneck = Literal["workers", "experts"]
_HOUR = 3600.0


class Schedule(NamedTuple):
    """Days that everybody is at work; the slower side says how long it takes."""

    crowd_days: float
    expert_days: float

    @property
    def days(self) -> float:
        """Return the days from the first answer to the last label."""
        return max(self.crowd_days, self.expert_days)

    @property
    def bottleneck(self) -> Bottleneck:
        """Return who needs longest."""
        return "experts" if self.expert_days > self.crowd_days else "workers"


def schedule(people: People, crew: int, answers: float, expert_labels: float) -> Schedule:
    """Return how long it takes to give so many answers and expert labels.

    Only the crew works at any time. Experts work beside it, as sentences reach them.

    >>> schedule(People(30, experts=2), crew=20, answers=14_400, expert_labels=720).days
    2.0
    """
    at_work = min(crew, people.workers)
    crowd = answers * people.worker_seconds / (at_work * people.worker_hours * _HOUR)
    if expert_labels == 0:
        return Schedule(crowd, 0.0)
    if people.experts == 0:
        return Schedule(crowd, math.inf)
    hours = people.experts * people.expert_hours
    return Schedule(crowd, expert_labels * people.expert_seconds / (hours * _HOUR))
