"""What a feedback rule is: it decides whether to trust the crowd or to ask an expert."""

from abc import abstractmethod
from typing import NamedTuple, Protocol

import numpy as np

from spancrew.consensus import Auto, Beliefs, Consensus, MajorityVote
from spancrew.core import Answers, BoolArray, FloatArray, IntArray
from spancrew.errors import InvalidArrayError, SpancrewError
from spancrew.feedback._doubts import Doubts
from spancrew.feedback._values import Prices, Threshold, Verdict


class Situation(NamedTuple):
    """What a rule may know beyond the answers: what was seen before, and what is possible.

    Sentence ``k`` belongs to run ``run[k]`` of the doubts, and up to ``left[k]`` more answers may
    be asked for on it. ``by_models``: no person has answered yet, and models are heard on all of
    the sentences.
    """

    doubts: Doubts
    run: IntArray
    left: IntArray
    prices: Prices
    by_models: bool = False

    @classmethod
    def first(cls, sentences: int) -> "Situation":
        """Return the situation in which nothing has been seen yet and all answers are in."""
        none = np.zeros(sentences, np.int64)
        return cls(Doubts.start(1), none, none, Prices())


class FeedbackRule(Protocol):
    """A stateless rule that looks at the answers on sentences and at what a method makes of them.

    Inherit it: ``decides_by`` and ``judge`` have to be written, all else has a default. A class
    that does not inherit it must have every member itself.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def decides_by(self) -> str:
        """Return what the reasons of verdicts are: agreement, errors, nothing or another word."""

    @abstractmethod
    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Decide for every sentence, in this order.

        Without a situation, nothing has been seen yet and all answers are in.
        """

    @property
    def leave_one_out(self) -> bool:
        """Tell whether a worker is rewarded by the consensus of the others only."""
        return False

    @property
    def first(self) -> int | None:
        """Return with how many answers a sentence starts; None for all.

        With 0, models are asked first: where one is heard, the rule looks before any person is
        asked; else a sentence starts with 1.
        """
        return None

    @property
    def asks_experts(self) -> bool:
        """Tell whether the rule ever asks an expert; if not, no money is put aside for one."""
        return True

    @property
    def needs_probabilities(self) -> bool:
        """Tell whether the rule looks at how sure a consensus method is.

        If not, it may be given beliefs without probabilities, which are cheaper.
        """
        return self.decides_by not in ("agreement", "nothing")

    @property
    def usual_consensus(self) -> Consensus:
        """Return the method to take where none is chosen: for errors, one that is calibrated."""
        return Auto() if self.decides_by == "errors" else MajorityVote()

    def current_threshold(self, prices: Prices, doubts: Doubts) -> Threshold | None:  # noqa: ARG002  for rules that have one
        """Return the threshold of the rule, by the first run of doubts; None if it has none."""
        return None

    def with_threshold(self, value: float, prices: Prices) -> "FeedbackRule":  # noqa: ARG002  for rules that have one
        """Return the same rule with another threshold."""
        raise SpancrewError("this rule has no threshold to set")

    def asks_at(self, figures: FloatArray, contested: BoolArray, prices: Prices) -> BoolArray:  # noqa: ARG002  for rules that have one
        """Tell on which sentences the expert is asked, by the figures that the rule decides by.

        For rules with a threshold that does not move. NaN stands where there is no figure, as for
        the agreement of a single answer.
        """
        raise SpancrewError("this rule has no threshold")


def weigh(
    rule: FeedbackRule,
    answers: Answers,
    beliefs: Beliefs,
    situation: Situation,
    before: FloatArray | None = None,
) -> Verdict:
    """Let a rule judge; nobody is asked for more where nobody is left.

    ``before`` are the errors that were expected with one answer less on every sentence, NaN where
    there was no look: the doubts of the situation learn from them first what one more answer does.
    """
    if before is not None:
        seen = ~np.isnan(before)
        situation.doubts.learn_answer(situation.run[seen], before[seen], beliefs.errors[seen])
    verdict = rule.judge(answers, beliefs, situation)
    for name, column in zip(verdict._fields, verdict, strict=True):
        if np.shape(column) != (answers.sentences,):
            raise InvalidArrayError(
                f"verdict of {type(rule).__name__}: {name!r} has the shape {np.shape(column)}, "
                f"but there are {answers.sentences} sentences"
            )
    return verdict._replace(more=verdict.more & (situation.left > 0))
