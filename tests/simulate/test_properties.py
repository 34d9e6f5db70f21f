"""What holds in every rehearsal, whatever the setting."""

from dataclasses import dataclass, field, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import FloatArray, IntArray, Ragged
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly, FeedbackRule
from spancrew.metrics import Metric
from spancrew.policies import (
    Cucb,
    DifficultyThompson,
    EpsilonGreedy,
    Oracle,
    Policy,
    Random,
    Thompson,
)
from spancrew.simulate import METRICS, Outcome, Prices, Scene, Setting, joined, rehearse
from spancrew.simulate._engine import Engine
from tests.simulate.small import small_scene

POLICIES: list[Policy] = [Random(), Cucb(0.3), EpsilonGreedy(0.2), Thompson()]
RULES: list[FeedbackRule] = [ExpertOnly(), CrowdOnly(), AgreementGate(0.4)]
EXACT = Metric("exact")


@dataclass(frozen=True)
class Noted:
    """A feedback rule that writes down who answered in every group it judged."""

    rule: FeedbackRule
    workers: list[list[int]] = field(default_factory=list)

    @property
    def leave_one_out(self) -> bool:
        """Return what the rule says."""
        return self.rule.leave_one_out

    def judge(self, answers, beliefs):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """Let the rule decide."""
        for first, last in zip(answers.first, answers.first[1:], strict=False):
            self.workers.append(answers.worker[first:last].tolist())
        return self.rule.judge(answers, beliefs)
