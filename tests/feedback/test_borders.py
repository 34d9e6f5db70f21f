"""Runs, doubts and verdicts that do not fit are refused before a kernel reads them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Beliefs, MajorityVote
from spancrew.core import Answers, Ragged
from spancrew.errors import SpancrewError
from spancrew.feedback import (
    Doubts,
    ExpectedErrorGate,
    FeedbackRule,
    Prices,
    Situation,
    Verdict,
    crowd_rewards,
    sizes_of,
    weigh,
)
from spancrew.metrics import Metric

ANSWERS = Answers(
    np.array([0, 0, 1], np.int32), np.array([0, 1, 0], np.int32), Ragged.of([[1], [1], [0]]), 2
)
BELIEFS = MajorityVote().judge(ANSWERS, np.array([1, 1]))
RULE = ExpectedErrorGate()


@dataclass(frozen=True)
class Curt(FeedbackRule):
    """Judge the first sentence only."""

    decides_by: ClassVar[str] = "nothing"

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Say too little."""
        del answers, beliefs, situation
        return Verdict.final(np.ones(1, bool), np.zeros(1))


@given(st.lists(st.integers(-2, 4), max_size=3))
def test_runs_are_known_or_refused(run: list[int]) -> None:
    """One for every sentence."""
    doubts, left = Doubts.start(3), np.zeros(2, np.int64)
    situation = Situation(doubts, np.array(run, np.int64), left, Prices())
    verdict = RULE.judge(ANSWERS, BELIEFS)
    if len(run) == 2 and set(run) <= {0, 1, 2}:
        assert len(RULE.judge(ANSWERS, BELIEFS, situation).trusted) == 2
        doubts.learn(np.array(run), BELIEFS, verdict)
        doubts.learn_answer(np.array(run), BELIEFS.errors, BELIEFS.errors)
        return
    with pytest.raises(SpancrewError):
        RULE.judge(ANSWERS, BELIEFS, situation)
    with pytest.raises(SpancrewError):
        doubts.learn(np.array(run, np.int64), BELIEFS, verdict)
    with pytest.raises(SpancrewError):
        doubts.learn_answer(np.array(run, np.int64), BELIEFS.errors, BELIEFS.errors)


def test_errors_that_are_no_number_are_refused() -> None:
    """NaN would be a place outside of the histogram."""
    quick = MajorityVote().labels_only(ANSWERS, np.array([1, 1]))
    none = np.zeros(2, np.int64)
    with pytest.raises(SpancrewError, match="expected errors: NaN"):
        RULE.judge(ANSWERS, quick)
    with pytest.raises(SpancrewError, match="NaN"):
        Doubts.start(1).add(none, quick.errors, np.ones(2), RULE.judge(ANSWERS, BELIEFS))
    with pytest.raises(SpancrewError, match="expected spans: the shape is"):
        sizes_of(BELIEFS._replace(expected=np.ones(3)))


@given(st.lists(st.integers(-4, 4), max_size=4))
def test_rewards_are_for_answers_that_are_there(rows: list[int]) -> None:
    """With one's own vote and without it."""
    those = np.array(rows, np.int64)
    for model in (None, MajorityVote()):
        if set(rows) <= {0, 1, 2}:
            assert len(crowd_rewards(ANSWERS, BELIEFS, Metric(), those, model)) == len(rows)
        else:
            with pytest.raises(SpancrewError, match="rows of answers"):
                crowd_rewards(ANSWERS, BELIEFS, Metric(), those, model)


def test_a_verdict_is_about_every_sentence() -> None:
    """The message names the rule."""
    with pytest.raises(SpancrewError, match="verdict of Curt: 'trusted' has the shape"):
        weigh(Curt(), ANSWERS, BELIEFS, Situation.first(2))
