"""Stated confidence against what turned out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray, IntArray, Ragged, offsets_of

BINS = 10
"""Confidence is compared by tenths."""

_DRAWS = 20
"""How often chance is played through."""


class Calibration(NamedTuple):
    """How far the stated confidence in sentences is from the share of them that is right.

    By tenths of confidence: ``sentences``, the mean ``confidence`` stated for them, and the share
    ``right`` whose labels were all as in gold; both NaN where there are none. ``error`` is the
    distance between the two, as a mean over sentences; ``by_chance`` is the error that a method
    with perfect confidence would have on as many sentences, by chance alone.
    """

    sentences: IntArray
    confidence: FloatArray
    right: FloatArray
    error: float
    by_chance: float

    def as_json(self) -> dict[str, Any]:
        """Return plain values; None for a tenth without sentences."""
        return {
            "error": self.error,
            "by_chance": self.by_chance,
            "sentences": self.sentences.tolist(),
            "confidence": [None if np.isnan(value) else value for value in self.confidence],
            "right": [None if np.isnan(value) else value for value in self.right],
        }


def calibration(
    confidence: FloatArray, is_right: BoolArray, rng: np.random.Generator
) -> Calibration:
    """Compare the confidence in sentences with whether they are right; ``rng`` plays chance."""
    tenth = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
    sentences = np.bincount(tenth, minlength=BINS)
    stated = _sums_by(tenth, confidence)
    right = _sums_by(tenth, is_right)
    draws = (rng.random(len(confidence)) < confidence for _ in range(_DRAWS))
    by_chance = [np.abs(stated - _sums_by(tenth, drawn)).sum() for drawn in draws]
    return Calibration(
        sentences,
        _means(stated, sentences),
        _means(right, sentences),
        float(np.abs(stated - right).sum() / len(confidence)),
        float(np.mean(by_chance) / len(confidence)),
    )


def pooled(found: Sequence[Calibration]) -> Calibration:
    """Return the tenths of several runs together; the errors are means over runs."""
    sentences = np.sum([each.sentences for each in found], axis=0)
    stated = np.sum([_sums(each.confidence, each.sentences) for each in found], axis=0)
    right = np.sum([_sums(each.right, each.sentences) for each in found], axis=0)
    return Calibration(
        sentences,
        _means(stated, sentences),
        _means(right, sentences),
        float(np.mean([each.error for each in found])),
        float(np.mean([each.by_chance for each in found])),
    )


def are_right(labels: Ragged, gold: Ragged) -> BoolArray:
    """Tell for every sentence whether all its labels are as in gold."""
    wrong = offsets_of(labels.values != gold.values)[gold.offsets]
    are: BoolArray = np.diff(wrong) == 0
    return are


def _sums_by(tenth: IntArray, values: FloatArray | BoolArray) -> FloatArray:
    return np.bincount(tenth, values, minlength=BINS).astype(np.float64)


def _means(sums: FloatArray, counts: IntArray) -> FloatArray:
    means: FloatArray = np.full(len(sums), np.nan)
    return np.divide(sums, counts, out=means, where=counts > 0)


def _sums(means: FloatArray, counts: IntArray) -> FloatArray:
    return np.where(counts > 0, means, 0.0) * counts
