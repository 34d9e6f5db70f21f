"""What is known of every worker, for many runs at once."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import BoolArray, FloatArray, IntArray, checked_numbers, kernel
from spancrew.errors import InvalidArrayError
from spancrew.policies._course import Course, relearn
from spancrew.policies._difficulty import Difficulty

NOBODY = -1
"""In place of a worker where a crew is not full."""

NO_ANSWER = 1e-12
"""Divides the rewards of who has none, so that their mean is 0."""


@dataclass(slots=True)
class Standings:
    """Counts and sums by run and worker, and who can be chosen now.

    ``count``, ``total`` and ``squares`` are number, sum and sum of squares of the rewards, old
    ones fading with ``memory``; ``pending`` counts answers that were asked for and not yet scored;
    ``time`` is the paper's t by run. ``price`` is per answer and worker. ``truth`` is the true
    mean score of every worker, known in a rehearsal only. ``difficulty`` is kept on demand.
    """

    count: FloatArray
    total: FloatArray
    squares: FloatArray
    pending: IntArray
    available: BoolArray
    time: IntArray
    price: FloatArray
    memory: float = 1.0
    truth: FloatArray | None = None
    difficulty: Difficulty | None = None

    @classmethod
    def start(
        cls, runs: int, workers: int, *, memory: float = 1.0, difficulty: bool = False
    ) -> "Standings":
        """Return standings in which nobody has done anything and everybody is there."""
        shape = runs, workers
        return cls(
            np.zeros(shape),
            np.zeros(shape),
            np.zeros(shape),
            np.zeros(shape, np.int64),
            np.ones(shape, bool),
            np.zeros(runs, np.int64),
            np.ones(workers),
            memory,
            difficulty=Difficulty.start(runs, workers) if difficulty else None,
        )

    def joined_by(self, price: float) -> "Standings":
        """Return the same standings with one more worker, of whom nothing is known."""
        return replace(
            self,
            count=_wider(self.count, 0.0),
            total=_wider(self.total, 0.0),
            squares=_wider(self.squares, 0.0),
            pending=_wider(self.pending, 0),
            available=_wider(self.available, fill=True),
            price=np.append(self.price, price),
            difficulty=None if self.difficulty is None else self.difficulty.joined(),
        )

    @property
    def mean(self) -> FloatArray:
        """Return the mean reward of every worker; 0 before the first one."""
        return self.total / np.maximum(self.count, NO_ANSWER)

    def mean_of(self, worker: int) -> float:
        """Return the mean reward of one worker in the first run, without those of all others."""
        return float(self.total[0, worker]) / max(float(self.count[0, worker]), NO_ANSWER)

    @property
    def pulls(self) -> FloatArray:
        """Return how often every worker was asked: scored answers and pending ones."""
        return self.count + self.pending

    def tick(self, runs: BoolArray | None = None) -> None:
        """Let a step pass, in all runs or in some: time goes on, old rewards fade."""
        passes = np.ones(len(self.time), bool) if runs is None else runs
        self.time += passes
        if self.memory < 1.0:
            left = np.where(passes, self.memory, 1.0)[:, None]
            for sums in (self.count, self.total, self.squares):
                np.multiply(sums, left, out=sums)
            if self.difficulty is not None:
                self.difficulty.fade(left)

    def learn(self, run: IntArray, crew: IntArray, rewards: FloatArray) -> None:
        """Add rewards: ``crew[k]`` answered one sentence in ``run[k]`` and got ``rewards[k]``.

        A worker of -1 is passed over, and so is a reward of NaN.
        """
        runs, workers = self.count.shape
        checked_numbers("runs of groups", run, below=runs)
        if not np.shape(crew) == np.shape(rewards) == (len(run), np.shape(crew)[-1]):
            raise InvalidArrayError(
                f"rewards of shape {np.shape(rewards)} for crews of shape {np.shape(crew)} in "
                f"{len(run)} groups: they must fit together"
            )
        checked_numbers("workers of groups", crew.ravel(), least=NOBODY, below=workers)
        self.add(run, crew, rewards)

    def add(self, run: IntArray, crew: IntArray, rewards: FloatArray) -> None:
        """Add rewards of which it is known that they fit: checks take longer than sums."""
        if self.difficulty is not None:
            self.difficulty.learn(run, crew, rewards)
        _add_rewards(run, crew, rewards, self.count, self.total, self.squares)

    def relearn(self, course: Course) -> None:
        """Let one run have learned all that is in a course, and nothing else, in its order.

        What comes out is to the last bit what :meth:`learn` came to, call by call.
        """
        difficulty = Difficulty.start(1, len(self.price))
        sums = np.zeros((3, len(self.price)))
        relearn(course, self.memory, sums, difficulty, with_difficulty=self.difficulty is not None)
        self.count[0], self.total[0], self.squares[0] = sums
        if self.difficulty is not None:
            self.difficulty = difficulty


def _wider(array: npt.NDArray[Any], fill: float) -> npt.NDArray[Any]:
    """Return an array of runs x workers with one more worker."""
    column = np.full((len(array), 1), fill, array.dtype)
    return np.concatenate([array, column], axis=1)


@kernel
def _add_rewards(
    run: IntArray,
    crew: IntArray,
    rewards: FloatArray,
    count: FloatArray,
    total: FloatArray,
    squares: FloatArray,
) -> None:
    """Add the rewards of groups, one group a row, to number, sum and sum of squares."""
    for row in range(len(run)):
        for k in range(crew.shape[1]):
            worker, reward = crew[row, k], rewards[row, k]
            if worker >= 0 and not math.isnan(reward):
                count[run[row], worker] += 1.0
                total[run[row], worker] += reward
                squares[run[row], worker] += reward * reward
