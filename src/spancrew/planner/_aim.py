"""What is wanted of a campaign, and by whom it is done."""

import math
from dataclasses import dataclass, field, replace

from spancrew.campaign import WarmUp
from spancrew.errors import PlanError
from spancrew.feedback import Prices, refuse_audit

WORKER_HOURS = 2.0
"""Hours a day that a worker is assumed to work."""

EXPERT_HOURS = 4.0
"""Hours a day that an expert is assumed to work."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How many sentences, how good, for how much, until when; None: it does not matter.

    ``quality`` is the exact F1 of the final labels, ``days`` the deadline. ``warm_up`` and
    ``audit`` are as in the plan of a campaign; they are given, since the cheapest plan would never
    check anything. ``members`` answer beside the people, and so do the ``models`` of a pilot, an
    answer of which costs ``model_price``; ``currency`` is what prices are in.
    """

    sentences: int
    quality: float | None = 0.95
    budget: float | None = None
    days: float | None = None
    prices: Prices = field(default_factory=Prices)
    warm_up: WarmUp = "shared"
    audit: float | None = None
    currency: str = ""
    members: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    model_price: float = 0.0

    def for_people(self) -> "Aim":
        """Return the same aim where nobody answers beside the people."""
        return replace(self, members=(), models=())

    def __post_init__(self) -> None:
        """Refuse what cannot be aimed at."""
        if self.sentences < 1:
            raise PlanError(f"sentences {self.sentences}: a campaign needs at least one")
        if self.quality is None and self.budget is None:
            raise PlanError("neither a quality nor a budget is given: a plan needs one of them")
        if self.quality is not None and not 0 < self.quality <= 1:
            hint = f"; is {self.quality / 100:g} meant?" if 1 < self.quality <= 100 else ""
            raise PlanError(f"quality {self.quality:g}: it is an F1 above 0 and up to 1{hint}")
        _refuse_unless_positive(budget=self.budget, deadline=self.days)
        refuse_audit(self.audit)
        if not 0 <= self.model_price < math.inf:
            raise PlanError(f"a model's price of {self.model_price:g}: it cannot be negative")


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
        if self.workers < 2:
            raise PlanError(f"workers {self.workers}: a crowd needs at least 2")
        if self.experts < 0:
            raise PlanError(f"experts {self.experts}: take 0 for a campaign without any")
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


_DAYS = {"": 1.0, "d": 1.0, "w": 7.0, "h": 1 / 24}


def days_of(text: str) -> float:
    """Return the days in a deadline such as 14d, 2w or 36h.

    >>> days_of("2w")
    14.0
    """
    number = text.strip().rstrip("dwh")
    unit = text.strip()[len(number) :]
    try:
        return float(number) * _DAYS[unit]
    except (ValueError, KeyError):
        raise PlanError(f"deadline {text!r}: write days, weeks or hours, as in 14d") from None
