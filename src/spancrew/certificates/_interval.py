"""Estimates of precision, recall and F1 from an audit, with intervals.

The estimator is the difference estimator of survey sampling, known as prediction-powered
inference: what was predicted of all sentences, corrected by how wrong that was on the audited
ones. It is right on average whatever the consensus believes.
"""

import math
from typing import NamedTuple

import numpy as np

from spancrew.certificates._part import Part, PartCounts
from spancrew.certificates._prediction import Prediction, predicted
from spancrew.certificates._quantile import t_quantile
from spancrew.certificates._ratio import Ratio
from spancrew.certificates._values import Estimate
from spancrew.core import FloatArray

_EXPECTED = 10.0
"""Audits that the stated uncertainty counts for in the variance: small samples look too calm."""


class Totals(NamedTuple):
    """Sums over the crowd's sentences."""

    delivered: float
    right: float
    true: float


def estimated(part: Part, ratio: Ratio, prediction: Prediction, level: float) -> Estimate:
    """Return a ratio with its interval."""
    counts = predicted(part.stated, prediction)
    sums = totals(part, counts)
    value = ratio_value(part, ratio, sums)
    if part.share <= 1:
        return Estimate(value, value, value)
    below = ratio.below(sums.delivered + part.fixed.delivered, sums.true + part.fixed.true)
    if below <= 0:
        return Estimate(value, 0.0, 1.0)
    lost = losses(part.found, ratio, value)
    expected = losses(counts, ratio, value)
    residual = (lost - expected[part.drawn]) / np.sqrt(1 - prediction.leverage)
    stated = ratio.factor * max(float(expected.mean()), 0.0) * _right_share(counts)
    variance = _variance(residual, stated)
    more, less = _reach(lost, variance, ratio.factor, len(expected), level)
    scale = len(expected) / below
    best = max(_at_best(part, ratio), value)
    return Estimate(value, max(value - more * scale, 0.0), min(value + less * scale, best))


def totals(part: Part, counts: PartCounts) -> Totals:
    """Return the right and true spans of the crowd's sentences, within what is possible."""
    found = part.found

    def corrected(predictions: FloatArray, seen: FloatArray) -> float:
        return float(predictions.sum() + part.share * (seen - predictions[part.drawn]).sum())

    delivered = float(counts.delivered.sum())
    most = delivered - float((found.delivered - found.right).sum())
    right = min(max(corrected(counts.right, found.right), float(found.right.sum())), most)
    true = max(corrected(counts.true, found.true), float(found.true.sum()), right)
    return Totals(delivered, right, true)


def ratio_value(part: Part, ratio: Ratio, sums: Totals) -> float:
    """Return a ratio of the part, what is certain beside it included."""
    delivered, right, true = sums
    sure = part.fixed
    return ratio.value(right + sure.right, delivered + sure.delivered, true + sure.true)


def losses(counts: PartCounts, ratio: Ratio, value: float) -> FloatArray:
    """Return what errors take away from a ratio: wrong spans, and missing ones by its value."""
    wrong, missing = counts.delivered - counts.right, counts.true - counts.delivered
    lost: FloatArray = ratio.factor * wrong + ratio.of_true * value * missing
    return lost


def _right_share(counts: PartCounts) -> float:
    """Return the predicted share of right spans: errors vary less where they are not rare."""
    delivered = float(counts.delivered.sum())
    return min(max(float(counts.right.sum()) / delivered, 0.0), 1.0) if delivered > 0 else 1.0


def _variance(residual: FloatArray, stated: float) -> float:
    """Return the variance of residuals, drawn towards what was stated while there are few."""
    seen = float(((residual - residual.mean()) ** 2).sum())
    return (seen + _EXPECTED * stated) / (len(residual) - 1 + _EXPECTED)


def _reach(
    lost: FloatArray, variance: float, one: float, sentences: int, level: float
) -> tuple[float, float]:
    """Return how much more and how much less may be lost by sentence than was estimated.

    Less: the usual interval of a mean, by Student's t and the linearised variance, with the
    correction for a finite population. More: errors are rare and differ in size, so that a sample
    can have few or none of them and look calm. As in Wilson's interval of a share, the variance is
    the one that would hold if more was lost, with ``one`` error beside those that were seen.
    """
    audits = len(lost)
    quantile = t_quantile((1 + level) / 2, max(audits - 1, 1))
    step = quantile**2 * (1 / audits - 1 / sentences)
    size = (float(lost @ lost) + one**2) / (float(lost.sum()) + one)
    growth = step * max(size - 2 * float(lost.mean()), 0.0)
    usual = math.sqrt(step * variance)
    root = math.sqrt(growth**2 + 4 * (1 + step) * step * variance)
    return max((growth + root) / (2 * (1 + step)), usual), usual


def _at_best(part: Part, ratio: Ratio) -> float:
    """Return the ratio if every sentence that was not audited is entirely right."""
    found = part.found
    delivered = float(part.stated.delivered.sum())
    right = delivered - float((found.delivered - found.right).sum())
    true = right + float((found.true - found.right).sum())
    return ratio_value(part, ratio, Totals(delivered, right, true))
