"""What a feedback rule is: it decides whose word counts on a sentence."""

from typing import NamedTuple, Protocol

import numpy as np

from spancrew.consensus import Auto, Beliefs, Consensus, MajorityVote
from spancrew.core import Answers, IntArray
from spancrew.feedback._doubts import Doubts
from spancrew.feedback._prices import Prices
from spancrew.feedback._verdict import Verdict


class Situation(NamedTuple):
    """What a rule may know beyond the answers: whatever was seen before, and what is possible.

    Sentence ``k`` belongs to run ``run[k]`` of the doubts, and up to ``left[k]`` more answers may
    be asked for on it.
    """

    doubts: Doubts
    run: IntArray
    left: IntArray
    prices: Prices

    @classmethod
    def first(cls, sentences: int) -> "Situation":
        """Return the situation in which nothing has been seen yet and all answers are in."""
        none = np.zeros(sentences, np.int64)
        return cls(Doubts.start(1), none, none, Prices())


class FeedbackRule(Protocol):
    """A stateless rule that looks at the answers on sentences and at the crowd's joint word."""

    @property
    def leave_one_out(self) -> bool:
        """Tell whether a worker is rewarded by the consensus of the others only."""
        ...

    @property
    def first(self) -> int | None:
        """Return with how many answers a sentence starts; None for all."""
        ...

    @property
    def decides_by(self) -> str:
        """Return what the reasons of verdicts are: agreement, errors, nothing or another word.

        A rule that decides by agreement or by nothing may be given beliefs without probabilities.
        """
        ...

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Decide for every sentence, in this order.

        Without a situation, nothing has been seen yet and all answers are in.
        """
        ...


def looks_at_doubts(rule: FeedbackRule) -> bool:
    """Tell whether a rule needs to know how sure a consensus method is."""
    return rule.decides_by not in ("agreement", "nothing")


def usual_consensus(rule: FeedbackRule) -> Consensus:
    """Return the method to take with a rule unless told: for errors, one whose doubts are real."""
    return Auto() if rule.decides_by == "errors" else MajorityVote()
