"""Feedback rules that break a promise do not pass the contract."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest

from spancrew.consensus import Beliefs
from spancrew.core import Answers, BoolArray, FloatArray
from spancrew.errors import SpancrewError
from spancrew.feedback import (
    AgreementGate,
    CrowdOnly,
    Doubts,
    ExpertOnly,
    FeedbackRule,
    Prices,
    Situation,
    Threshold,
    Verdict,
)
from spancrew.testing import FeedbackContract
from tests.third_party import Loner, Optimist


@dataclass(frozen=True)
class Unpicklable(CrowdOnly):
    """Keeps something that no other process can be sent."""

    helper: Any = field(default_factory=lambda: lambda: None)


@dataclass(frozen=True)
class Nameless(CrowdOnly):
    """Has an option that no name can say."""

    weights: tuple[float, ...] = (0.5, 0.5)


@dataclass(frozen=True)
class Miser(ExpertOnly):
    """Says that it asks no experts, and asks them always."""

    asks_experts: ClassVar[bool] = False


@dataclass(frozen=True)
class Greedy(CrowdOnly):
    """Asks for more answers where none are left."""

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Trust, and ask for one more all the same."""
        verdict = CrowdOnly.judge(self, answers, beliefs, situation)
        return verdict._replace(more=np.ones(answers.sentences, bool))


@dataclass(frozen=True)
class Diary(CrowdOnly):
    """Remembers how often it was asked."""

    seen: list[int] = field(default_factory=list)

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Trust nobody the second time."""
        self.seen.append(1)
        trusted = np.full(answers.sentences, len(self.seen) == 1)
        return CrowdOnly.judge(self, answers, beliefs, situation)._replace(trusted=trusted)


@dataclass(frozen=True)
class FirstComeFirst(CrowdOnly):
    """Trusts where the first answer begins with a span."""

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Look at the first answer only."""
        verdict = CrowdOnly.judge(self, answers, beliefs, situation)
        for sentence in range(answers.sentences):
            first, last = answers.first[sentence : sentence + 2]
            verdict.trusted[sentence] = first < last and answers.codes[first][0] > 0
        return verdict


@dataclass(frozen=True)
class Elsewhere(AgreementGate):
    """Previews another threshold than the one it decides by."""

    def asks_at(self, figures: FloatArray, contested: BoolArray, prices: Prices) -> BoolArray:
        """Ask everywhere."""
        del contested, prices
        return np.ones(len(figures), bool)

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Decide as the gate does."""
        return AgreementGate(self.threshold).judge(answers, beliefs, situation)


@dataclass(frozen=True)
class Unmoved(AgreementGate):
    """Does not move its threshold when asked to."""

    def current_threshold(self, prices: Prices, doubts: Doubts) -> Threshold:
        """Return the same always."""
        del prices, doubts
        return Threshold("agreement", 0.65)


@dataclass(frozen=True)
class Pretender(CrowdOnly):
    """Has no threshold, and lets it be set."""

    def with_threshold(self, value: float, prices: Prices) -> FeedbackRule:
        """Return itself."""
        del value, prices
        return self


COPY = "test_it_is_the_same_again_from_a_copy_and_from_its_name"
LINE = "test_a_threshold_is_where_the_rule_asks"
BAD: list[tuple[Callable[[], Any], str]] = [
    (Unpicklable, COPY),
    (Nameless, COPY),
    (Loner, COPY),
    (Miser, "test_a_rule_that_asks_no_expert_says_so"),
    (Greedy, "test_whoever_is_trusted_needs_no_more_answers"),
    (Diary, "test_the_same_answers_get_the_same_verdict"),
    (FirstComeFirst, "test_a_verdict_does_not_depend_on_who_answers_first"),
    (Elsewhere, LINE),
    (Unmoved, LINE),
    (Pretender, LINE),
]


@pytest.mark.parametrize(("rule", "promise"), BAD)
def test_a_broken_promise_is_found(rule: Callable[[], Any], promise: str) -> None:
    """By the test that is meant for it."""
    contract = FeedbackContract()
    contract.rule = rule()

    with pytest.raises((AssertionError, SpancrewError, AttributeError, TypeError)):
        getattr(contract, promise)()


class TestOptimist(FeedbackContract):
    """A rule of others that keeps all promises."""

    rule = Optimist()
