"""Search the ways to run a campaign: a look at all, then better looks at fewer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spancrew.core import FloatArray
from spancrew.planner._arm import Arm
from spancrew.planner._basis import Basis
from spancrew.planner._bench import Bench
from spancrew.planner._candidates import Family
from spancrew.planner._figures import F1, bounded, corrected, grown
from spancrew.planner._halving import halve
from spancrew.planner._terms import Terms
from spancrew.simulate import Scene

FIRST, SECOND, LARGEST = 300, 1_000, 2_000
"""Sentences of a rehearsal at the first, the second and the last look."""

MOST_REPLAYED = 600
"""Sentences of the pilot whose real answers are replayed at the last look; fewer before."""

_RUNS, _LAST_RUNS = 1, 2

Rank = Callable[[Arm], tuple[float, float]]


@dataclass(frozen=True)
class Search:
    """The search for one aim, on one basis."""

    basis: Basis
    terms: Terms
    bench: Bench

    def run(self, families: Sequence[Family]) -> list[Arm]:
        """Return the arms that are worth a forecast, the best first."""
        arms = self._first(families)
        looks = (list, self._second, self._crews, self._last)
        return halve(arms, looks, ranks(self.terms))

    def _first(self, families: Sequence[Family]) -> list[Arm]:
        """Rehearse all families at a few knobs, in a small campaign."""
        tried = [family.at(knob) for family in families for knob in family.first_knobs]
        scene = self._model(FIRST)
        rows = self.bench.figures({"model": scene}, tried, _RUNS)["model"]
        self.bench.meter.end_stage()
        counts = [len(family.first_knobs) for family in families]
        parts = np.split(rows, np.cumsum(counts)[:-1])
        return [Arm.of(family, part) for family, part in zip(families, parts, strict=True)]

    def _second(self, arms: Sequence[Arm]) -> list[Arm]:
        """Rehearse arms where they meet the aim, corrected by the pilot's real answers."""
        scenes = {"model": self._model(SECOND), **self._pilot_scenes(FIRST)}
        seen = self._looked(arms, scenes, 1)
        self.bench.meter.end_stage()
        return seen

    def _crews(self, arms: Sequence[Arm]) -> list[Arm]:
        """Try other crews and policies with the best arm; the pilot cannot tell them apart."""
        best, *rest = arms
        others = [replace(best, family=each) for each in best.family.others(self._workers)]
        knob = best.best_knob(self.terms)
        tried = [arm.family.at(knob) for arm in (best, *others)]
        rows = self.bench.figures({"model": self._model(SECOND)}, tried, _RUNS)["model"]
        self.bench.meter.end_stage()
        base = best.figures(knob)
        moved = [
            arm.seen(knob, corrected(row, base, rows[0]))
            for arm, row in zip(others, rows[1:], strict=True)
        ]
        return [best, *moved, *rest]

    def _last(self, arms: Sequence[Arm]) -> list[Arm]:
        """Rehearse arms at the campaign's size, or at two sizes that lead to it."""
        size = min(self.terms.aim.sentences, LARGEST)
        scenes = {"model": self._model(size), **self._pilot_scenes(MOST_REPLAYED)}
        if self.terms.aim.sentences > LARGEST:
            scenes["half"] = self._model(size // 2)
        seen = self._looked(arms, scenes, _LAST_RUNS)
        self.bench.meter.end_stage()
        return seen

    def _looked(self, arms: Sequence[Arm], scenes: dict[str, Scene], runs: int) -> list[Arm]:
        knobs = [arm.best_knob(self.terms) for arm in arms]
        tried = [arm.family.at(knob) for arm, knob in zip(arms, knobs, strict=True)]
        rows = self.bench.figures(scenes, tried, runs)
        model, real, same = (rows[name] for name in ("model", "real", "same"))
        if "half" in rows:
            model = bounded(grown(rows["half"], model, LARGEST, self.terms.aim.sentences))
        found = corrected(model, real, same)
        return [
            arm.seen(knob, row, by)
            for arm, knob, row, by in zip(arms, knobs, found, real - same, strict=True)
        ]

    @property
    def _workers(self) -> int:
        return self.terms.people.workers

    def _model(self, size: int) -> Scene:
        return self.basis.model(min(size, self.terms.aim.sentences), self.bench.seed)

    def _pilot_scenes(self, most: int) -> dict[str, Scene]:
        part = self.basis.first(most)
        return {"real": part.real(), "same": part.same(self.bench.seed)}


def ranks(terms: Terms) -> list[Rank]:
    """Return by what arms are ranked: the aim, then what else people ask for."""
    found: list[Rank] = [lambda arm: terms.rank(*arm.best(terms)), by_crowd_alone]
    if terms.aim.budget is not None:
        found.append(lambda arm: by_budget(arm, terms))
    if terms.aim.days is not None and terms.aim.quality is not None:
        found.append(lambda arm: by_days(arm, terms))
    return found


def by_crowd_alone(arm: Arm) -> tuple[float, float]:
    """Rank arms that ask no expert by their errors; all others come after them."""
    return float(arm.family.has_knob), _errors(arm.figures(0.0))


def by_budget(arm: Arm, terms: Terms) -> tuple[float, float]:
    """Rank arms by the errors that are left when the budget is spent."""
    knob = arm.knob_for_budget(terms)
    figures = arm.figures(knob)
    cost = terms.cost(arm.family.at(knob), figures)
    return max(0.0, cost - (terms.aim.budget or cost)), _errors(figures)


def by_days(arm: Arm, terms: Terms) -> tuple[float, float]:
    """Rank arms by the days that they take to reach the quality."""
    quality = terms.aim.quality or 0.0
    knob = arm.knob_for_quality(quality)
    figures = arm.figures(knob)
    missing = max(0.0, quality - float(figures[F1]))
    return missing, terms.days(arm.family.at(knob), figures).days


def _errors(figures: FloatArray) -> float:
    return 1 - float(figures[F1])
