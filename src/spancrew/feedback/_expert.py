"""The expert answers every sentence: the paper's benchmark."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers
from spancrew.feedback._base import Situation
from spancrew.feedback._verdict import Verdict


@dataclass(frozen=True, slots=True)
class ExpertOnly:
    """Ask the expert about every sentence; the expert's word contains no worker's."""

    first: ClassVar[None] = None
    decides_by: ClassVar[str] = "nothing"
    leave_one_out: ClassVar[bool] = False

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Trust no crowd."""
        del beliefs, situation
        return Verdict.final(np.zeros(answers.sentences, bool), np.full(answers.sentences, np.nan))
