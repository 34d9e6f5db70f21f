"""The mean F1 that every worker should have, and the choice of scores that leads to it.

The choice is the paper's Algorithm 2, or always the closest score.
"""

from collections.abc import Mapping

import numpy as np

from spancrew.core import Dataset, FloatArray, IntArray
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric, answer_scores


def mean_scores(dataset: Dataset, metric: Metric) -> FloatArray:
    """Return the mean F1 of every worker's answers, each scored on its own.

    NaN for a worker without answers on sentences with gold.
    """
    scores = answer_scores(dataset, metric)[:, 2]
    known = ~np.isnan(scores)
    worker, size = dataset.answers.worker[known], len(dataset.workers)
    counts = np.bincount(worker, minlength=size)
    means = np.full(size, np.nan)
    sums = np.bincount(worker, scores[known], minlength=size)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def targets_of(
    dataset: Dataset, metric: Metric, given: Mapping[str, float] | None
) -> dict[str, float]:
    """Return the target of every worker: the one given, else the mean F1 of their answers.

    Workers that only ``given`` knows come after those of the data set.
    """
    if not dataset.has_gold.any():
        raise SpancrewError(
            "no sentence has gold, and SES makes its answers from gold spans: add the experts' "
            "spans to the data set first"
        )
    means = dict(zip(dataset.workers, mean_scores(dataset, metric).tolist(), strict=True))
    targets = {worker: float(value) for worker, value in (means | dict(given or {})).items()}
    if not targets:
        raise SpancrewError(
            "the data set has no workers; give each one a target F1, for example "
            '{"w1": 0.62, "w2": 0.48} (--targets FILE)'
        )
    for worker, value in targets.items():
        _refuse_bad(worker, value)
    return targets


def _refuse_bad(worker: str, value: float) -> None:
    if np.isnan(value):
        raise SpancrewError(
            f"worker {worker!r} has no answer on a sentence with gold, so their F1 is not known: "
            "give them a target (--targets FILE), or leave them out"
        )
    if not 0 <= value <= 1:
        raise SpancrewError(
            f"worker {worker!r}: target F1 {value:g} is not between 0 and 1 (write 0.62, not 62)"
        )


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
    """SES without Algorithm 2: each answer has the score closest to the target."""

    def __init__(self, targets: FloatArray) -> None:
        self._targets = targets

    def next(self, scores: FloatArray, workers: IntArray) -> IntArray:
        """Choose one of the scores for each of the workers."""
        return closest(scores, self._targets[workers])
