"""As many answers as pay: one more worker is asked, or the sentence is decided."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import BoolArray
from spancrew.errors import SpancrewError
from spancrew.feedback import Adaptive, Doubts, ExpectedErrorGate, Prices, Situation, Verdict
from tests.feedback.plain_steering import PlainSteering, Word
from tests.feedback.streams import (
    Doubtful,
    beliefs_of,
    doubtful_streams,
    drawn,
    one_by_one,
    single_answers,
)

RULES = [
    Adaptive(),
    Adaptive(0.5),
    Adaptive(20.0, expert_share=0.2),
    Adaptive(expert_share=0.2),
    Adaptive(expert_share=0.0),
    Adaptive(expert_share=1.0),
    Adaptive(quality=0.9),
    Adaptive(4.0, quality=1.0),
]
SIZES = st.integers(0, 4).map(lambda spans: 2 * spans)
DOUBTS = np.array([0.0, 0.01, 0.1, 0.2, 0.3, 0.5, 0.9, 2.0, 6.0])


def judge(
    rule: Adaptive, errors: np.ndarray, left: int = 1, doubts: Doubts | None = None
) -> Verdict:
    """Let a rule decide about sentences of a run each, on which more may be asked for."""
    runs = len(errors)
    beliefs = beliefs_of(Doubtful(errors, np.full(runs, 4)))
    seen = Doubts.start(runs) if doubts is None else doubts
    situation = Situation(seen, np.arange(runs), np.full(runs, left), Prices())
    return rule.judge(single_answers(beliefs), beliefs, situation)


def asks_for_more(rule: Adaptive, prices: Prices) -> BoolArray:
    """Tell for several doubts whether one more answer is asked for at first."""
    beliefs = beliefs_of(Doubtful(DOUBTS, np.full(len(DOUBTS), 4)))
    runs = np.arange(len(DOUBTS))
    situation = Situation(Doubts.start(len(DOUBTS)), runs, np.ones_like(runs), prices)
    return rule.judge(single_answers(beliefs), beliefs, situation).more


@given(doubtful_streams(), st.sampled_from(RULES), st.integers(1, 4))
def test_with_all_answers_in_it_decides_as_the_gate(
    doubtful: Doubtful, rule: Adaptive, batch: int
) -> None:
    """With the same target."""
    has_target = not (rule.quality is rule.expert_share is None)
    cost = None if has_target else rule.error_cost
    gate = ExpectedErrorGate(cost, rule.quality, rule.expert_share)

    assert (
        one_by_one(rule, doubtful, batch=batch) == one_by_one(gate, doubtful, batch=batch)
    ).all()


@pytest.mark.parametrize("rule", RULES)
def test_certainty_needs_no_more_answers(rule: Adaptive) -> None:
    """Nothing could be spared."""
    verdict = judge(rule, np.zeros(3))

    assert not verdict.more.any()


def test_an_answer_is_asked_for_where_errors_are_dear_enough() -> None:
    """At first a third of the errors is hoped to go: 0.1 errors at 3 each are worth an answer."""
    assert asks_for_more(Adaptive(), Prices()).tolist() == [False] * 3 + [True] * 6
    assert asks_for_more(Adaptive(0.3), Prices()).tolist() == [False] * 7 + [True] * 2
    assert asks_for_more(Adaptive(), Prices(answer=0.0)).tolist() == [False] + [True] * 8
    assert not asks_for_more(Adaptive(), Prices(answer=0.4)).any()
    assert not asks_for_more(Adaptive(0.0), Prices()).any()


def test_what_the_expert_will_settle_is_not_worth_more_than_the_expert() -> None:
    """An expert costs 1, of which a third is hoped to be spared, however many errors there are."""
    assert not asks_for_more(Adaptive(100.0), Prices(answer=0.34)).any()
    assert asks_for_more(Adaptive(100.0), Prices(answer=0.33)).tolist() == [False] + [True] * 8


def test_answers_that_did_not_help_are_not_asked_for_again() -> None:
    """Of doubts like these; of others, more is hoped for still."""
    doubts = Doubts.start(len(DOUBTS))
    runs = np.repeat(np.arange(len(DOUBTS)), 20)
    doubts.learn_answer(runs, np.full(len(runs), 0.5), np.full(len(runs), 0.5))
    more = judge(Adaptive(), DOUBTS, doubts=doubts).more

    assert more[DOUBTS == 2.0].all()
    assert not more[DOUBTS == 0.5].any()


def test_answers_that_helped_are_asked_for_again() -> None:
    """Also where a third less would not have paid."""
    doubts = Doubts.start(1)
    for _ in range(50):
        doubts.learn_answer(np.zeros(1, np.int64), np.array([0.09]), np.array([0.001]))

    assert not judge(Adaptive(), np.array([0.09])).more[0]
    assert judge(Adaptive(), np.array([0.09]), doubts=doubts).more[0]


@pytest.mark.parametrize("rule", [Adaptive(expert_share=0.2), Adaptive(quality=0.95)])
def test_the_threshold_says_what_an_error_costs(rule: Adaptive) -> None:
    """Doubts far below it are let pass, with more answers or without."""
    doubts = Doubts.start(1)
    one_by_one(rule, drawn(0, 400), doubts)
    many = Doubts.start(len(DOUBTS))
    for copy, column in zip(many, doubts, strict=True):
        copy[:] = column
    verdict = judge(rule, DOUBTS, doubts=many)

    assert verdict.trusted[:2].all()
    assert verdict.more[-2:].all()
    assert judge(replace(rule, error_cost=1000.0), DOUBTS, doubts=many).more[1:].all()
    assert not judge(replace(rule, error_cost=0.0), DOUBTS, doubts=many).more.any()


@given(
    st.lists(st.tuples(st.floats(0, 8), SIZES, st.integers(0, 3)), max_size=40),
    st.sampled_from(RULES),
    st.integers(0, 3),
)
def test_decisions_are_those_of_plain_loops(
    rows: list[tuple[float, int, int]], rule: Adaptive, seed: int
) -> None:
    """Sentence by sentence, each with up to three more answers that change its doubt."""
    rng = np.random.default_rng(seed)
    steering, doubts = PlainSteering(rule, Prices()), Doubts.start(1)
    run = np.zeros(1, np.int64)
    for errors, size, left in [*zip(*drawn(seed, 25), [2] * 25, strict=True), *rows]:
        before, doubt = None, float(errors)
        for still in range(left, -1, -1):
            beliefs = beliefs_of(Doubtful(np.array([doubt]), np.array([size])))
            if before is not None:
                doubts.learn_answer(run, np.array([before]), np.array([doubt]))
                steering.turns.append((before, doubt))
            situation = Situation(doubts, run, np.array([still]), Prices())
            verdict = rule.judge(single_answers(beliefs), beliefs, situation)
            doubts.learn(run, beliefs, verdict)

            assert word_of(verdict) == steering.judge(doubt, float(size), still)
            steering.learn()
            if not verdict.more[0]:
                break
            before, doubt = doubt, doubt * float(rng.uniform(0.1, 1.3))


def word_of(verdict: Verdict) -> Word:
    """Return the verdict on the first sentence as a word."""
    if verdict.more[0]:
        return "more"
    return "crowd" if verdict.trusted[0] else "expert"


def test_a_sentence_starts_with_no_fewer_than_no_answers() -> None:
    """Two unless told; with none, models come first."""
    assert Adaptive().first == 2
    with pytest.raises(SpancrewError, match="first -1: a sentence starts with at least 0 answers"):
        Adaptive(first=-1)
