"""Where a rule draws the line between crowd and expert, and the same rule with another line."""

import math
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray
from spancrew.errors import SpancrewError
from spancrew.feedback._adaptive import Adaptive
from spancrew.feedback._base import FeedbackRule
from spancrew.feedback._doubts import Doubts
from spancrew.feedback._expected_error import ExpectedErrorGate
from spancrew.feedback._gate import AgreementGate
from spancrew.feedback._prices import Prices
from spancrew.feedback._steering import aim_of, errors_limit, has_target

_ROUNDING = 1e-9


class Threshold(NamedTuple):
    """A line on a figure: the expert is asked ``below`` an agreement, or ``above`` some errors.

    ``value`` is where it is now. One that ``moves`` follows a target, so that it was elsewhere
    before.
    """

    by: Literal["agreement", "errors"]
    value: float
    moves: bool = False

    @property
    def asks(self) -> Literal["below", "above"]:
        """Return on which side of the line experts are asked."""
        return "below" if self.by == "agreement" else "above"


def threshold_of(rule: FeedbackRule, prices: Prices, doubts: Doubts) -> Threshold | None:
    """Return where a rule draws the line, by the first run of doubts; None if it draws none."""
    if isinstance(rule, AgreementGate):
        return Threshold("agreement", rule.threshold)
    if not isinstance(rule, ExpectedErrorGate | Adaptive) or not prices.expert:
        return None
    aim = aim_of(rule.error_cost, rule.quality, rule.expert_share)
    if has_target(aim):
        return Threshold("errors", float(errors_limit(aim, doubts, 0, prices.expert)), moves=True)
    return Threshold("errors", prices.expert / aim.error_cost if aim.error_cost else math.inf)


def with_threshold(rule: FeedbackRule, value: float, prices: Prices) -> FeedbackRule:
    """Return the same rule with its line elsewhere.

    Expected errors are compared with what they cost, so it is ``error_cost`` that changes: to the
    price of an expert divided by the threshold. A quality or a share that was aimed at is given
    up, as they move the threshold by themselves.
    """
    if isinstance(rule, AgreementGate):
        return replace(rule, threshold=value)
    if not isinstance(rule, ExpectedErrorGate | Adaptive) or not prices.expert:
        raise SpancrewError("this rule has no threshold to set")
    if not 0 < value < math.inf:
        raise SpancrewError(f"threshold {value:g}: expected errors are more than 0")
    cost = _short(prices.expert / value)
    return replace(rule, error_cost=cost, quality=None, expert_share=None)


def asked_at(
    rule: FeedbackRule, figures: FloatArray, contested: BoolArray, prices: Prices
) -> BoolArray:
    """Tell on which sentences a rule without a target asks the expert, by what it decides by.

    NaN stands where there is no agreement, as on a sentence with a single answer.
    """
    if isinstance(rule, AgreementGate):
        margin = _ROUNDING if rule.equal == "expert" else -_ROUNDING
        asked: BoolArray = ~(figures > rule.threshold + margin)
        return asked | contested if rule.ties == "expert" else asked
    if not isinstance(rule, ExpectedErrorGate | Adaptive):
        raise SpancrewError("this rule has no threshold")
    aim = aim_of(rule.error_cost, rule.quality, rule.expert_share)
    above: BoolArray = np.asarray(figures * aim.error_cost > prices.expert + _ROUNDING)
    return above


def _short(value: float) -> float:
    """Return a number that people can read, off by less than a thousandth."""
    return float(f"{value:.4g}")
