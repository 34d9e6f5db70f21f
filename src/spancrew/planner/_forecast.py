"""What is expected of a candidate, with how sure it is."""

import math
from typing import Any, NamedTuple

import numpy as np

from spancrew.campaign import Expected, PlanForecast
from spancrew.core import FloatArray, normal_quantile
from spancrew.planner._candidates import Candidate
from spancrew.planner._figures import ANSWERS, AUDITED, F1, SENT
from spancrew.planner._schedule import Bottleneck, schedule
from spancrew.planner._terms import Terms, Work

LEVEL = 0.8
"""How often the truth should be within an interval."""


class ForecastSpread(NamedTuple):
    """How figures vary (4 x 4): with the pilot, and from campaign to campaign."""

    pilot: FloatArray
    campaign: FloatArray

    @property
    def whole(self) -> FloatArray:
        """Return both together."""
        return self.pilot + self.campaign


class Forecast(NamedTuple):
    """What a candidate is expected to need and to give."""

    candidate: Candidate | None
    work: Work
    f1: Expected
    expert_share: Expected
    cost: Expected
    expert_hours: Expected
    days: Expected
    bottleneck: Bottleneck

    def as_json(self) -> dict[str, Any]:
        """Return the figures by their names; the plan is added by who knows all of it."""
        return {
            "f1": self.f1.as_json(),
            "cost": self.cost.as_json(),
            "expert_share": self.expert_share.as_json(),
            "expert_hours": self.expert_hours.as_json(),
            "days": self.days.as_json(),
            "bottleneck": self.bottleneck,
            "answers": round(self.work.answers),
            "experts": {
                "gate": round(self.work.gate),
                "warm_up": round(self.work.warm_up),
                "audit": round(self.work.audit),
            },
        }

    def kept(self, terms: Terms) -> PlanForecast:
        """Return what a plan keeps of it, to be compared with what happens."""
        aim = terms.aim
        return PlanForecast(
            aim.sentences, self.cost, self.expert_share, self.days, self.f1, aim.currency
        )


def forecast(
    terms: Terms, candidate: Candidate, figures: FloatArray, spread: ForecastSpread
) -> Forecast:
    """Return the forecast of a candidate by its figures and how they vary."""
    work = terms.work(candidate, figures)
    # Few looks would ask for a wider interval, but each look varies by luck of its own as well.
    # With both, the intervals of benchmarks.forecast held 93 % of the truths.
    factor = normal_quantile((1 + LEVEL) / 2)

    def within(
        mean: float, weight: FloatArray, least: float = 0.0, most: float = math.inf
    ) -> Expected:
        reach = factor * math.sqrt(max(float(weight @ spread.whole @ weight), 0.0))
        return Expected(mean, max(mean - reach, least), min(mean + reach, most))

    count, crew = terms.aim.sentences, candidate.crew
    warm_up = terms.warm_up(candidate)[0]
    fewest, most = (count * each + warm_up for each in (candidate.fewest, candidate.answers))
    labelled = np.zeros(4)
    labelled[[SENT, AUDITED]] = count
    labels = within(work.labels, labelled, most=work.warm_up + count)
    answers = within(work.answers, count * _unit(ANSWERS), fewest, most)
    sides = [schedule(terms.people, crew, *pair) for pair in zip(answers, labels, strict=True)]
    return Forecast(
        candidate,
        work,
        within(float(figures[F1]), _unit(F1), most=1.0),
        within(float(figures[SENT]), _unit(SENT), most=1.0),
        within(terms.money(work), terms.by_cost),
        Expected(*(terms.hours(value) for value in labels)),
        Expected(*(side.days for side in sides)),
        sides[0].bottleneck,
    )


def experts_alone(terms: Terms) -> Forecast:
    """Return what it takes if experts label every sentence and nobody else is asked."""
    count = float(terms.aim.sentences)
    work = Work(0.0, count, 0.0, 0.0)
    days = schedule(terms.people, 1, 0.0, count).days
    return Forecast(
        None,
        work,
        _sure(1.0),
        _sure(1.0),
        _sure(terms.money(work)),
        _sure(terms.hours(count)),
        _sure(days),
        "experts",
    )


def _sure(value: float) -> Expected:
    return Expected(value, value, value)


def _unit(place: int) -> FloatArray:
    unit: FloatArray = np.eye(4)[place]
    return unit
