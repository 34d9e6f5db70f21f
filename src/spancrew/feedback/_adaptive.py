"""As many answers as pay, then the expert where the errors to be expected are worth it."""

from dataclasses import dataclass
from typing import ClassVar

from spancrew.consensus import Beliefs
from spancrew.core import Answers
from spancrew.errors import SpancrewError
from spancrew.feedback._base import Situation
from spancrew.feedback._steering import aim_of, steered
from spancrew.feedback._verdict import Verdict


@dataclass(frozen=True, slots=True)
class Adaptive:
    """Start with ``first`` answers, ask for one more where that pays, then decide.

    One more answer pays where the errors that it is expected to spare, by what such answers did
    before, cost more than it. Then the expert is asked as by ``ExpectedErrorGate``, which knows
    ``error_cost``, ``quality`` and ``expert_share``. Where one of the last two is given,
    ``error_cost`` says only how much answers are worth; unless told, an error then costs so much
    that the expert is worth their price at the threshold.
    """

    decides_by: ClassVar[str] = "errors"
    error_cost: float | None = None
    quality: float | None = None
    expert_share: float | None = None
    first: int = 2
    leave_one_out: bool = True

    def __post_init__(self) -> None:
        """Refuse two targets at once, numbers that are none, and to start without an answer."""
        aim_of(self.error_cost, self.quality, self.expert_share)
        if self.first < 1:
            raise SpancrewError(f"first {self.first}: a sentence starts with at least 1 answer")

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Ask for one more answer, or compare the expected errors with what they may be."""
        aim = aim_of(self.error_cost, self.quality, self.expert_share)
        return steered(aim, answers, beliefs, situation, grows=True)
