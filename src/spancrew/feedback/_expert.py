"""The expert answers every sentence: the paper's benchmark."""

from dataclasses import dataclass

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers
from spancrew.feedback._base import Verdict


@dataclass(frozen=True, slots=True)
class ExpertOnly:
    """Ask the expert about every sentence."""

    @property
    def leave_one_out(self) -> bool:
        """Return False: the expert's word contains no worker's."""
        return False

    def judge(self, answers: Answers, beliefs: Beliefs) -> Verdict:
        """Trust no crowd."""
        del beliefs
        return Verdict(np.zeros(answers.sentences, bool), np.full(answers.sentences, np.nan))
