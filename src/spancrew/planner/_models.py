"""Whether models pay: the best plan with them beside the best one without."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from spancrew.core import FloatArray
from spancrew.planner._figures import ANSWERS, F1, SENT
from spancrew.planner._terms import Terms

_CLOSE = 0.03
"""Costs that differ by less than this share are alike, as rehearsals cannot tell them apart."""

_SAME_F1 = 0.005
"""So are F1 that differ by less, where all of the budget is spent."""


class PlanNeeds(NamedTuple):
    """What a plan needs on a sentence and in all, and how good its labels get."""

    people: float
    expert_share: float
    cost: float
    f1: float

    @classmethod
    def of(cls, figures: FloatArray, cost: float) -> "PlanNeeds":
        """Return them by the figures of a candidate."""
        return cls(float(figures[ANSWERS]), float(figures[SENT]), cost, float(figures[F1]))

    def as_json(self) -> dict[str, float]:
        """Return them by name."""
        return {
            "people_per_sentence": round(self.people, 2),
            "expert_share": round(self.expert_share, 4),
            "cost": round(self.cost, 2),
            "f1": round(self.f1, 4),
        }


class ModelsCompared(NamedTuple):
    """The best plan with models and the best without, for the same aim.

    ``price`` is that of a model's answer; a tagger costs nothing.
    """

    models: tuple[str, ...]
    price: float
    beside: PlanNeeds
    without: PlanNeeds
    quality: float | None

    @property
    def pays(self) -> bool:
        """Tell whether the plan with models is clearly better: cheaper, or with a better F1."""
        return self._gain > 0

    @property
    def _gain(self) -> int:
        """Return 1 if models are clearly worth it, -1 if they are clearly not, else 0."""
        if self.quality is None:
            more = self.beside.f1 - self.without.f1
            return int(more > _SAME_F1) - int(more < -_SAME_F1)
        if self.beside.f1 - self.without.f1 > _SAME_F1 and self.without.f1 < self.quality - 0.001:
            return 1
        saved = 1 - self.beside.cost / self.without.cost if self.without.cost else 0.0
        return int(saved > _CLOSE) - int(saved < -_CLOSE)

    @property
    def sentence(self) -> str:
        """Say in one sentence whether models pay."""
        who = self._who()
        if self._gain > 0:
            return f"With {who} you need {self._needs()}."
        said, them = ("do", "them") if len(self.models) > 1 else ("does", "it")
        why = "makes no difference that rehearsals can tell"
        if self._gain < 0:
            why = "has worse labels" if self.quality is None else "costs more"
        found = f"the best plan with {them} {why} ({self._ends()})"
        begins = f"T{who[1:]}" if who.startswith("the ") else who
        advice = f", so plan without {them}" if self._gain < 0 else ""
        return f"{begins} {said} not pay{advice}: {found}."

    def _needs(self) -> str:
        beside, without = self.beside, self.without
        people = f"{beside.people:.1f} people a sentence instead of {without.people:.1f}"
        one, other = (f"{100 * each.expert_share:.0f} %" for each in (beside, without))
        share = f", and experts on {one} instead of {other} of the sentences"
        return f"{people}{share if one != other else ''} ({self._ends()})"

    def _ends(self) -> str:
        beside, without = self.beside, self.without
        cost = f"cost {beside.cost:,.0f} instead of {without.cost:,.0f}"
        return f"{cost}, F1 {beside.f1:.3f} instead of {without.f1:.3f}"

    def _who(self) -> str:
        named = [f"the {each}" if ":" not in each else each for each in self.models]
        at = f" at {self.price:g} an answer" if self.price else ""
        return f"{' and '.join([', '.join(named[:-1]), named[-1]] if named[1:] else named)}{at}"

    def as_json(self) -> dict[str, Any]:
        """Return all of it by name."""
        return {
            "members": list(self.models),
            "price": self.price,
            "pays": self.pays,
            "with": self.beside.as_json(),
            "without": self.without.as_json(),
            "sentence": self.sentence,
        }


def members_in(terms: Terms) -> tuple[str, ...]:
    """Return who answers beside the people: the members that are named, and models of a pilot."""
    members = [each.split(":", maxsplit=1)[0] for each in terms.aim.members]
    return (*members, *terms.aim.models)


def without_models(terms: Terms) -> Terms:
    """Return the same terms for people alone."""
    return terms._replace(aim=terms.aim.for_people())


def compared(
    terms: Terms, beside: tuple[FloatArray, float], without: tuple[FloatArray, float]
) -> ModelsCompared:
    """Compare two plans for the same aim by their figures and costs."""
    names: Sequence[str] = members_in(terms)
    aim = terms.aim
    price = aim.model_price if aim.models else 0.0
    return ModelsCompared(
        tuple(names), price, PlanNeeds.of(*beside), PlanNeeds.of(*without), aim.quality
    )
