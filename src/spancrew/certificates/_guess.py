"""What the consensus itself states of its labels: a guess, and a base to plan audits on."""

import math

import numpy as np

from spancrew.certificates._interval import Totals, ratio_value
from spancrew.certificates._labels import AuditedLabels
from spancrew.certificates._part import Part, delivered_part
from spancrew.certificates._ratio import F1, Ratio
from spancrew.core import normal_quantile
from spancrew.errors import SpancrewError

_TOO_SURE = 2.0


def stated(part: Part, ratio: Ratio) -> float:
    """Return a ratio as it is if all expectations are right."""
    return ratio_value(part, ratio, Totals(*(float(column.sum()) for column in part.stated)))


def audits_needed(labels: AuditedLabels, half_width: float, level: float = 0.95) -> int:
    """Return about how many audits give F1 an interval of this half-width.

    The variance is twice that of the stated probabilities, which nobody has checked, and by which
    every span is right or wrong by itself: consensus methods are too sure more often than not.
    """
    if not 0 < half_width < 1:
        raise SpancrewError(f"half-width {half_width:g} is not between 0 and 1; 0.03 is usual")
    part = delivered_part(labels, np.arange(len(labels.labels)))
    given, right, true = part.stated
    crowd = len(given)
    value = stated(part, F1)
    below = float(given.sum() + true.sum()) + part.fixed.delivered + part.fixed.true
    if not crowd or below <= 0:
        return crowd
    share = np.clip(right / np.maximum(given, 1), 0.0, 1.0)
    spread = (2 - value) ** 2 * given * share * (1 - share)
    missing = value**2 * np.maximum(true - right, 0.0)
    reach = normal_quantile((1 + level) / 2) * crowd / below / half_width
    without_end = reach**2 * _TOO_SURE * float((spread + missing).mean())
    return min(max(math.ceil(without_end / (1 + without_end / crowd)), 1), crowd)
