"""The F1 of labels of which some were compared with the truth: all, a random sample, or none."""

import numpy as np

from spancrew.certificates._guess import stated
from spancrew.certificates._interval import Totals, estimated, ratio_value
from spancrew.certificates._part import Part
from spancrew.certificates._prediction import AS_STATED, learned
from spancrew.certificates._ratio import F1
from spancrew.certificates._values import Estimate

_TOO_SURE = 2.0
"""Errors for each that is stated, at worst, where nothing has been compared."""


def sampled_f1(part: Part, level: float = 0.95) -> Estimate:
    """Return the F1 of a part, with an interval of this level by its sample.

    Without a sample it is a guess, by what was stated: between no errors and twice as many.
    """
    if not len(part.stated.delivered):
        value = ratio_value(part, F1, Totals(0.0, 0.0, 0.0))
        return Estimate(value, value, value)
    if not len(part.drawn):
        low, high = (_if_wrong(part, times) for times in (_TOO_SURE, 0.0))
        return Estimate(stated(part, F1), low, high)
    return estimated(part, F1, learned(part) if len(part.drawn) > 1 else AS_STATED, level)


def _if_wrong(part: Part, times: float) -> float:
    """Return the F1 if there are so many errors for each that is stated."""
    delivered, right, true = part.stated
    kept = np.maximum(delivered - times * np.maximum(delivered - right, 0.0), 0.0)
    missing = times * np.maximum(true - right, 0.0)
    sums = Totals(float(delivered.sum()), float(kept.sum()), float((kept + missing).sum()))
    return ratio_value(part, F1, sums)
