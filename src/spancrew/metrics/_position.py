"""Whether workers prefer the response that stands first, whatever it says."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spancrew.core import Answers, BoolArray, FloatArray, IntArray, normal_quantile
from spancrew.metrics._ordinal import questions_of

_FEWEST = 2
"""Choices without which chance cannot be told."""


class PositionBias(NamedTuple):
    """By worker: on how many ``pairs`` they and others chose a side, and the ``bias``.

    The bias is how much more often than the others, on the same pairs, they chose the first
    response: 0.1 is ten in a hundred pairs. ``low`` and ``high`` bound it at 95 %. All three are
    NaN for fewer than two pairs.
    """

    pairs: IntArray
    bias: FloatArray
    low: FloatArray
    high: FloatArray

    def __repr__(self) -> str:
        """Return how many workers there are."""
        return f"PositionBias(of {len(self.bias):,} workers)"


def position_bias(
    answers: Answers,
    sides: Sequence[int | None],
    workers: int,
    turned: BoolArray | None = None,
) -> PositionBias:
    """Return how much each worker prefers the first response; ``sides`` is that of each label.

    A label that prefers neither is left out. What all workers have in common does not show: it
    looks like a difference of the responses. Where the order was drawn for each answer, and
    ``turned`` tells which ones saw the second response first, it does: the bias is how much more
    often than half of the time the response that was shown first is chosen.
    """
    side = np.array([-1 if each is None else each for each in sides])[_labels(answers)]
    question, who = (
        questions_of(answers),
        np.repeat(answers.worker.astype(np.int64), answers.codes.lengths),
    )
    decided = np.flatnonzero(side >= 0)
    if turned is not None:
        is_turned = np.repeat(turned, answers.codes.lengths)[decided]
        return _means(who[decided], (side[decided] == is_turned) - 0.5, workers)
    question, who, first = question[decided], who[decided], (side[decided] == 0).astype(float)
    given = np.bincount(question)[question] if len(question) else np.zeros(0, np.int64)
    chosen = np.bincount(question, first)[question] if len(question) else first
    shared = np.flatnonzero(given > 1)
    others = (chosen[shared] - first[shared]) / (given[shared] - 1)
    return _means(who[shared], first[shared] - others, workers)


def _means(who: IntArray, more: FloatArray, workers: int) -> PositionBias:
    count = np.bincount(who, minlength=workers)
    is_enough = count >= _FEWEST
    size = np.where(is_enough, count, 1)
    bias = np.bincount(who, more, minlength=workers) / size
    off = (more - bias[who]) ** 2 if len(who) else more
    spread = np.bincount(who, off, minlength=workers) / np.maximum(count - 1, 1)
    half = normal_quantile(0.975) * np.sqrt(spread / size)
    found = (np.where(is_enough, each, np.nan) for each in (bias, bias - half, bias + half))
    return PositionBias(count, *found)


def _labels(answers: Answers) -> IntArray:
    return (answers.codes.values.astype(np.int64) - 1) // 2
