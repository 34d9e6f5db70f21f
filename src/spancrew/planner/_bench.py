"""Where candidates are rehearsed: scenes by name, on all cores, with the progress of the whole."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spancrew.core import FloatArray
from spancrew.planner._aim import Aim
from spancrew.planner._candidates import Candidate, in_pilot
from spancrew.planner._figures import figures_of
from spancrew.policies import Random
from spancrew.simulate import EXACT, Cell, Scene, Setting, sweep

Progress = Callable[[int, int], None]
"""Called with what is done, and with all that there is to do."""

PARTS = 1_000
"""Into how many parts of progress a whole plan is cut."""


class Meter:
    """Turns the progress of one stage after the other into that of the whole.

    Each stage has its share of the time, which was measured.
    """

    def __init__(self, progress: Progress, shares: Sequence[float]) -> None:
        self._progress = progress
        self._shares = [share / sum(shares) for share in shares]
        self._stage = 0

    def __call__(self, done: int, total: int) -> None:
        """Take how far the stage is."""
        before = sum(self._shares[: self._stage])
        part = self._shares[self._stage] * done / max(total, 1)
        self._progress(round(PARTS * (before + part)), PARTS)

    def end_stage(self) -> None:
        """Begin the next stage."""
        self(1, 1)
        self._stage = min(self._stage + 1, len(self._shares) - 1)


@dataclass(frozen=True)
class Bench:
    """How candidates are rehearsed."""

    aim: Aim
    seed: int
    processes: int | None
    meter: Meter

    def figures(
        self,
        scenes: Mapping[str, Sequence[Scene]],
        candidates: Sequence[Candidate],
        runs: int,
    ) -> dict[str, FloatArray]:
        """Return the mean figures by sort of scene (scenes x candidates x 4).

        Where a sort has several scenes, each is rehearsed once.
        """
        flat = {
            f"{name} {k}": each for name, some in scenes.items() for k, each in enumerate(some)
        }
        cells = [
            Cell(
                f"{name} {k}",
                self._setting(candidate, scene, runs if len(some) == 1 else 1),
                (EXACT,),
            )
            for name, some in scenes.items()
            for k, scene in enumerate(some)
            for candidate in candidates
        ]
        outcomes = sweep(flat, cells, processes=self.processes, progress=self.meter)
        means = np.array([figures_of(outcome).mean(axis=0) for outcome in outcomes])
        rows = iter(means.reshape(len(flat), len(candidates), 4))
        return {name: np.array([next(rows) for _ in some]) for name, some in scenes.items()}

    def _setting(self, candidate: Candidate, scene: Scene, runs: int) -> Setting:
        """Return how a candidate is rehearsed in a scene, where answers are looked up at random.

        Among the few who have answered a sentence of the pilot a policy can choose as it cannot in
        a campaign, so what it gains there says nothing about the model.
        """
        found = in_pilot(candidate.setting(self.aim, runs, self.seed), int(scene.people.sum()))
        return found if scene.can is None else replace(found, policy=Random())
