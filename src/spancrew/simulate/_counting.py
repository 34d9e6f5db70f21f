"""What a step changes in every run: experts, answers and regret."""

import math
from typing import NamedTuple, Self

import numpy as np

from spancrew.core import BoolArray, FloatArray, IntArray, kernel
from spancrew.policies import NOBODY, Groups


class Kept(NamedTuple):
    """What is kept from step to step: the last two count answers, paid and not yet scored.

    ``by_expert`` is by run and sentence, all else by run and worker.
    """

    warm_sentence: IntArray
    by_expert: BoolArray
    answered: IntArray
    pending: IntArray


class StepCounts(NamedTuple):
    """What one step adds.

    ``experts`` and ``regret`` are by run. The others have the shape of the crews: who gave a
    ``new`` answer, and which ``learner`` gets which ``reward`` for it; nobody elsewhere.
    """

    experts: IntArray
    regret: FloatArray
    new: IntArray
    learner: IntArray
    reward: FloatArray

    @classmethod
    def start(cls, shape: tuple[int, ...], runs: int) -> Self:
        """Return counts of nothing; what is by crew is to be filled."""
        new, learner = np.empty((2, *shape), np.int64)
        return cls(np.zeros(runs, np.int64), np.zeros(runs), new, learner, np.empty(shape))


@kernel
def count_step(
    groups: Groups,
    trusted: BoolArray,
    true: FloatArray,
    rewards: FloatArray,
    best: FloatArray,
    kept: Kept,
    counted: StepCounts,
) -> None:
    """Count what the groups of a step did; ``true`` and ``rewards`` have an entry per answer.

    Who repeats the answer of their warm-up, or gets no reward (NaN), learns nothing.
    """
    answer = 0
    for row in range(len(groups.run)):
        run, sentence = groups.run[row], groups.sentence[row]
        if not trusted[row]:
            kept.by_expert[run, sentence] = True
            counted.experts[run] += 1
        for k in range(groups.crew.shape[1]):
            worker = groups.crew[row, k]
            counted.new[row, k], counted.learner[row, k] = NOBODY, NOBODY
            counted.reward[row, k] = 0.0
            if worker < 0:
                continue
            counted.regret[run] += best[row] - true[answer]
            if kept.warm_sentence[run, worker] != sentence:
                kept.answered[run, worker] += 1
                counted.new[row, k] = worker
                if not math.isnan(rewards[answer]):
                    kept.pending[run, worker] += 1
                    counted.learner[row, k] = worker
                    counted.reward[row, k] = rewards[answer]
            answer += 1


@kernel
def take_off(run: IntArray, crew: IntArray, pending: IntArray) -> None:
    """Take the answers of groups off those that are not yet scored."""
    for row in range(len(run)):
        for k in range(crew.shape[1]):
            if crew[row, k] >= 0:
                pending[run[row], crew[row, k]] -= 1
