"""The expert where doubt is worth it: by what errors cost, or so that a target is met."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import MajorityVote
from spancrew.core import Dataset
from spancrew.errors import SpancrewError
from spancrew.feedback import (
    Adaptive,
    Doubts,
    ExpectedErrorGate,
    Prices,
    Situation,
    feedback_rule,
)
from tests.feedback.plain_steering import PlainSteering
from tests.feedback.sheets import judged
from tests.feedback.streams import (
    Doubtful,
    beliefs_of,
    chained,
    doubtful_streams,
    drawn,
    one_by_one,
    single_answers,
)
from tests.spread import often, spread
from tests.strategies import datasets

SHARES = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.0)
STREAMS = list(product([False, True], [False, True], [1, 5]))
"""Whether doubts are tied, whether they drift, and how many sentences come at once."""
QUALITIES = (0.0, 0.8, 0.9, 0.95, 0.99, 1.0)
STEERED = [
    *(ExpectedErrorGate(expert_share=share) for share in SHARES),
    *(ExpectedErrorGate(quality=quality) for quality in QUALITIES),
]


def predicted(doubtful: Doubtful, trusted: np.ndarray) -> float:
    """Return the F1 of the final labels if the doubts are right."""
    return 1 - float(doubtful.errors[trusted].sum() / max(doubtful.sizes.sum(), 1))


@given(doubtful_streams(), st.sampled_from([0.0, 0.5, 3.0, 7.5]), st.sampled_from([0.0, 1.0, 4.0]))
def test_errors_that_cost_more_than_the_expert_go_to_the_expert(
    doubtful: Doubtful, cost: float, price: float
) -> None:
    """Whatever was seen before; at the price itself the crowd is cheaper."""
    rule = ExpectedErrorGate(cost)
    trusted = one_by_one(rule, doubtful, batch=3, prices=Prices(expert=price))
    lost = doubtful.errors * cost

    assert trusted[lost <= price].all()
    assert not trusted[lost > price + 1e-8].any()


def test_an_error_costs_three_unless_told() -> None:
    """In the currency in which an expert costs one."""
    for errors in (0.3, 1 / 3, 0.34):
        doubtful = Doubtful(np.array([errors]), np.array([4]))

        assert one_by_one(ExpectedErrorGate(), doubtful)[0] == (errors < 0.335)
        assert one_by_one(ExpectedErrorGate(3.0), doubtful)[0] == (errors < 0.335)


@pytest.mark.parametrize(
    ("share", "stream"),
    spread(SHARES, list(product([False, True], [False, True], [1, 5])), each=2),
)
def test_the_share_of_experts_is_met(share: float, stream: tuple[bool, bool, int]) -> None:
    """Within a percent at the end, within two from 400 sentences on, within three from 150 on."""
    ties, drifts, batch = stream
    doubtful = drawn(SHARES.index(share), 1500, ties=ties, drifts=drifts)
    trusted = one_by_one(ExpectedErrorGate(expert_share=share), doubtful, batch=batch)
    asked = np.cumsum(~trusted) / np.arange(1, 1501)

    assert asked[150:] == pytest.approx(share, abs=0.03)
    assert asked[400:] == pytest.approx(share, abs=0.02)
    assert asked[-1] == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
def test_experts_get_the_most_doubtful_sentences(share: float) -> None:
    """Nearly as much doubt goes to them as if all sentences were known beforehand."""
    doubtful = drawn(7, 2000)
    trusted = one_by_one(ExpectedErrorGate(expert_share=share), doubtful)
    best = np.sort(doubtful.errors)[-round(share * 2000) :].sum()

    assert doubtful.errors[~trusted].sum() > 0.95 * best


@pytest.mark.parametrize("quality", [0.93, 0.96, 0.99])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("drifts", [False, True])
def test_the_quality_is_met_and_not_much_more(quality: float, *, ties: bool, drifts: bool) -> None:
    """If experts show that the doubts are right; a few experts less, and it would be missed."""
    rule = ExpectedErrorGate(quality=quality)
    for seed in range(often(1, 3)):
        doubtful = drawn(seed, 1500, ties=ties, drifts=drifts)
        trusted = one_by_one(rule, doubtful, batch=4, real=doubtful.errors)
        trusted &= np.arange(1500) % 10 > 0  # the others are audited, and so mended

        assert quality - 0.005 < predicted(doubtful, trusted) < quality + 0.015


@pytest.mark.parametrize(("level", "power"), [(2.0, 1.0), (0.5, 1.0), (1.0, 1.6), (1.0, 0.7)])
def test_the_quality_is_met_if_experts_find_other_errors(level: float, power: float) -> None:
    """Twice or half as many, or other ones on the sentences that look sure; drawn as pairs."""
    rule = ExpectedErrorGate(quality=0.95)
    reached = []
    for seed in range(often(5, 10)):
        doubtful = drawn(seed, 1500)._replace(sizes=np.full(1500, 6))
        rng = np.random.default_rng(seed)
        errors = doubtful.errors
        pairs = rng.poisson(level * errors * np.minimum(errors, 1) ** (power - 1) / 2)
        real = (2 * pairs).astype(np.float64)
        trusted = one_by_one(rule, doubtful, batch=4, real=real)
        is_mended = ~trusted | (np.arange(1500) % 10 == 0)
        reached.append(1 - real[~is_mended].sum() / (6 * 1500))

    assert np.count_nonzero(np.array(reached) < 0.94) <= 1
    assert 0.945 < np.mean(reached) < 0.98


def test_extremes_ask_always_and_never() -> None:
    """All of the sentences, none of them, all that are not certain."""
    doubtful = drawn(3, 300, ties=True)

    assert not one_by_one(ExpectedErrorGate(expert_share=1.0), doubtful).any()
    assert one_by_one(ExpectedErrorGate(expert_share=0.0), doubtful).all()
    assert one_by_one(ExpectedErrorGate(quality=0.0), doubtful).all()
    certain = doubtful.errors == 0
    assert (one_by_one(ExpectedErrorGate(quality=1.0), doubtful) == certain).all()


@given(doubtful_streams(0, 80), doubtful_streams(2, 30), st.sampled_from(STEERED))
def test_more_errors_never_make_a_rule_more_trusting(
    before: Doubtful, asked: Doubtful, rule: ExpectedErrorGate
) -> None:
    """Of sentences of one size that come next."""
    doubts = Doubts.start(1)
    if len(before.errors):
        one_by_one(rule, before, doubts)
    order = np.sort(asked.errors)
    runs = len(order)
    copies = Doubts.start(runs)
    for copy, column in zip(copies, doubts, strict=True):
        copy[:] = column
    beliefs = beliefs_of(Doubtful(order, np.full(runs, 4)))
    situation = Situation(copies, np.arange(runs), np.zeros(runs, np.int64), Prices())
    trusted = rule.judge(single_answers(beliefs), beliefs, situation).trusted

    assert (np.diff(trusted.astype(int)) <= 0).all()


@given(
    st.lists(doubtful_streams(1, 60), min_size=1, max_size=3),
    st.sampled_from(STEERED),
    st.integers(1, 7),
    st.integers(0, 1),
)
def test_runs_decide_alike_alone_and_side_by_side(
    streams: list[Doubtful], rule: ExpectedErrorGate, batch: int, seed: int
) -> None:
    """And as plain loops over the whole history do, once there is enough of it."""
    long = [chained([drawn(seed + k, 60), each]) for k, each in enumerate(streams)]
    alone = [one_by_one(rule, each, batch=batch) for each in long]
    doubts = Doubts.start(len(long))
    beside: list[list[bool]] = [[] for _ in long]
    for first in range(0, max(len(each.errors) for each in long), batch):
        parts = [each.part(first, batch) for each in long]
        run = np.repeat(np.arange(len(long)), [len(each.errors) for each in parts])
        beliefs = beliefs_of(chained(parts))
        situation = Situation(doubts, run, np.zeros_like(run), Prices())
        verdict = rule.judge(single_answers(beliefs), beliefs, situation)
        doubts.learn(run, beliefs, verdict)
        for k, trusted in zip(run.tolist(), verdict.trusted.tolist(), strict=True):
            beside[k].append(trusted)

    assert beside == [each.tolist() for each in alone]
    assert beside == [plainly(rule, each, batch) for each in long]


def plainly(rule: ExpectedErrorGate | Adaptive, doubtful: Doubtful, batch: int) -> list[bool]:
    """Decide about a stream in plain loops."""
    steering = PlainSteering(rule, Prices())
    trusted = []
    rows = zip(doubtful.errors.tolist(), doubtful.sizes.tolist(), strict=True)
    for k, (errors, size) in enumerate(rows):
        trusted.append(steering.judge(errors, size) == "crowd")
        if (k + 1) % batch == 0:
            steering.learn()
    return trusted


@given(datasets())
def test_the_reason_is_what_the_consensus_expects(data: Dataset) -> None:
    """And sentences that nobody answered go to the expert."""
    beliefs = MajorityVote().judge(data.answers, data.sentences.starts.lengths)
    verdict = ExpectedErrorGate(3.0).judge(data.answers, beliefs)

    assert np.array_equal(verdict.reason, beliefs.errors)
    assert not verdict.trusted[data.answers.per_sentence == 0].any()
    assert not verdict.more.any()


def test_a_vote_doubts_what_is_split() -> None:
    """Two spans that half of the workers have are an error and a half, a sure one is none."""
    rule = ExpectedErrorGate(1.0)
    split, sure = ["B-PER O", "B-LOC O"], ["B-PER O", "B-PER O"]
    verdict = rule.judge(*judged(split, sure))

    assert verdict.trusted.tolist() == [verdict.reason[0] <= 1, True]
    assert verdict.reason[1] == 0


def test_rewards_leave_ones_own_answer_out_unless_told() -> None:
    """A model that knows the workers loses little by it."""
    assert ExpectedErrorGate().leave_one_out
    assert Adaptive().leave_one_out
    assert not ExpectedErrorGate(leave_one_out=False).leave_one_out


@pytest.mark.parametrize("name", ["expected-error", "adaptive"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "quality=0.9,expert_share=0.2",
            "quality 0.9 and expert_share 0.2 cannot both be met; give one",
        ),
        ("error_cost=-1", "error_cost -1: what an error costs is a number from 0 up"),
        ("error_cost=inf", "error_cost inf: what an error costs is a number from 0 up"),
        ("error_cost=nan", "error_cost nan: what an error costs is a number from 0 up"),
        ("quality=95", "quality 95: it is from 0 to 1, as 0.95 is for 95 %"),
        ("quality=-0.1", "quality -0.1: it is from 0 to 1"),
        ("expert_share=20", "expert_share 20: it is from 0 to 1"),
        ("expert_share=nan", "expert_share nan: it is from 0 to 1"),
    ],
)
def test_aims_that_are_none_are_refused(name: str, options: str, message: str) -> None:
    """Two at once, and numbers that make no sense."""
    with pytest.raises(SpancrewError) as caught:
        feedback_rule(f"{name}:{options}")

    assert message in str(caught.value)


def test_what_an_error_costs_is_no_target_beside_another() -> None:
    """It would decide nothing; where answers are asked for one by one, it does."""
    with pytest.raises(SpancrewError, match="error_cost 2 decides nothing where quality or"):
        ExpectedErrorGate(2.0, quality=0.9)

    assert Adaptive(2.0, quality=0.9).error_cost == 2.0
