"""All that standings were made of, in its order, so that they can be made once more.

Rewards fade, and each changes how much the next one counts, so that none can be taken back from
the sums. A corrected reward is put where the old one was, and everything is learned anew.
"""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray, IntArray, kernel, kernel_part
from spancrew.policies._difficulty import Difficulty, follow, learn_group

JOINED = -1
"""In a course: a worker came."""
PASSED = -2
"""In a course: a step passed."""
LEARNED = -3
"""In a course: what was added before is learned together."""


class Course(NamedTuple):
    """What happened to the standings of one run.

    ``what`` are the numbers of rows that were added, and what is not a row: joined, passed or
    learned. A row has the ``worker`` and ``reward`` of every answer from ``first`` to the first
    of the next; NaN where nothing was learned from an answer.
    """

    what: IntArray
    first: IntArray
    worker: IntArray
    reward: FloatArray


def relearn(
    course: Course,
    memory: float,
    sums: FloatArray,
    difficulty: Difficulty,
    *,
    with_difficulty: bool,
) -> None:
    """Add everything to number, sum and sum of squares of the rewards, and to the difficulty."""
    weight, total, parts = difficulty.weight[0], difficulty.total[0], difficulty.parts[0]
    _relearn(course, memory, sums, weight, total, parts, with_difficulty)


@kernel
def _relearn(
    course: Course,
    memory: float,
    sums: FloatArray,
    weight: FloatArray,
    total: FloatArray,
    parts: FloatArray,
    with_difficulty: bool,
) -> None:
    here, added = 0, 0
    excess = np.empty(len(course.worker))
    for what in course.what:
        if what == JOINED:
            here += 1
        elif what == PASSED:
            # By 1.0 where nothing fades, which changes nothing.
            sums *= memory
            weight *= memory
            total *= memory
        elif what == LEARNED:
            if with_difficulty and added:
                follow(weight[:here], total[:here], parts)
            added = 0
        else:
            added += 1
            low, high = course.first[what], course.first[what + 1]
            crew, rewards = course.worker[low:high], course.reward[low:high]
            if with_difficulty:
                learn_group(crew, rewards, weight, total, parts, excess)
            _add(crew, rewards, sums)


@kernel_part
def _add(crew: IntArray, rewards: FloatArray, sums: FloatArray) -> None:
    for k in range(len(crew)):
        if not math.isnan(rewards[k]):
            sums[0, crew[k]] += 1.0
            sums[1, crew[k]] += rewards[k]
            sums[2, crew[k]] += rewards[k] * rewards[k]
