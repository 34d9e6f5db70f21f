"""The values that feedback rules deal in: prices, verdicts, thresholds."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray, IntArray
from spancrew.errors import SpancrewError


@dataclass(frozen=True, slots=True)
class Prices:
    """What an answer of a worker and one of an expert cost, in any currency."""

    answer: float = 0.1
    expert: float = 1.0

    def __post_init__(self) -> None:
        """Refuse negative prices."""
        for what, price in (("an answer", self.answer), ("an expert", self.expert)):
            if not price >= 0:
                raise SpancrewError(f"the price of {what} is {price:g}; it cannot be negative")


class Verdict(NamedTuple):
    """What a rule decides for every sentence: trust the crowd, else ask one more, else an expert.

    ``reason`` is the figure that decided: the agreement, the expected errors, or NaN where the
    rule looks at nothing. ``more`` is never set together with ``trusted``.
    """

    trusted: BoolArray
    reason: FloatArray
    more: BoolArray

    @classmethod
    def final(cls, trusted: BoolArray, reason: FloatArray) -> "Verdict":
        """Return a verdict that asks for no more answers: the crowd decides, or an expert."""
        return cls(trusted, reason, np.zeros(len(trusted), bool))

    def take(self, rows: IntArray) -> "Verdict":
        """Return the verdicts on some sentences, in the given order."""
        return Verdict(self.trusted[rows], self.reason[rows], self.more[rows])


class Threshold(NamedTuple):
    """Where a rule divides crowd from expert: ``below`` an agreement or ``above`` some errors.

    ``value`` is where it is now. One that ``moves`` follows a target, so it was elsewhere before.
    """

    by: Literal["agreement", "errors"]
    value: float
    moves: bool = False

    @property
    def asks(self) -> Literal["below", "above"]:
        """Return on which side of the threshold experts are asked."""
        return "below" if self.by == "agreement" else "above"
