"""Looks at candidates: small rehearsals of many, large ones of few."""

from collections.abc import Sequence
from dataclasses import dataclass
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

_LAST_RUNS = 2

_CROWDS = 2
"""Crowds of the model that are rehearsed at the last look."""

_DRAWN = 900
"""Sentences on which the model answers in place of the pilot at the last look."""


class Seen(NamedTuple):
    """The figures of some candidates, and by how much real answers differed from the model's.

    ``varied`` is how figures vary from one crowd of the model to the next (candidates x 4 x 4).
    """

    figures: FloatArray
    correction: FloatArray
    varied: FloatArray


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

    def last(self, candidates: Sequence[Candidate]) -> Seen:
        """Look at the campaign at its size, or at two sizes that lead to it."""
        draws = min(max(_DRAWN // len(self.basis.first(MOST_REPLAYED).pilot), 2), 4)
        scenes = {"model": self._models(LARGEST), **self._pilot_scenes(MOST_REPLAYED, draws)}
        if self.bench.aim.sentences > LARGEST:
            scenes["half"] = self._models(LARGEST // 2)
        return self._corrected(candidates, scenes, _LAST_RUNS)

    def _corrected(
        self, candidates: Sequence[Candidate], scenes: dict[str, list[Scene]], runs: int
    ) -> Seen:
        rows = self.bench.figures(scenes, candidates, runs)
        means = {name: some.mean(axis=0) for name, some in rows.items()}
        model, real, same = (means[name] for name in ("model", "real", "same"))
        if "half" in means:
            model = bounded(grown(means["half"], model, LARGEST, self.bench.aim.sentences))
        found = corrected(model, real, same, [each.is_steered for each in candidates])
        return Seen(found, real - same, _covariances(rows["model"]))

    def _model(self, size: int, more: int = 0) -> Scene:
        return self.basis.model(min(size, self.bench.aim.sentences), self.bench.seed + more)

    def _models(self, size: int) -> list[Scene]:
        """Return several crowds, whose workers may differ."""
        return [self._model(size, more) for more in range(_CROWDS)]

    def _pilot_scenes(self, most: int, draws: int) -> dict[str, list[Scene]]:
        part, seed = self.basis.first(most), self.bench.seed
        return {"real": [part.real()], "same": [part.same(seed + k) for k in range(draws)]}


def _covariances(rows: FloatArray) -> FloatArray:
    """Return how figures vary between scenes (candidates x 4 x 4); not at all in a single one."""
    away = rows - rows.mean(axis=0)
    found: FloatArray = np.einsum("sci,scj->cij", away, away) / max(len(rows) - 1, 1)
    return found
