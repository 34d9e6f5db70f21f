"""What the tests of sweeps share: scenes, cells, policies that leave traces, a sweep to kill."""

import os
import signal
import sys
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import numpy as np

from spancrew.core import Chance, IntArray
from spancrew.crowds import Replay
from spancrew.feedback import CrowdOnly, ExpertOnly
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.policies import (
    Cucb,
    DifficultyThompson,
    Discounted,
    Policy,
    Random,
    Standings,
    Thompson,
)
from spancrew.simulate import Cell, Outcome, Scene, Setting, scene_of, sweep
from tests.simulate.small import small_scene

SETTING = Setting(Cucb(), crew=4, answers=2, runs=7)
EXACT = Metric("exact")
UNUSUAL = (
    Cell("small", SETTING),
    Cell("small", replace(SETTING, policy=Thompson(), feedback=CrowdOnly(), seed=3)),
    Cell("small", replace(SETTING, policy=Discounted(0.8), attendance=0.5)),
    Cell("small", replace(SETTING, policy=DifficultyThompson(), cap=8, delay=2)),
    Cell("small", replace(SETTING, worker_prices=tuple(0.1 * k for k in range(1, 10)))),
    Cell("small", replace(SETTING, feedback=ExpertOnly(), runs=1), (EXACT,)),
    Cell("replay", replace(SETTING, attendance=0.8, delay=1)),
)


@cache
def scenes() -> dict[str, Scene]:
    """Return a scene in which all can answer everything, and one in which they cannot."""
    return {"small": small_scene(), "replay": small_scene(share=0.6)}


@cache
def demo_scene() -> Scene:
    """Return sixty sentences of the bundled data with their real answers."""
    part = read("demo").dataset.take(np.arange(60))
    return scene_of(part, Replay(part))


def differences(one: Outcome, other: Outcome) -> list[str]:
    """Return the fields in which two outcomes differ, to the last bit."""
    return [f.name for f in fields(Outcome) if _bits(one, f.name) != _bits(other, f.name)]


def _bits(outcome: Outcome, name: str) -> object:
    value = getattr(outcome, name)
    if isinstance(value, dict):
        return {key: _array_bits(array) for key, array in value.items()}
    return _array_bits(value) if isinstance(value, np.ndarray) else value


def _array_bits(array: np.ndarray) -> tuple[object, ...]:
    return array.dtype, array.shape, array.flags.c_contiguous, array.tobytes()


@dataclass(frozen=True, slots=True)
class Traced(Policy):
    """Choose by chance, and write down how many runs begin."""

    log: str

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return available workers in random order."""
        if chance.step == 1:
            with Path(self.log).open("a", encoding="utf-8") as file:
                file.write(f"{len(standings.time)}\n")
        return Random().select(standings, size, chance)


@dataclass(frozen=True, slots=True)
class Deadly(Policy):
    """Kill the process in which it is asked, unless that is the one it comes from."""

    home: int

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return available workers in random order, if anything."""
        if os.getpid() != self.home:
            os.kill(os.getpid(), signal.SIGKILL)
        return Random().select(standings, size, chance)


def traced_runs(log: Path) -> int:
    """Return how many runs have begun since the log was removed."""
    return sum(map(int, log.read_text("utf-8").split())) if log.exists() else 0


def traced_cells(log: Path) -> list[Cell]:
    """Return eight cells that leave traces."""
    return [
        Cell("small", Setting(Traced(str(log)), crew=4, answers=2, runs=5, seed=seed))
        for seed in range(8)
    ]


def begin(log: str, keep: str) -> None:
    """Sweep with two processes; print how far it is, then wait to be stopped."""
    # Whoever runs the tests in the background may have told everybody to ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def progress(done: int, total: int) -> None:
        sys.stdout.write(f"{done} of {total}\n")
        sys.stdout.flush()
        if done == 3:
            signal.pause()

    sweep(scenes(), traced_cells(Path(log)), processes=2, keep=Path(keep), progress=progress)
