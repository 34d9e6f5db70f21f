"""Looks at candidates: small rehearsals of many, large ones of few."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray
from spancrew.planner._basis import Basis
from spancrew.planner._bench import Bench
from spancrew.planner._candidates import Candidate
from spancrew.planner._figures import bounded, corrected, grown
from spancrew.simulate import Scene

FIRST, SECOND, LARGEST = 200, 1_000, 2_000
"""Sentences of a rehearsal at the first, the second and the last look."""

MOST_REPLAYED = 400
"""Sentences of the pilot whose real answers are replayed at the last look; fewer before."""

CROWDS = 2
"""Crowds of the model that a forecast rests on."""

REPLAYS = 6
"""Runs of the pilot's real answers, and of the model's in their place, that it rests on.

By the order of the sentences alone, F1 on 300 sentences varied by 0.5 to 2.2 points.
"""

_FRESH = 1_000
"""Added to the seed for a forecast, so that no draw has a part in what is forecast."""

_DRAWN = 900
"""Sentences on which the model answers in place of the pilot at the campaign's size."""


def draws_of(pilot: int) -> tuple[int, int]:
    """Return how many sentences of a pilot are replayed, and how often the model takes its place.

    >>> draws_of(300)
    (300, 3)
    """
    replayed = min(pilot, MOST_REPLAYED)
    return replayed, min(max(_DRAWN // replayed, 2), 4)


class Seen(NamedTuple):
    """The figures of some candidates, and what they come from.

    ``model`` is what the model alone says, ``real`` what the rule does with the pilot's real
    answers, and ``same`` what it does with the model's in their place. ``varied`` is how figures
    vary from one crowd of the model to the next (candidates x 4 x 4).
    """

    figures: FloatArray
    model: FloatArray
    real: FloatArray
    same: FloatArray
    varied: FloatArray

    @property
    def correction(self) -> FloatArray:
        """Return by how much the pilot's real answers move what the model says."""
        return self.figures - self.model


@dataclass(frozen=True)
class Looks:
    """What can be seen of candidates for a campaign, from one basis."""

    basis: Basis
    bench: Bench

    def first(self, candidates: Sequence[Candidate], size: int = FIRST) -> FloatArray:
        """Return what the model alone says, in one run of a small campaign."""
        rows = self.bench.figures({"model": [self._model(size)]}, candidates, 1)
        found: FloatArray = rows["model"][0]
        return found

    def second(self, candidates: Sequence[Candidate]) -> Seen:
        """Look at a larger campaign, corrected by some of the pilot's real answers."""
        scenes = {"model": [self._model(SECOND)], **self._pilot_scenes(FIRST, 1)}
        return self._corrected(candidates, scenes, 1)

    def last(self, candidates: Sequence[Candidate], crowds: int = 1, replays: int = 1) -> Seen:
        """Look at the campaign at its size, or at two sizes that lead to it."""
        _, draws = draws_of(len(self.basis.pilot))
        scenes = {
            "model": self._models(LARGEST, crowds),
            **self._pilot_scenes(MOST_REPLAYED, max(draws, replays)),
        }
        if self.bench.aim.sentences > LARGEST:
            scenes["half"] = self._models(LARGEST // 2, crowds)
        return self._corrected(candidates, scenes, replays)

    def fresh(self, candidates: Sequence[Candidate]) -> Seen:
        """Look at the same with draws that nothing was chosen by.

        What is best among many by noisy figures is so in part by luck, and looks better than it
        is; in fresh draws it does not.
        """
        other = replace(self.bench, seed=self.bench.seed + _FRESH)
        return replace(self, bench=other).last(candidates, CROWDS, REPLAYS)

    def _corrected(
        self, candidates: Sequence[Candidate], scenes: dict[str, list[Scene]], runs: int
    ) -> Seen:
        rows = self.bench.figures(scenes, candidates, runs)
        means = {name: some.mean(axis=0) for name, some in rows.items()}
        model, real, same = (means[name] for name in ("model", "real", "same"))
        if "half" in means:
            model = bounded(grown(means["half"], model, LARGEST, self.bench.aim.sentences))
        found = corrected(model, real, same, [each.is_steered for each in candidates])
        return Seen(found, model, real, same, _covariances(rows["model"]))

    def _model(self, size: int, more: int = 0) -> Scene:
        return self.basis.model(min(size, self.bench.aim.sentences), self.bench.seed + more)

    def _models(self, size: int, crowds: int) -> list[Scene]:
        """Return several crowds, whose workers may differ."""
        return [self._model(size, more) for more in range(crowds)]

    def _pilot_scenes(self, most: int, draws: int) -> dict[str, list[Scene]]:
        part, seed = self.basis.first(most), self.bench.seed
        return {"real": [part.real()], "same": [part.same(seed + k) for k in range(draws)]}


def _covariances(rows: FloatArray) -> FloatArray:
    """Return how figures vary between scenes (candidates x 4 x 4); not at all in a single one."""
    away = rows - rows.mean(axis=0)
    found: FloatArray = np.einsum("sci,scj->cij", away, away) / max(len(rows) - 1, 1)
    return found
