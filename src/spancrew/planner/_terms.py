"""What figures mean in money, hours and days."""

from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray
from spancrew.feedback import feedback_rule
from spancrew.planner._aim import Aim, People
from spancrew.planner._candidates import Candidate
from spancrew.planner._figures import ANSWERS, AUDITED, F1, SENT
from spancrew.planner._schedule import Schedule, schedule

_CLOSE = 1e-3
"""What falls short by less than this share is taken to be met."""


def over(needed: float, there: float) -> float:
    """Return by what share something falls short of what is needed; 0 if it is met, or nearly.

    >>> over(0.95, 0.9499), round(over(100.0, 80.0), 2)
    (0.0, 0.25)
    """
    share = needed / there - 1 if there > 0 else float("inf")
    return share if share > _CLOSE else 0.0


class Work(NamedTuple):
    """What a campaign needs of its people: answers, and experts' labels by their reason.

    ``by_models`` are answers that models give beside them.
    """

    answers: float
    gate: float
    warm_up: float
    audit: float
    by_models: float = 0.0

    @property
    def labels(self) -> float:
        """Return all labels by experts."""
        return self.gate + self.warm_up + self.audit


class Terms(NamedTuple):
    """The aim and the people of a campaign."""

    aim: Aim
    people: People

    def work(self, candidate: Candidate, figures: FloatArray) -> Work:
        """Return what a candidate with these figures needs."""
        count = self.aim.sentences
        answers, labels = self.warm_up(candidate)
        return Work(
            count * float(figures[ANSWERS]) + answers,
            count * float(figures[SENT]),
            labels,
            count * float(figures[AUDITED]),
            float(count * len(self.aim.models)),
        )

    def warm_up(self, candidate: Candidate) -> tuple[int, int]:
        """Return answers and experts' labels of the warm-up."""
        if self.aim.warm_up == "none":
            return 0, 0
        workers = self.people.workers
        if self.aim.warm_up == "own":
            return workers, workers
        return (workers, 1) if feedback_rule(candidate.feedback).asks_experts else (0, 0)

    @property
    def by_cost(self) -> FloatArray:
        """Return what each figure adds to the cost; F1 costs nothing by itself."""
        prices, count = self.aim.prices, self.aim.sentences
        weight = np.zeros(4)
        weight[[SENT, AUDITED, ANSWERS]] = prices.expert, prices.expert, prices.answer
        return count * weight

    def money(self, work: Work) -> float:
        """Return what all of it costs."""
        prices = self.aim.prices
        people = work.answers * prices.answer + work.labels * prices.expert
        return people + work.by_models * self.aim.model_price

    def cost(self, candidate: Candidate, figures: FloatArray) -> float:
        """Return what a candidate with these figures costs."""
        return self.money(self.work(candidate, figures))

    def hours(self, labels: float) -> float:
        """Return the hours that experts need for so many labels."""
        return labels * self.people.expert_seconds / 3600

    def days(self, candidate: Candidate, figures: FloatArray) -> Schedule:
        """Return how long a candidate with these figures takes."""
        work = self.work(candidate, figures)
        return schedule(self.people, candidate.crew, work.answers, work.labels)

    def shortfall(self, candidate: Candidate, figures: FloatArray) -> float:
        """Return how far a candidate is from what is wanted; 0 if it meets everything."""
        aim, missing = self.aim, 0.0
        if aim.quality is not None:
            missing += over(aim.quality, float(figures[F1]))
        if aim.budget is not None:
            missing += over(self.cost(candidate, figures), aim.budget)
        if aim.days is not None:
            missing += over(self.days(candidate, figures).days, aim.days)
        return missing

    def rank(self, candidate: Candidate, figures: FloatArray) -> tuple[float, float]:
        """Return what the best candidate has least of: first the shortfall, then the cost.

        Without a quality to reach, it is the errors that count.
        """
        missing = self.shortfall(candidate, figures)
        if self.aim.quality is None:
            return missing, 1 - float(figures[F1])
        return missing, self.cost(candidate, figures)
