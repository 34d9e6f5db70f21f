"""A plan that was made: what is recommended, what else there is, and how sure it is."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from spancrew.campaign import Expected, Plan
from spancrew.core import FloatArray
from spancrew.feedback import audit_of, feedback_rule
from spancrew.planner._candidates import Candidate
from spancrew.planner._figures import F1, SENT
from spancrew.planner._forecast import Forecast
from spancrew.planner._models import ModelsCompared
from spancrew.planner._terms import Terms
from spancrew.planner._words import in_words

WIDE = 0.04
"""An interval of F1 that is wider than this calls for a larger pilot."""

_LEFT_OUT = ("labels", "lease", "presence", "mode", "kind", "gold_share", "seed", "cap")
"""What a plan leaves to the campaign: the labels of its data, and what no rehearsal looks at."""


class PilotNotes(NamedTuple):
    """What a plan rests on.

    ``correction`` is by how much the real answers moved the forecast of the recommended plan (4
    figures), ``more`` how many more sentences would halve its interval; None where none would.
    ``assumption`` is what was assumed where there was no pilot, and ``first`` the size of the
    pilot to run then.
    """

    name: str
    sentences: int
    workers: int
    answers: float
    is_timed: bool
    correction: FloatArray
    more: int | None
    is_extrapolated: bool
    assumption: str | None = None
    first: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return all of it by name."""
        return {
            "name": self.name,
            "sentences": self.sentences,
            "workers": self.workers,
            "answers_per_sentence": round(self.answers, 2),
            "seconds": "measured" if self.is_timed else "assumed",
            "correction": {
                "f1": round(float(self.correction[F1]), 4),
                "expert_share": round(float(self.correction[SENT]), 4),
            },
            "more_sentences": self.more,
            "extrapolated": self.is_extrapolated,
            "assumption": self.assumption,
            "recommended_pilot": self.first,
        }


class FrontierDot(NamedTuple):
    """A rule that nothing else beats in both: cost, and F1 of the final labels."""

    cost: float
    f1: float
    rule: str


class Alternative(NamedTuple):
    """Another point of the frontier, by what it is best at."""

    name: str
    forecast: Forecast


@dataclass(frozen=True)
class PlannedCampaign:
    """The recommended way to run a campaign, and others beside it.

    ``models`` tells whether those of the pilot, or a tagger, pay; None where there are none.
    """

    terms: Terms
    recommended: Forecast
    alternatives: tuple[Alternative, ...]
    pilot: PilotNotes
    frontier: tuple[FrontierDot, ...] = ()
    models: ModelsCompared | None = None

    @property
    def rows(self) -> list[Alternative]:
        """Return everything that was forecast, what is recommended first."""
        return [Alternative("recommended", self.recommended), *self.alternatives]

    def plan_of(self, forecast: Forecast) -> dict[str, Any] | None:
        """Return the plan as ``campaign create --plan`` takes it; None if there is no crowd."""
        if forecast.candidate is None:
            return None
        plan = _plan_json(forecast.candidate, self.terms)
        return plan | {"forecast": forecast.kept(self.terms).to_json()}

    @property
    def sentence(self) -> str:
        """Say what is recommended."""
        best = self.recommended
        words = in_words(best.candidate, best.expert_share.mean)
        reason = "" if best.candidate else ", as no plan with a crowd is cheaper"
        return f"{words[0].upper()}{words[1:]}{reason}."

    @property
    def notes(self) -> list[str]:
        """Say what the figures rest on, one thing a line."""
        models = "" if self.models is None else self.models.sentence
        found = (models, self._assumed(), self._corrected(), self._grown(), self._smallness())
        return [note for note in found if note]

    def _assumed(self) -> str:
        if self.pilot.assumption is None:
            return ""
        return (
            f"This is an assumption, not a forecast: nobody of this crowd has answered anything "
            f"({self.pilot.assumption}). Run a pilot of {self.pilot.first:,} sentences first."
        )

    def _corrected(self) -> str:
        if self.pilot.assumption is not None:
            return ""
        f1, share = 100 * self.pilot.correction[F1], 100 * self.pilot.correction[SENT]
        return (
            f"Corrected by the pilot's real answers: F1 by {f1:+.1f} points, sentences for "
            f"experts by {share:+.1f}."
        )

    def _grown(self) -> str:
        if not self.pilot.is_extrapolated:
            return ""
        return "Extrapolated from rehearsals of smaller campaigns, of two sizes."

    def _smallness(self) -> str:
        f1 = self.recommended.f1
        is_sure = f1.high - f1.low <= WIDE
        if self.pilot.more is None or is_sure or self.pilot.assumption is not None:
            return ""
        return (
            f"The pilot is small: label {self.pilot.more:,} more sentences and the interval "
            "halves."
        )

    def as_json(self) -> dict[str, Any]:
        """Return everything, as ``spancrew plan --json`` prints it."""
        return {
            "recommended": self._record(self.recommended) | {"sentence": self.sentence},
            "alternatives": [
                {"name": each.name} | self._record(each.forecast) for each in self.alternatives
            ],
            "pilot": self.pilot.as_json(),
            "notes": self.notes,
        } | ({} if self.models is None else {"models": self.models.as_json()})

    def _record(self, forecast: Forecast) -> dict[str, Any]:
        return {"plan": self.plan_of(forecast)} | forecast.as_json()


def _plan_json(candidate: Candidate, terms: Terms) -> dict[str, Any]:
    rule = feedback_rule(candidate.feedback)
    aim = terms.aim
    plan = Plan.from_json(
        {
            "labels": ["any"],
            "policy": candidate.policy,
            "feedback": candidate.feedback,
            "consensus": candidate.consensus,
            "answers": candidate.answers,
            "crew": candidate.crew,
            "warm_up": aim.warm_up,
            "audit": audit_of(aim.audit, rule) if rule.asks_experts else 0.0,
            "prices": {"answer": aim.prices.answer, "expert": aim.prices.expert},
            "budget": aim.budget,
        }
    )
    made = plan.to_json()
    return {
        name: value for name, value in made.items() if name not in _LEFT_OUT and value is not None
    }


def more_sentences(pilot: int, by_pilot: float, by_campaign: float) -> int | None:
    """Return how many more sentences of the pilot halve the interval; None if none do.

    Both are variances; the first shrinks as the pilot grows.

    >>> more_sentences(100, 4.0, 0.0)
    300
    """
    left = (by_pilot + by_campaign) / 4 - by_campaign
    if left <= 0 or by_pilot <= 0:
        return None
    return math.ceil(pilot * by_pilot / left) - pilot


def first_pilot(sentences: int, estimate: Expected) -> int:
    """Return the size of a pilot whose interval is narrow enough, by one of another size.

    In fifties, from 100 to 500.

    >>> first_pilot(200, Expected(0.9, 0.87, 0.93))
    500
    """
    wanted = sentences * ((estimate.high - estimate.low) / WIDE) ** 2
    return min(max(50 * math.ceil(wanted / 50), 100), 500)
