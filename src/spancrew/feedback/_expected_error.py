"""The expert where the errors to be expected are worth it."""

from dataclasses import dataclass
from typing import ClassVar

from spancrew.consensus import Beliefs
from spancrew.core import Answers
from spancrew.errors import SpancrewError
from spancrew.feedback._base import Situation
from spancrew.feedback._steering import aim_of, has_target, steered
from spancrew.feedback._verdict import Verdict


@dataclass(frozen=True, slots=True)
class ExpectedErrorGate:
    """Ask the expert where the expected errors of a sentence cost more than the expert does.

    One of three is given: ``error_cost``, what a wrong or missing span costs in the currency of
    the prices (3 unless told); ``quality``, the exact F1 that the final labels shall have; or
    ``expert_share``, the share of the sentences that experts shall label. The last two are met by
    a threshold that moves with what was seen. With ``leave_one_out`` a worker is rewarded by what
    the others make of a sentence.
    """

    first: ClassVar[None] = None
    decides_by: ClassVar[str] = "errors"
    error_cost: float | None = None
    quality: float | None = None
    expert_share: float | None = None
    leave_one_out: bool = True

    def __post_init__(self) -> None:
        """Refuse two aims at once, and numbers that are none."""
        aim = aim_of(self.error_cost, self.quality, self.expert_share)
        if self.error_cost is not None and has_target(aim):
            raise SpancrewError(
                f"error_cost {self.error_cost:g} decides nothing where quality or expert_share is "
                "given; give one of the three"
            )

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Compare the expected errors with what they may be."""
        aim = aim_of(self.error_cost, self.quality, self.expert_share)
        return steered(aim, answers, beliefs, situation, grows=False)
