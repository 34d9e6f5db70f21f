"""What another threshold would have done to the sentences that were judged so far."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray
from spancrew.feedback import FeedbackRule, Prices, Threshold, feedback_name
from spancrew.server.live.picture import Picture, figure_of
from spancrew.server.refusals import invalid
from spancrew.wire import Bin, PreviewView, ThresholdView

_BINS = 25
_WIDEST = 1e6


class Rule(NamedTuple):
    """The rule in force, where it draws the line, and what experts cost."""

    rule: FeedbackRule
    threshold: Threshold | None
    prices: Prices


def threshold_view(picture: Picture, now: Rule, at: float | None) -> ThresholdView:
    """Return figure and threshold of the rule in force, and what another threshold would do."""
    name = feedback_name(now.rule)
    threshold = now.threshold
    if threshold is None:
        if at is not None:
            raise invalid(f"the rule {name!r} has no threshold", "leave 'at' out")
        return ThresholdView(by="nothing", feedback=name, version=picture.version)
    figures = _Figures(picture, figure_of(name))
    low, high = _range(threshold, figures.values)
    return ThresholdView(
        by=threshold.by,
        asks=threshold.asks,
        feedback=name,
        value=threshold.value if math.isfinite(threshold.value) else None,
        moves=threshold.moves,
        lowest=low,
        highest=high,
        judged=len(figures.values),
        experts=figures.experts(now),
        without=int(np.isnan(figures.values).sum()),
        histogram=_histogram(figures.values, low, high),
        preview=None if at is None else _preview(figures, now, at),
        version=picture.version,
    )


class _Figures:
    """The figures of the sentences that were judged for good, as far as they are of this kind."""

    def __init__(self, picture: Picture, by: str) -> None:
        those = [each for each in picture.judged.values() if each.outcome != "more"]
        if by == "errors":
            found = [each.errors for each in those]
        else:
            those = [each for each in those if each.by == by]
            found = [math.nan if each.reason is None else each.reason for each in those]
        self.values: FloatArray = np.array(found, np.float64)
        self.contested = np.array([each.contested for each in those], bool)
        self.asked = sum(each.outcome == "expert" for each in those)

    def experts(self, now: Rule) -> int:
        """Return for how many an expert is asked; a threshold that moves was not always here."""
        if now.threshold is not None and now.threshold.moves:
            return self.asked
        return int(now.rule.asks_at(self.values, self.contested, now.prices).sum())


def _preview(figures: _Figures, now: Rule, at: float) -> PreviewView:
    if now.threshold is not None and now.threshold.by == "errors" and at <= 0:
        raise invalid(f"at {at:g}: expected errors are more than 0", "give a larger number")
    other = now.rule.with_threshold(at, now.prices)
    then = int(other.asks_at(figures.values, figures.contested, now.prices).sum())
    more = then - figures.experts(now)
    return PreviewView(
        at=at,
        experts=then,
        more=more,
        money=round(more * now.prices.expert, 9),
        feedback=feedback_name(other),
    )


def _range(threshold: Threshold, values: FloatArray) -> tuple[float, float]:
    """Return between which figures a threshold is worth moving."""
    known = values[~np.isnan(values)]
    if threshold.by == "agreement":
        lowest = min(known.min(initial=0.0), threshold.value)
        return max(math.floor(lowest * 4) / 4, -1.0), 1.0
    now = threshold.value if threshold.value < _WIDEST else 0.0
    most = float(np.quantile(known, 0.98)) if len(known) else 0.0
    return 0.0, max(1.0, math.ceil(max(most, 1.5 * now) * 2) / 2)


def _histogram(values: FloatArray, low: float, high: float) -> tuple[Bin, ...]:
    """Return bins of equal width; what lies beyond counts in the last one."""
    known = np.clip(values[~np.isnan(values)], low, high)
    counts, edges = np.histogram(known, _BINS, (low, high))
    pairs = zip(edges.tolist(), edges.tolist()[1:], counts.tolist(), strict=False)
    return tuple(Bin(low=round(a, 9), high=round(b, 9), sentences=n) for a, b, n in pairs)
