"""Which candidate a worker gets: Algorithm 2 as the authors' code has it."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, Ragged, kernel, uniform
from spancrew.metrics import Metric

Codes = npt.NDArray[Any]

_EXACT = Metric("exact", "macro", empty=0.0)
_DIGITS = 12
"""Scores that agree so far are equal; beyond, sums of shares depend on their order."""


class Offer(NamedTuple):
    """The scores that a sentence's candidates have, from low to high, and an answer for each."""

    scores: FloatArray
    codes: Codes


def offer(candidates: Codes, gold: Codes, metric: Metric, state: np.uint64) -> Offer:
    """Settle the answer behind every score: the best by exact F1, one drawn among equals.

    It is drawn once for all workers: who needs the same score gives the same answer.
    """
    scores = _scores(candidates, gold, metric)
    exact = _scores(candidates, gold, _EXACT)
    order = np.lexsort((draws(state, len(candidates)), exact, scores))
    is_last = np.append(np.diff(scores[order]) > 0, True)
    best = order[is_last]
    return Offer(scores[best], candidates[best])


def _scores(candidates: Codes, gold: Codes, metric: Metric) -> FloatArray:
    """Return the F1 of every candidate on its own."""
    count, length = candidates.shape
    rows = Ragged(candidates.ravel(), np.arange(count + 1) * length)
    truth = Ragged(gold, np.array([0, length]))
    scores = metric.pairs(rows, truth, gold_rows=np.zeros(count, np.int64))
    return scores[:, 2].round(_DIGITS)


@kernel
def draws(state: np.uint64, size: int) -> FloatArray:
    """Return the first numbers of a stream."""
    out = np.empty(size)
    for k in range(size):
        out[k] = uniform(state, k)
    return out


class RunningAverage:
    """The state of Algorithm 2: what each worker's answers so far score, real ones included."""

    def __init__(self, targets: FloatArray) -> None:
        self._targets = targets
        self._sums = np.zeros(len(targets))
        self._counts = np.zeros(len(targets))

    def count(self, workers: IntArray, scores: FloatArray) -> None:
        """Add answers that are there."""
        self._sums[workers] += scores
        self._counts[workers] += 1

    def choose(self, scores: FloatArray, workers: IntArray) -> IntArray:
        """Choose one of the scores for each worker, and count it.

        Who is above their target gets the highest score that is not above it, others the lowest
        that is not below it; where there is none, the closest one on the other side.
        """
        targets = self._targets[workers]
        is_above = self._sums[workers] > targets * self._counts[workers]
        below = np.maximum(np.searchsorted(scores, targets, "right") - 1, 0)
        above = np.minimum(np.searchsorted(scores, targets, "left"), len(scores) - 1)
        chosen = np.where(is_above, below, above)
        self.count(workers, scores[chosen])
        return chosen
