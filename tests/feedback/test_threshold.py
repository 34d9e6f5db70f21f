"""Where rules draw the line, and what they do when it is moved."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Beliefs
from spancrew.core import Answers, Ragged
from spancrew.errors import SpancrewError
from spancrew.feedback import (
    Adaptive,
    AgreementGate,
    CrowdOnly,
    Doubts,
    ExpectedErrorGate,
    ExpertOnly,
    FeedbackRule,
    Prices,
    Situation,
)
from spancrew.metrics import agreement

DOUBTS = Doubts.start(1)


def beliefs_of(errors: np.ndarray, contested: np.ndarray) -> Beliefs:
    """Return beliefs on sentences of one token, with so many errors to be expected."""
    size = len(errors)
    labels = Ragged(np.ones(size, np.uint8), np.arange(size + 1))
    return Beliefs(labels, contested, np.ones(size), np.ones(size), errors, np.ones(size))


@given(
    st.lists(st.floats(0, 4), min_size=1, max_size=20),
    st.floats(0.01, 5),
    st.floats(0.1, 10),
)
def test_errors_are_asked_about_as_the_rule_does(
    errors: list[float], value: float, expert: float
) -> None:
    """The rule with a threshold asks the expert where the preview says so, and nowhere else."""
    figures, prices = np.array(errors), Prices(0.1, expert)
    size = len(errors)
    none = np.zeros(size, np.int64)
    codes = Ragged(np.ones(size, np.uint8), np.arange(size + 1))
    answers = Answers(np.arange(size, dtype=np.int32), none.astype(np.int32), codes, size)
    rule = ExpectedErrorGate(quality=0.9).with_threshold(value, prices)
    situation = Situation(Doubts.start(1), none, none, prices)
    verdict = rule.judge(answers, beliefs_of(figures, none.astype(bool)), situation)

    found = rule.current_threshold(prices, DOUBTS)
    assert found is not None
    assert found.value == pytest.approx(value, rel=1e-3)
    asked = rule.asks_at(figures, none.astype(bool), prices)
    assert asked.tolist() == (~verdict.trusted).tolist()


@pytest.mark.parametrize("ties", ["expert", "paper"])
@pytest.mark.parametrize("equal", ["expert", "crowd"])
@pytest.mark.parametrize("value", [-1.0, 0.0, 0.25, 1.0])
def test_agreement_is_asked_about_as_the_rule_does(ties: str, equal: str, value: float) -> None:
    """At the threshold, with ties, and where a single answer has no agreement."""
    rng = np.random.default_rng(5)
    per = [1, 2, 2, 3, 3, 4, 4, 4]
    sentence = np.repeat(np.arange(len(per)), per).astype(np.int32)
    worker = np.concatenate([np.arange(n) for n in per]).astype(np.int32)
    tokens = 4 * len(sentence)
    codes = Ragged(rng.integers(0, 3, tokens).astype(np.uint8), np.arange(0, tokens + 1, 4))
    answers = Answers(sentence, worker, codes, len(per))
    contested = np.arange(len(per)) % 3 == 0
    old = AgreementGate(0.65, ties=ties, equal=equal)  # type: ignore[arg-type]
    rule = old.with_threshold(value, Prices())
    verdict = rule.judge(answers, beliefs_of(np.zeros(len(per)), contested))

    asked = rule.asks_at(agreement(answers), contested, Prices())
    assert asked.tolist() == (~verdict.trusted).tolist()
    assert rule.current_threshold(Prices(), DOUBTS) == ("agreement", value, False)


def test_costs_and_prices_make_a_threshold() -> None:
    """An expert is worth it above their price by the cost of an error."""
    prices = Prices(0.1, 2.0)
    plain = Adaptive(error_cost=8.0).current_threshold(prices, DOUBTS)
    free = ExpectedErrorGate(error_cost=0.0).current_threshold(prices, DOUBTS)
    aimed = ExpectedErrorGate(quality=0.9).current_threshold(prices, DOUBTS)

    assert plain == ("errors", 0.25, False)
    assert free == ("errors", math.inf, False)
    assert aimed is not None
    assert aimed.moves
    assert plain is not None
    assert plain.asks == "above"
    kept = Adaptive(quality=0.9, first=3).with_threshold(0.5, prices)
    assert kept == Adaptive(error_cost=4.0, first=3)


@pytest.mark.parametrize("rule", [ExpertOnly(), CrowdOnly(), ExpectedErrorGate()])
def test_rules_without_a_line_have_none(rule: FeedbackRule) -> None:
    """Nor has a rule by errors where experts cost nothing."""
    free = Prices(0.1, 0.0)
    assert rule.current_threshold(free, DOUBTS) is None
    with pytest.raises(SpancrewError, match="no threshold"):
        rule.with_threshold(0.5, free)


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf])
def test_errors_of_nothing_are_no_threshold(value: float) -> None:
    """What would cost without end, or nothing, is refused."""
    with pytest.raises(SpancrewError, match="expected errors"):
        ExpectedErrorGate().with_threshold(value, Prices())
    with pytest.raises(SpancrewError, match="no threshold"):
        CrowdOnly().asks_at(np.zeros(1), np.zeros(1, bool), Prices())
