"""Which candidates a plan tells of."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from spancrew.core import FloatArray
from spancrew.planner._arm import FamilyArm
from spancrew.planner._candidates import Candidate
from spancrew.planner._experts import could_do_all
from spancrew.planner._figures import F1
from spancrew.planner._forecast import experts_alone
from spancrew.planner._look import Looks, Seen
from spancrew.planner._planned import FrontierDot
from spancrew.planner._search import by_budget, by_crowd_alone, by_days
from spancrew.planner._terms import Terms

_KNOBS = tuple(round(0.05 * k, 2) for k in range(1, 20))
"""Positions of a knob that the frontier is drawn through."""


class Finalist(NamedTuple):
    """A candidate that a plan tells of, by what it is best at.

    ``turned`` says where the knob of its arm belongs for that.
    """

    name: str
    arm: FamilyArm
    turned: Callable[[FamilyArm], float]

    @property
    def knob(self) -> float:
        """Return where its knob is."""
        return self.turned(self.arm)

    def seen(self, figures: FloatArray) -> "Finalist":
        """Return it after another look, which may move its knob."""
        return self._replace(arm=self.arm.seen(self.knob, figures))

    @property
    def candidate(self) -> Candidate:
        """Return what is to be done."""
        return self.arm.family.at(self.knob)


def finalists(terms: Terms, arms: Sequence[FamilyArm]) -> Iterator[Finalist]:
    """Yield the best candidate, then what else people ask for, each once."""
    best = arms[0]
    named = [Finalist("best", best, lambda arm: arm.best_knob(terms))]
    crowd = min(arms, key=by_crowd_alone)
    if not crowd.family.has_knob:
        named.append(Finalist("crowd only", crowd, lambda _: 0.0))
    quality = terms.aim.quality
    if quality is not None and terms.aim.days is not None:
        fast = min(arms, key=lambda arm: by_days(arm, terms))
        named.append(Finalist("fastest", fast, lambda arm: arm.knob_for_quality(quality)))
    if terms.aim.budget is not None and not could_do_all(terms):
        rich = min(arms, key=lambda arm: by_budget(arm, terms))
        named.append(Finalist("best at the budget", rich, lambda arm: arm.knob_for_budget(terms)))
    seen: set[Candidate] = set()
    for each in named:
        if each.candidate not in seen:
            seen.add(each.candidate)
            yield each


def seen_afresh(looks: Looks, found: Iterable[Finalist]) -> tuple[list[Finalist], Seen]:
    """Return finalists by fresh draws, which had no part in their choice, and what was seen."""
    chosen = list(found)
    seen = looks.fresh([each.candidate for each in chosen])
    looks.bench.meter.end_stage()
    return [each.seen(row) for each, row in zip(chosen, seen.figures, strict=True)], seen


def frontier_of(terms: Terms, arms: Sequence[FamilyArm]) -> Iterator[FrontierDot]:
    """Yield what no other position of any knob beats in both cost and quality, by cost.

    Nor do experts alone, who are not on it themselves.
    """
    alone = experts_alone(terms).cost.mean if terms.people.experts else math.inf
    best = 0.0
    for dot in sorted(_dots(terms, arms), key=lambda each: (each.cost, -each.f1)):
        if best < dot.f1 and dot.cost < alone:
            best = dot.f1
            yield dot


def _dots(terms: Terms, arms: Sequence[FamilyArm]) -> Iterator[FrontierDot]:
    for arm in arms:
        for knob in {*_KNOBS, arm.best_knob(terms)} if arm.family.has_knob else (0.0,):
            candidate, figures = arm.family.at(knob), arm.figures(knob)
            words = f"{candidate.feedback}, {candidate.answers} answers"
            yield FrontierDot(terms.cost(candidate, figures), float(figures[F1]), words)
