"""Looks at candidates: small rehearsals of many, large ones of few."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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

_DRAWN = 900
"""Sentences on which the model answers in place of the pilot at the last look."""


class Seen(NamedTuple):
    """The figures of some candidates, and by how much real answers differed from the model's."""

    figures: FloatArray
    correction: FloatArray


@dataclass(frozen=True)
class Looks:
    """What can be seen of candidates for a campaign, from one basis."""

    basis: Basis
    bench: Bench

    def first(self, candidates: Sequence[Candidate], size: int = FIRST) -> FloatArray:
        """Return what the model alone says, in one run of a small campaign."""
        return self.bench.figures({"model": [self._model(size)]}, candidates, 1)["model"]

    def second(self, candidates: Sequence[Candidate]) -> Seen:
        """Look at a larger campaign, corrected by some of the pilot's real answers."""
        scenes = {"model": [self._model(SECOND)], **self._pilot_scenes(FIRST, 1)}
        return self._corrected(candidates, scenes, 1)

    def last(self, candidates: Sequence[Candidate]) -> Seen:
        """Look at the campaign at its size, or at two sizes that lead to it."""
        draws = min(max(_DRAWN // len(self.basis.first(MOST_REPLAYED).pilot), 2), 4)
        scenes = {"model": [self._model(LARGEST)], **self._pilot_scenes(MOST_REPLAYED, draws)}
        if self.bench.aim.sentences > LARGEST:
            scenes["half"] = [self._model(LARGEST // 2)]
        return self._corrected(candidates, scenes, _LAST_RUNS)

    def _corrected(
        self, candidates: Sequence[Candidate], scenes: dict[str, list[Scene]], runs: int
    ) -> Seen:
        rows = self.bench.figures(scenes, candidates, runs)
        model, real, same = (rows[name] for name in ("model", "real", "same"))
        if "half" in rows:
            model = bounded(grown(rows["half"], model, LARGEST, self.bench.aim.sentences))
        found = corrected(model, real, same, [each.is_steered for each in candidates])
        return Seen(found, real - same)

    def _model(self, size: int) -> Scene:
        return self.basis.model(min(size, self.bench.aim.sentences), self.bench.seed)

    def _pilot_scenes(self, most: int, draws: int) -> dict[str, list[Scene]]:
        part, seed = self.basis.first(most), self.bench.seed
        return {"real": [part.real()], "same": [part.same(seed + k) for k in range(draws)]}
