"""Which of the reachable scores a worker gets: the paper's Algorithm 2, and always the closest."""

import numpy as np

from spancrew.core import FloatArray, IntArray


def below(scores: FloatArray, targets: FloatArray) -> IntArray:
    """Return the highest score below each target; where there is none, the closest above.

    >>> below(np.array([0.0, 0.5, 1.0]), np.array([0.5, 0.0])).tolist()
    [0, 0]
    """
    return np.maximum(np.searchsorted(scores, targets, "left") - 1, 0)


def above(scores: FloatArray, targets: FloatArray) -> IntArray:
    """Return the lowest score above each target; where there is none, the closest below.

    >>> above(np.array([0.0, 0.5, 1.0]), np.array([0.5, 1.0])).tolist()
    [2, 2]
    """
    return np.minimum(np.searchsorted(scores, targets, "right"), len(scores) - 1)


def closest(scores: FloatArray, targets: FloatArray) -> IntArray:
    """Return the score closest to each target; of two at the same distance, the lower one.

    >>> closest(np.array([0.0, 0.5, 1.0]), np.array([0.25, 0.8, 7.0])).tolist()
    [0, 2, 2]
    """
    right = np.minimum(np.searchsorted(scores, targets, "left"), len(scores) - 1)
    left = np.maximum(right - 1, 0)
    return np.where(targets - scores[left] <= scores[right] - targets, left, right)


class RunningMean:
    """The state of Algorithm 2: what every worker has so far, and what they should have."""

    def __init__(self, targets: FloatArray) -> None:
        self._targets = targets
        self._sums = np.zeros(len(targets))
        self._counts = np.zeros(len(targets))

    def next(self, scores: FloatArray, workers: IntArray) -> IntArray:
        """Choose one of the scores for each of the workers, and count it."""
        targets, counts = self._targets[workers], self._counts[workers]
        is_high = self._sums[workers] > targets * counts
        chosen = np.where(is_high, below(scores, targets), above(scores, targets))
        is_new = counts == 0
        if is_new.any():
            chosen = np.where(is_new, closest(scores, targets), chosen)
        self._sums[workers] += scores[chosen]
        self._counts[workers] += 1
        return chosen


class Closest:
    """SES without Algorithm 2: every answer on its own as close to the target as can be."""

    def __init__(self, targets: FloatArray) -> None:
        self._targets = targets

    def next(self, scores: FloatArray, workers: IntArray) -> IntArray:
        """Choose one of the scores for each of the workers."""
        return closest(scores, self._targets[workers])
