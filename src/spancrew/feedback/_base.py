"""What a feedback rule is: it decides whose word counts on a sentence."""

from typing import NamedTuple, Protocol

from spancrew.consensus import Beliefs
from spancrew.core import Answers, BoolArray, FloatArray


class Verdict(NamedTuple):
    """Sentence by sentence: is the crowd trusted (else an expert is asked), and why.

    ``reason`` is the figure that decided: the agreement, or NaN where the rule looks at nothing.
    """

    trusted: BoolArray
    reason: FloatArray


class FeedbackRule(Protocol):
    """A stateless rule that looks at the answers on sentences and at the crowd's joint word."""

    @property
    def leave_one_out(self) -> bool:
        """Tell whether a worker is rewarded by the consensus of the others only."""
        ...

    def judge(self, answers: Answers, beliefs: Beliefs) -> Verdict:
        """Decide for every sentence."""
        ...
