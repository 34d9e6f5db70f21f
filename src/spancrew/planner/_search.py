"""Search the ways to run a campaign: a look at all, then better looks at fewer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spancrew.core import FloatArray
from spancrew.planner._arm import FamilyArm
from spancrew.planner._candidates import Candidate, Family
from spancrew.planner._figures import F1, corrected
from spancrew.planner._halving import halve
from spancrew.planner._look import SECOND, Looks, Seen
from spancrew.planner._terms import Terms

Rank = Callable[[FamilyArm], tuple[float, float]]


@dataclass(frozen=True)
class Search:
    """The search for one aim, on one basis."""

    looks: Looks
    terms: Terms

    def run(self, families: Sequence[Family]) -> list[FamilyArm]:
        """Return the arms that are worth a forecast, the best first."""
        arms = self._first(families)
        looks = (list, self._second, self._crews, self._last)
        return halve(arms, looks, ranks(self.terms))

    def quick(self, families: Sequence[Family]) -> FamilyArm:
        """Return the best arm after fewer looks: no other crews and policies are tried."""
        looks = (list, self._second, self._last)
        return halve(self._first(families), looks, ranks(self.terms)[:1])[0]

    def _first(self, families: Sequence[Family]) -> list[FamilyArm]:
        """Rehearse all families at a few knobs, in a small campaign."""
        tried = [family.at(knob) for family in families for knob in family.first_knobs]
        rows = self.looks.first(tried)
        self.looks.bench.meter.end_stage()
        counts = [len(family.first_knobs) for family in families]
        parts = np.split(rows, np.cumsum(counts)[:-1])
        return [FamilyArm.of(family, part) for family, part in zip(families, parts, strict=True)]

    def _second(self, arms: Sequence[FamilyArm]) -> list[FamilyArm]:
        """Rehearse arms where they meet the aim, corrected by the pilot's real answers."""
        return self._seen(arms, self.looks.second)

    def _crews(self, arms: Sequence[FamilyArm]) -> list[FamilyArm]:
        """Try other crews and policies with the best arm; the pilot cannot tell them apart."""
        best, *rest = arms
        everybody = self.terms.people.workers
        others = [replace(best, family=each) for each in best.family.others(everybody)]
        knob = best.best_knob(self.terms)
        tried = [arm.family.at(knob) for arm in (best, *others)]
        rows = self.looks.first(tried, SECOND)
        self.looks.bench.meter.end_stage()
        base = np.broadcast_to(best.figures(knob), rows.shape)
        same = np.broadcast_to(rows[0], rows.shape)
        found = corrected(rows, base, same, [each.is_steered for each in tried])
        moved = [arm.seen(knob, row) for arm, row in zip(others, found[1:], strict=True)]
        return [best, *moved, *rest]

    def _last(self, arms: Sequence[FamilyArm]) -> list[FamilyArm]:
        """Rehearse arms at the campaign's size."""
        return self._seen(arms, self.looks.last)

    def _seen(
        self, arms: Sequence[FamilyArm], look: Callable[[Sequence[Candidate]], Seen]
    ) -> list[FamilyArm]:
        knobs = [arm.best_knob(self.terms) for arm in arms]
        found = look([arm.family.at(knob) for arm, knob in zip(arms, knobs, strict=True)])
        self.looks.bench.meter.end_stage()
        return [arm.seen(*each) for arm, *each in zip(arms, knobs, found.figures, strict=True)]


def ranks(terms: Terms) -> list[Rank]:
    """Return by what arms are ranked: the aim, then what else people ask for."""
    found: list[Rank] = [lambda arm: terms.rank(*arm.best(terms)), by_crowd_alone]
    if terms.aim.budget is not None:
        found.append(lambda arm: by_budget(arm, terms))
    if terms.aim.days is not None and terms.aim.quality is not None:
        found.append(lambda arm: by_days(arm, terms))
    return found


def by_crowd_alone(arm: FamilyArm) -> tuple[float, float]:
    """Rank arms that ask no expert by their errors; all others come after them."""
    return float(arm.family.has_knob), _errors(arm.figures(0.0))


def by_budget(arm: FamilyArm, terms: Terms) -> tuple[float, float]:
    """Rank arms by the errors that are left when the budget is spent."""
    knob = arm.knob_for_budget(terms)
    figures = arm.figures(knob)
    cost = terms.cost(arm.family.at(knob), figures)
    return max(0.0, cost - (terms.aim.budget or cost)), _errors(figures)


def by_days(arm: FamilyArm, terms: Terms) -> tuple[float, float]:
    """Rank arms by the days that they take to reach the quality."""
    quality = terms.aim.quality or 0.0
    knob = arm.knob_for_quality(quality)
    figures = arm.figures(knob)
    missing = max(0.0, quality - float(figures[F1]))
    return missing, terms.days(arm.family.at(knob), figures).days


def _errors(figures: FloatArray) -> float:
    return 1 - float(figures[F1])
