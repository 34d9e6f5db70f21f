"""The crowd's word counts always: a campaign without experts."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers
from spancrew.feedback._base import Situation
from spancrew.feedback._verdict import Verdict


@dataclass(frozen=True, slots=True)
class CrowdOnly:
    """Never ask the expert.

    With ``leave_one_out`` a worker is rewarded by the consensus of the others, which errs more
    often; without it, as in the paper, by one that contains the worker's own vote, which flatters.
    """

    first: ClassVar[None] = None
    decides_by: ClassVar[str] = "nothing"
    leave_one_out: bool = False

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Trust every crowd."""
        del beliefs, situation
        return Verdict.final(np.ones(answers.sentences, bool), np.full(answers.sentences, np.nan))
