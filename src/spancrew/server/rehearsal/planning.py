"""A plan for what is wanted, sought on a pilot or on what is assumed of a crowd."""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from spancrew.core import Dataset
from spancrew.formats import read
from spancrew.planner import Computing, Pilot, Wishes, assumed_source, pilot_of, plan_for
from spancrew.server.rehearsal.run import RehearsalJob
from spancrew.server.rehearsal.time_left import TimeLeft
from spancrew.wire import reading_of, wishes_of

MOST_SENTENCES = 1_000
"""A larger pilot is thinned: the crowd is fitted to it many times, to say how sure a plan is."""

_PHASES = ("fit", "search")
"""What the planner does: it fits the crowd to the pilot, then it rehearses plans."""

_OFTEN = 0.5
"""Seconds between two lines of progress."""

Tell = Callable[[dict[str, Any]], None]


def planned_of(job: RehearsalJob, tell: Tell) -> dict[str, Any]:
    """Return the plan for a job; refuse what can be refused first."""
    wishes = Wishes(**wishes_of(job.wishes))
    pilot = _pilot(job, wishes)
    # One process: those who label come first, and nothing is left behind when this one is ended.
    found = plan_for(pilot, wishes, PlanProgress(tell), Computing(processes=1))
    return found.as_json() | {"currency": wishes.currency}


def _pilot(job: RehearsalJob, wishes: Wishes) -> Pilot:
    if job.assume is not None:
        return assumed_source(job.assume, wishes)
    dataset = read(job.data, job.format, **reading_of(job.reading).options()).dataset
    return Pilot("pilot", _thinned(pilot_of(dataset)))


def _thinned(pilot: Dataset) -> Dataset:
    if len(pilot) <= MOST_SENTENCES:
        return pilot
    return pilot.take(np.linspace(0, len(pilot) - 1, MOST_SENTENCES).astype(np.int64))


class PlanProgress:
    """Turns the progress of the planner into lines: how far it is, and how long it will take."""

    def __init__(self, tell: Tell, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._left = TimeLeft(clock)
        self._phases = iter(_PHASES)
        self._phase = ""
        self._told = -math.inf

    def phase(self, _name: str) -> None:
        """Say that something else begins; how long it takes has nothing to do with the last."""
        self._phase = next(self._phases, self._phase)
        self._left = TimeLeft(self._clock)
        self._left(0.0)
        self._say(0, 1)

    def __call__(self, done: int, total: int) -> None:
        """Say how much is done, not too often."""
        if self._clock() - self._told >= _OFTEN:
            self._say(done, total)

    def _say(self, done: int, total: int) -> None:
        self._told = self._clock()
        left = self._left(done / max(total, 1))
        self._tell({"done": done, "of": total, "phase": self._phase, "left": left})
