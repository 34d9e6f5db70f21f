"""The crowd's word counts always: a campaign without experts."""

from dataclasses import dataclass

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers
from spancrew.feedback._base import Verdict


@dataclass(frozen=True, slots=True)
class CrowdOnly:
    """Never ask the expert.

    With ``leave_one_out`` a worker is rewarded by the consensus of the others, which errs more
    often; without it, as in the paper, by one that contains the worker's own vote, which flatters.
    """

    leave_one_out: bool = False

    def judge(self, answers: Answers, beliefs: Beliefs) -> Verdict:
        """Trust every crowd."""
        del beliefs
        return Verdict(np.ones(answers.sentences, bool), np.full(answers.sentences, np.nan))
