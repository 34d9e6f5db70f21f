"""Trust the crowd where it agrees, ask the expert elsewhere."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, get_args

from spancrew.consensus import Beliefs
from spancrew.core import Answers, BoolArray, FloatArray
from spancrew.errors import SpancrewError
from spancrew.feedback._base import FeedbackRule, Situation
from spancrew.feedback._doubts import Doubts
from spancrew.feedback._values import Prices, Threshold, Verdict
from spancrew.metrics import AGREEMENTS, AgreementName, agreement

_ROUNDING = 1e-9
"""Agreement within this of the threshold is at the threshold."""

LabelTies = Literal["expert", "paper"]
AtThreshold = Literal["expert", "crowd"]


@dataclass(frozen=True, slots=True)
class AgreementGate(FeedbackRule):
    """Trust the crowd where its agreement is above ``threshold``; ask the expert elsewhere.

    ``ties``: with ``expert``, a sentence on which two labels have as many votes goes to the
    expert whatever its agreement; ``paper`` lets agreement alone decide. ``equal`` says who
    decides at the threshold itself: the expert (the paper's text) or the crowd (its code).
    """

    decides_by: ClassVar[str] = "agreement"
    threshold: float = 0.65
    kappa: AgreementName = "fleiss"
    ties: LabelTies = "expert"
    equal: AtThreshold = "expert"
    leave_one_out: bool = False

    def __post_init__(self) -> None:
        """Refuse a threshold that no agreement can meet, and unknown words."""
        if not -1 <= self.threshold <= 1:
            raise SpancrewError(
                f"threshold {self.threshold:g}: agreement is at most 1, so a threshold is from -1 "
                "to 1; to ask the expert always, use the rule 'expert'"
            )
        for what, value, known in (
            ("kappa", self.kappa, AGREEMENTS),
            ("ties", self.ties, get_args(LabelTies)),
            ("equal", self.equal, get_args(AtThreshold)),
        ):
            if value not in known:
                raise SpancrewError(f"{what} {value!r} is not known (one of {', '.join(known)})")

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Compare agreement with the threshold; a single answer has none: the expert is asked."""
        found = agreement(answers, self.kappa)
        prices = Prices() if situation is None else situation.prices
        return Verdict.final(~self.asks_at(found, beliefs.contested, prices), found)

    @property
    def trusts_ties(self) -> bool:
        """Tell whether the crowd may decide where two labels have as many votes."""
        return self.ties == "paper"

    @property
    def bound(self) -> float:
        """Return the number that agreement must be above for the crowd to be trusted."""
        return self.threshold + (_ROUNDING if self.equal == "expert" else -_ROUNDING)

    def current_threshold(self, prices: Prices, doubts: Doubts) -> Threshold:
        """Return the agreement above which the crowd is trusted."""
        del prices, doubts
        return Threshold("agreement", self.threshold)

    def with_threshold(self, value: float, prices: Prices) -> Self:
        """Return the same rule with another threshold."""
        del prices
        return replace(self, threshold=value)

    def asks_at(self, figures: FloatArray, contested: BoolArray, prices: Prices) -> BoolArray:
        """Tell where agreement is not above the threshold, or two labels have as many votes."""
        del prices
        # Agreement may be NaN, which is above nothing.
        asked: BoolArray = ~(figures > self.bound)
        return asked if self.trusts_ties else asked | contested
