"""Rules that ask the expert where the expected errors are worth it."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers, BoolArray, FloatArray
from spancrew.errors import SpancrewError
from spancrew.feedback._base import FeedbackRule, Situation
from spancrew.feedback._doubts import Doubts
from spancrew.feedback._steering import GateAim, aim_of, errors_limit, has_target, steered
from spancrew.feedback._values import Prices, Threshold, Verdict

_ROUNDING = 1e-9
"""A cost within this of the price of an expert is that price."""


@dataclass(frozen=True, slots=True)
class ErrorRule(FeedbackRule):
    """What rules by expected errors share: their aim, and the threshold that follows from it."""

    decides_by: ClassVar[str] = "errors"
    error_cost: float | None = None
    quality: float | None = None
    expert_share: float | None = None

    @property
    def aim(self) -> GateAim:
        """Return what is aimed at; refuse two targets at once, and numbers that are none."""
        return aim_of(self.error_cost, self.quality, self.expert_share)

    def current_threshold(self, prices: Prices, doubts: Doubts) -> Threshold | None:
        """Return the errors above which the expert is asked; None if experts cost nothing."""
        if not prices.expert:
            return None
        aim = self.aim
        if has_target(aim):
            limit = errors_limit(aim, doubts, 0, prices.expert)
            return Threshold("errors", limit, moves=True)
        return Threshold("errors", prices.expert / aim.error_cost if aim.error_cost else math.inf)

    def with_threshold(self, value: float, prices: Prices) -> Self:
        """Return the same rule with another threshold.

        Expected errors are compared with what they cost, so it is ``error_cost`` that changes: to
        the price of an expert divided by the threshold. A quality or a share that was aimed at is
        given up, as they move the threshold by themselves.
        """
        if not prices.expert:
            raise SpancrewError("this rule has no threshold to set: experts cost nothing")
        if not 0 < value < math.inf:
            raise SpancrewError(f"threshold {value:g}: expected errors are more than 0")
        # Four digits are enough, and people can read them.
        cost = float(f"{prices.expert / value:.4g}")
        return replace(self, error_cost=cost, quality=None, expert_share=None)

    def asks_at(self, figures: FloatArray, contested: BoolArray, prices: Prices) -> BoolArray:
        """Tell where the expected errors cost more than an expert."""
        del contested
        above: BoolArray = np.asarray(figures * self.aim.error_cost > prices.expert + _ROUNDING)
        return above


@dataclass(frozen=True, slots=True)
class ExpectedErrorGate(ErrorRule):
    """Ask the expert where the expected errors of a sentence cost more than the expert does.

    One of three is given: ``error_cost``, what a wrong or missing span costs in the currency of
    the prices (3 by default); ``quality``, the exact F1 that the final labels should reach; or
    ``expert_share``, the share of the sentences that experts should label. The last two are met by
    a threshold that moves with what was seen. With ``leave_one_out`` a worker is rewarded by what
    the others make of a sentence.
    """

    leave_one_out: bool = True

    def __post_init__(self) -> None:
        """Refuse two aims at once, and numbers that are none."""
        if has_target(self.aim) and self.error_cost is not None:
            raise SpancrewError(
                f"error_cost {self.error_cost:g} decides nothing where quality or expert_share is "
                "given; give one of the three"
            )

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Compare the expected errors with what they may be."""
        return steered(self.aim, answers, beliefs, situation, grows=False)


@dataclass(frozen=True, slots=True)
class Adaptive(ErrorRule):
    """Start with ``first`` answers of people, ask for one more where that pays, then decide.

    With 0 models come first: people are asked only where the models that are heard leave doubt.

    One more answer pays where the errors that it is expected to spare, by what such answers did
    before, cost more than it. Then the expert is asked as by ``ExpectedErrorGate``, which knows
    ``error_cost``, ``quality`` and ``expert_share``. Where one of the last two is given,
    ``error_cost`` says only how much answers are worth; without it, an error costs as
    much as makes an expert worth their price at the threshold.
    """

    first: int = 2
    leave_one_out: bool = True

    def __post_init__(self) -> None:
        """Refuse two targets at once, and numbers that are none."""
        _ = self.aim
        if self.first < 0:
            raise SpancrewError(f"first {self.first}: a sentence starts with at least 0 answers")

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Ask for one more answer, or compare the expected errors with what they may be."""
        return steered(self.aim, answers, beliefs, situation, grows=True)
