"""What is wanted of a campaign, as people say it."""

from collections.abc import Sequence
from dataclasses import dataclass

from spancrew.campaign import WarmUp
from spancrew.core import Dataset, is_model, people_among
from spancrew.errors import PlanError
from spancrew.feedback import Prices
from spancrew.formats import read
from spancrew.planner._aim import EXPERT_HOURS, WORKER_HOURS, Aim, People, days_of
from spancrew.planner._assumed import Assumption, assumed_pilot
from spancrew.planner._make import Computing, Pilot, make_plan
from spancrew.planner._pilot import LEAST_WORKERS, pilot_of, seconds_of
from spancrew.planner._planned import PlannedCampaign
from spancrew.planner._terms import Terms
from spancrew.simulate import QUALITY, Phases

EXPERT_PACE = 2.0
"""How many times as long as a worker an expert needs, where nothing is said."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is wanted of a campaign, as people say it; None leaves it open, or to the pilot.

    ``deadline`` is a text such as 14d. Without a quality, 0.95 is aimed at, or the best that the
    budget pays for. ``model_price`` is that of an answer of a model of the pilot.
    """

    sentences: int | None = None
    quality: float | None = None
    budget: float | None = None
    deadline: str | None = None
    workers: int | None = None
    experts: int = 1
    worker_hours: float = WORKER_HOURS
    expert_hours: float = EXPERT_HOURS
    answer_seconds: float | None = None
    expert_seconds: float | None = None
    answer_price: float = 0.1
    expert_price: float = 1.0
    warm_up: WarmUp = "shared"
    audit: float | None = None
    currency: str = ""
    members: Sequence[str] | None = None
    model_price: float = 0.0

    def aim(self, pilot: Dataset) -> Aim:
        """Return the aim; without a number, the campaign has as many sentences as the pilot."""
        quality = QUALITY if self.quality is None and self.budget is None else self.quality
        return Aim(
            len(pilot) if self.sentences is None else self.sentences,
            quality,
            self.budget,
            None if self.deadline is None else days_of(self.deadline),
            Prices(self.answer_price, self.expert_price),
            self.warm_up,
            self.audit,
            self.currency,
            tuple(self.members or ()),
            tuple(each for each in pilot.workers if is_model(each)),
            self.model_price,
        )

    def people(self, pilot: Dataset) -> tuple[People, bool]:
        """Return who works on it, and whether the pilot says how long an answer takes."""
        measured, is_known = seconds_of(pilot)
        pace = measured if self.answer_seconds is None else self.answer_seconds
        people = People(
            len(people_among(pilot.workers)) if self.workers is None else self.workers,
            self.experts,
            self.worker_hours,
            self.expert_hours,
            pace,
            EXPERT_PACE * pace if self.expert_seconds is None else self.expert_seconds,
        )
        return people, is_known or self.answer_seconds is not None


def assumed_source(assume: str, wishes: Wishes, seed: int = 0) -> Pilot:
    """Return a pilot of a crowd as is assumed."""
    assumed = Assumption.parse(assume)
    if wishes.sentences is None or wishes.workers is None:
        raise PlanError(
            "without a pilot, nothing says how large the campaign is: give the number of "
            "sentences and of workers"
        )
    like = read(assumed.like).dataset
    pilot = assumed_pilot(like, assumed, max(wishes.workers, LEAST_WORKERS), seed=seed)
    words = f"workers with F1 {assumed.worker_f1:g} ± {assumed.spread:g} on average"
    said = f"{words}, on sentences like {assumed.like}"
    return Pilot("no pilot", pilot, assumption=said)


def plan_for(
    given: Pilot, wishes: Wishes, progress: Phases, computing: Computing
) -> PlannedCampaign:
    """Make a plan from a pilot for what is wanted."""
    pilot = pilot_of(given.dataset)
    people, is_timed = wishes.people(pilot)
    known = given._replace(dataset=pilot, is_timed=is_timed)
    return make_plan(known, Terms(wishes.aim(pilot), people), progress, computing)
