"""An arm of the search: a family, and what is known of it so far."""

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from spancrew.core import FloatArray
from spancrew.planner._candidates import Candidate, Family
from spancrew.planner._figures import ANSWERS, AUDITED, F1, SENT, bounded
from spancrew.planner._terms import Terms

_RATIOS = [F1, SENT]

_STEPS = 200
"""Into how many steps the range of a knob is cut."""

_SURE = 0.001
"""F1 above the target that is aimed at, for what is rounded."""

_SMOOTH = 0.02
"""Added to both sides of a ratio, so that one of two small numbers means little elsewhere."""


def _unmoved() -> FloatArray:
    unmoved = np.zeros(4)
    unmoved[_RATIOS] = 1.0
    return unmoved


@dataclass(frozen=True)
class FamilyArm:
    """A family with its figures at some knobs, and how they moved since then.

    ``rows`` has the figures at each of ``knobs``, which ascend. ``moved`` is the ratio by which
    errors, and what is left to the crowd, have changed at the last look, and the difference of
    every other figure: neither is left where experts label everything. ``left`` is what both had
    been there. Where more is left, nobody has looked, and the ratio counts less.
    """

    family: Family
    knobs: tuple[float, ...]
    rows: FloatArray
    moved: FloatArray = field(default_factory=_unmoved)
    left: FloatArray = field(default_factory=lambda: np.ones(len(_RATIOS)))

    @classmethod
    def of(
        cls, family: Family, rows: FloatArray, at: tuple[float, ...] | None = None
    ) -> "FamilyArm":
        """Return an arm by its figures at some knobs; at 1, experts label everything.

        Unless told ``at`` which, they are the first ones of the family.
        """
        knobs = family.first_knobs if at is None else at
        if not family.has_knob:
            return cls(family, knobs, rows)
        last = rows[-1].copy()
        last[[F1, SENT, AUDITED]] = 1.0, 1.0, 0.0
        all_rows = np.vstack([rows, last])
        all_rows[:, F1] = np.maximum.accumulate(all_rows[:, F1])
        return cls(family, (*knobs, 1.0), all_rows)

    def figures(self, knob: float) -> FloatArray:
        """Return the figures at any knob."""
        found = np.array([np.interp(knob, self.knobs, column) for column in self.rows.T])
        if knob < self.knobs[0]:
            found = found + (knob - self.knobs[0]) * self._first_slope()
        moved = found + self.moved
        moved[_RATIOS] = 1 - self._left_now(1 - found[_RATIOS])
        moved[ANSWERS] = np.clip(moved[ANSWERS], *self._answers)
        return bounded(moved)

    def _left_now(self, before: FloatArray) -> FloatArray:
        """Return what is left in errors and to the crowd, by what was before the last look."""
        ratio = self.moved[_RATIOS]
        elsewhere = (self.left * ratio + _SMOOTH) / (self.left + _SMOOTH)
        seen = np.minimum(before, self.left)
        left: FloatArray = seen * ratio + (before - seen) * elsewhere
        return left

    @cached_property
    def _answers(self) -> tuple[int, int]:
        """Return the fewest and the most answers that a sentence gets."""
        return self.family.at(0.5).fewest, self.family.answers

    def _first_slope(self) -> FloatArray:
        """Return how figures change below the first knob: as after it."""
        slope: FloatArray = (self.rows[1] - self.rows[0]) / (self.knobs[1] - self.knobs[0])
        return slope

    def seen(self, knob: float, figures: FloatArray) -> "FamilyArm":
        """Return the arm after a better look at one knob."""
        before = replace(self, moved=_unmoved()).figures(knob)
        moved, left = figures - before, np.maximum(1 - before[_RATIOS], 1e-6)
        moved[_RATIOS] = (1 - figures[_RATIOS]) / left
        return replace(self, moved=moved, left=left)

    def best_knob(self, terms: Terms) -> float:
        """Return the knob at which the family meets the aim best."""
        if not self.family.has_knob:
            return 0.0
        if terms.aim.quality is None:
            return self.knob_for_budget(terms)
        return self.knob_for_quality(terms.aim.quality)

    def knob_for_quality(self, quality: float) -> float:
        """Return the lowest knob that reaches a quality; F1 never falls as a knob is turned up."""
        wanted = min(quality + _SURE, 1.0) - 1e-12
        ladder = self._ladder()
        place = bisect_left(ladder, wanted, key=lambda knob: float(self.figures(knob)[F1]))
        return ladder[place] if place < len(ladder) else 1.0

    def knob_for_budget(self, terms: Terms) -> float:
        """Return the highest knob that a budget pays for; the lowest if it pays for none."""
        ladder, budget = self._ladder(), terms.aim.budget
        for knob in reversed(ladder):
            if budget is None or terms.cost(self.family.at(knob), self.figures(knob)) <= budget:
                return knob
        return ladder[0]

    def _ladder(self) -> list[float]:
        if not self.family.has_knob:
            return [0.0]
        return [round(float(knob), 6) for knob in np.linspace(0.01, 1.0, _STEPS)]

    def best(self, terms: Terms) -> tuple[Candidate, FloatArray]:
        """Return the candidate that meets the aim best, with its figures."""
        knob = self.best_knob(terms)
        return self.family.at(knob), self.figures(knob)
