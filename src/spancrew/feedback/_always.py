"""Rules that look at nothing: always the expert, or always the crowd."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers
from spancrew.feedback._base import FeedbackRule, Situation
from spancrew.feedback._values import Verdict


@dataclass(frozen=True, slots=True)
class ExpertOnly(FeedbackRule):
    """Ask the expert about every sentence: the paper's benchmark."""

    decides_by: ClassVar[str] = "nothing"

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Trust no crowd."""
        del beliefs, situation
        return Verdict.final(np.zeros(answers.sentences, bool), np.full(answers.sentences, np.nan))


@dataclass(frozen=True, slots=True)
class CrowdOnly(FeedbackRule):
    """Never ask the expert.

    With ``leave_one_out`` a worker is rewarded by the consensus of the others, which errs more
    often; without it, as in the paper, by one that contains the worker's own vote, which flatters.
    """

    decides_by: ClassVar[str] = "nothing"
    asks_experts: ClassVar[bool] = False
    leave_one_out: bool = False

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Trust every crowd."""
        del beliefs, situation
        return Verdict.final(np.ones(answers.sentences, bool), np.full(answers.sentences, np.nan))
