"""A crowd made up on the spot, to see what a policy does with it."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from spancrew.core import BoolArray, Chance, FloatArray, IntArray
from spancrew.policies import Policy, Standings

_DIFFICULTY, _NOISE, _ORDER = 21, 22, 23
"""Uses of chance, far from those of policies."""

_DIFFICULTY_SD, _NOISE_SD = 0.25, 0.25


@dataclass(frozen=True, slots=True)
class Trial:
    """Steps of selection from a crowd with a wide gap in skill.

    Skills go from 0.2 to 0.8 in equal steps, the worst worker first. A crew of ``size`` is cut
    into groups of ``group``, which share the difficulty of a sentence; rewards lie between 0 and 1
    and come ``delay`` steps late. Everything follows from the seed and the number of the run.
    """

    runs: range = range(20)
    workers: int = 12
    size: int = 4
    group: int = 2
    delay: int = 0
    cap: int | None = None
    seed: int = 0

    @property
    def skills(self) -> FloatArray:
        """Return the skill of every worker, without difficulty and noise."""
        return np.linspace(0.2, 0.8, self.workers)

    def standings(self, policy: Policy) -> Standings:
        """Return standings of the kind that a policy wants, in which nothing is known."""
        learning = policy.learning
        standings = Standings.start(
            len(self.runs), self.workers, memory=learning.memory, difficulty=learning.difficulty
        )
        standings.truth = self.skills
        return standings

    def play(
        self, policy: Policy, steps: int, standings: Standings | None = None
    ) -> tuple[IntArray, Standings]:
        """Return the crews of all steps (steps x runs x size) and what is known in the end."""
        known = self.standings(policy) if standings is None else standings
        chance = Chance.of(self.seed, self.runs)
        crews = np.empty((steps, len(self.runs), self.size), np.int64)
        late: deque[tuple[IntArray, IntArray, FloatArray]] = deque()
        for step in range(steps):
            now = chance.at(step)
            known.tick()
            known.available = self._available(crews[:step])
            crews[step] = policy.select(known, self.size, now)
            late.append(self._answers(crews[step], now))
            _count_pending(known, late[-1][0], late[-1][1], 1)
            if len(late) > self.delay:
                run, crew, rewards = late.popleft()
                _count_pending(known, run, crew, -1)
                known.learn(run, crew, rewards)
        return crews, known

    def mean_skill(self, crews: IntArray) -> FloatArray:
        """Return for every run the mean skill of those who were chosen."""
        skills = np.append(self.skills, np.nan)
        mean: FloatArray = np.nanmean(skills[crews], axis=(0, 2))
        return mean

    def _available(self, crews: IntArray) -> BoolArray:
        there = np.ones((len(self.runs), self.workers), bool)
        if self.cap is not None:
            for worker in range(self.workers):
                there[:, worker] = (crews == worker).sum(axis=(0, 2)) < self.cap
        return there

    def _answers(self, crew: IntArray, chance: Chance) -> tuple[IntArray, IntArray, FloatArray]:
        """Return run, workers and rewards of every group."""
        groups = self.size // self.group
        order = chance.shuffled(self.size, _ORDER)[:, : groups * self.group]
        mixed = np.take_along_axis(crew, order, 1).reshape(-1, self.group)
        difficulty = chance.normal(groups, _DIFFICULTY).reshape(-1, 1) * _DIFFICULTY_SD
        noise = chance.normal(groups * self.group, _NOISE).reshape(mixed.shape) * _NOISE_SD
        rewards = np.clip(self.skills[mixed] + difficulty + noise, 0.0, 1.0)
        return np.repeat(np.arange(len(crew)), groups), mixed, rewards


def _count_pending(standings: Standings, run: IntArray, crew: IntArray, change: int) -> None:
    row, place = np.nonzero(crew >= 0)
    np.add.at(standings.pending, (run[row], crew[row, place]), change)
