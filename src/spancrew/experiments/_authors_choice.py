"""Which candidate a worker gets: Algorithm 2 as the authors' code has it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, Ragged, kernel, uniform
from spancrew.metrics import Metric

Codes = npt.NDArray[Any]

_EXACT = Metric("exact", "macro", empty=0.0)
_DIGITS = 12
"""Scores that agree so far are equal; beyond, sums of shares depend on their order."""


class Offer:
    """The candidates of a sentence by their score.

    ``scores`` are those that some candidate has, from low to high. Ties are broken by the numbers
    of the stream ``state``.
    """

    def __init__(self, candidates: Codes, gold: Codes, metric: Metric, state: np.uint64) -> None:
        self._candidates = candidates
        self._gold = gold
        self._state = state
        found = _scores(candidates, gold, metric)
        self.scores, self._level = np.unique(found, return_inverse=True)

    def answers(self, levels: IntArray) -> Codes:
        """Return an answer for each of the scores: the best by exact F1, drawn among equals.

        It is drawn once for all: workers who get the same score get the same answer.
        """
        is_wanted = np.zeros(len(self.scores), bool)
        is_wanted[levels] = True
        rows = np.flatnonzero(is_wanted[self._level])
        exact = _scores(self._candidates[rows], self._gold, _EXACT)
        best = np.zeros(len(self.scores), np.int64)
        find_best(self._state, rows, self._level[rows], exact, best)
        return self._candidates[best[levels]]


def _scores(candidates: Codes, gold: Codes, metric: Metric) -> FloatArray:
    """Return the F1 of every candidate on its own."""
    count, length = candidates.shape
    rows = Ragged(candidates.ravel(), np.arange(count + 1) * length)
    truth = Ragged(gold, np.array([0, length]))
    scores = metric.pairs(rows, truth, gold_rows=np.zeros(count, np.int64))
    return scores[:, 2].round(_DIGITS)


@kernel
def find_best(
    state: np.uint64, rows: IntArray, level: IntArray, exact: FloatArray, best: IntArray
) -> None:
    """Find the row with the highest exact F1 on every level, then with the highest number."""
    highest, number = np.full(len(best), -1.0), np.zeros(len(best))
    for k in range(len(rows)):
        at, drawn = level[k], uniform(state, rows[k])
        if exact[k] > highest[at] or (exact[k] == highest[at] and drawn > number[at]):
            highest[at], number[at], best[at] = exact[k], drawn, rows[k]


class RunningAverage:
    """The state of Algorithm 2: what each worker's answers so far score, real ones included."""

    def __init__(self, targets: FloatArray) -> None:
        self._targets = targets
        self._sums = np.zeros(len(targets))
        self._counts = np.zeros(len(targets))

    def count(self, workers: npt.NDArray[np.integer], scores: FloatArray) -> None:
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
