"""Consensus on choices: every question gets exactly one label."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import (
    Auto,
    Bsc,
    ChoiceAuto,
    ChoiceVote,
    Consensus,
    DawidSkene,
    Evidence,
    MajorityVote,
    Ordinal,
    SpanDs,
    SpanVote,
    TwoCoin,
    aggregate,
    suited_to,
)
from spancrew.core import Answers, FloatArray, Ragged
from spancrew.errors import KindError, SpancrewError
from spancrew.testing import ChoiceContract
from spancrew.testing._believed import audited, by_experts, judged
from spancrew.testing._choosers import chosen_by_crowd
from tests.consensus.test_dawid_skene import peer
from tests.formats.sheets import pair

METHODS: dict[str, Consensus] = {
    "mv": ChoiceVote(),
    "ds": DawidSkene(),
    "two-coin": TwoCoin(),
    "auto": ChoiceAuto(),
}
SEEDS = st.integers(0, 10_000)


def accuracy(method: Consensus, evidence: Evidence, truth: Ragged) -> float:
    """Return the share of choices that a method gets right."""
    labels = judged(method.fit(evidence), evidence).labels
    return float((labels.values == truth.values).mean())


class TestChoiceVote(ChoiceContract):
    """Votes alone."""

    method = ChoiceVote()


class TestDawidSkene(ChoiceContract):
    """A matrix for every worker."""

    method = DawidSkene()


class TestTwoCoin(ChoiceContract):
    """A coin for every worker and true label."""

    method = TwoCoin()


class TestOrdinal(ChoiceContract):
    """A leaning and a spread for every worker."""

    method = Ordinal()


class TestChoiceAuto(ChoiceContract):
    """All of them together."""

    method = ChoiceAuto()


@pytest.mark.parametrize("name", METHODS)
@given(seed=SEEDS)
def test_no_label_is_favoured(name: str, seed: int) -> None:
    """With other names for the labels the same are chosen, tied or not, under their new names."""
    evidence, _ = chosen_by_crowd(sheets=25, workers=6, labels=3, seed=seed)
    turn = np.array([0, 3, 0, 5, 0, 1], np.uint8)
    codes = evidence.answers.codes
    other = replace(evidence.answers, codes=Ragged(turn[codes.values], codes.offsets))
    renamed = replace(evidence, answers=other)
    one, two = (judged(METHODS[name].fit(some), some) for some in (evidence, renamed))
    clear = np.ones(25, bool) if name == "mv" else ~one.contested

    assert np.allclose(one.spans, two.spans)
    assert (turn[one.labels.values] == two.labels.values)[clear].all()


def test_a_vote_is_the_share_of_the_label() -> None:
    """Ties are marked, and fall to either side."""
    evidence, truth = chosen_by_crowd(sheets=400, labels=2, worst=0.6, best=0.6)
    beliefs = judged(ChoiceVote(), evidence)
    ones = (evidence.answers.codes.values == 3).reshape(400, 4).mean(axis=1)
    tied = ones == 0.5

    assert (beliefs.contested == tied).all()
    assert np.allclose(beliefs.confidence, np.maximum(ones, 1 - ones))
    assert ((beliefs.labels.values == 3) == (ones > 0.5))[~tied].all()
    share = (beliefs.labels.values[tied] == 3).mean()
    assert tied.sum() > 60
    assert 0.3 < share < 0.7
    assert 0.35 < (beliefs.labels.values == truth.values)[tied].mean() < 0.65


def test_the_first_label_wins_a_tie_if_told_so() -> None:
    """As in the paper's code."""
    codes = Ragged.of([[1], [3], [3], [1], [5], [5]])
    answers = Answers(
        np.array([0, 0, 1, 1, 1, 1], np.int32), np.array([0, 1, 0, 1, 2, 3], np.int32), codes, 2
    )
    model = MajorityVote("first").for_choices()

    assert model.judge(answers, np.array([1, 1])).labels.values.tolist() == [1, 5]


@pytest.mark.parametrize("labels", [2, 4])
def test_dawid_and_skene_on_choices_is_that_of_crowd_kit(labels: int) -> None:
    """The probability of every label, after seven rounds."""
    evidence, _ = chosen_by_crowd(sheets=150, workers=6, labels=labels)
    model = DawidSkene(7, smoothing=1e-10, trust=0.0).fit(evidence)
    ours = model.chances(evidence.answers, evidence.lengths)
    theirs = peer("DawidSkene", evidence, n_iter=8, tol=-np.inf)

    assert np.allclose(ours[:, 1::2], theirs, rtol=0, atol=1e-6)
    assert not ours[:, ::2].any()


def plain_two_coin(evidence: Evidence, rounds: int, pooling: float) -> FloatArray:
    """Return the probability of every label, step by step as the docs say."""
    labels, workers = evidence.labels, evidence.workers
    sheet, who = evidence.answers.sentence, evidence.answers.worker
    said = (evidence.answers.codes.values.astype(int) - 1) // 2
    chance = np.zeros((len(evidence.lengths), labels))
    for s, label in zip(sheet, said, strict=True):
        chance[s, label] += 1 / evidence.answers.per_sentence[s]
    for _ in range(rounds + 1):
        right, total = np.zeros((2, workers, labels))
        for s, w, label in zip(sheet, who, said, strict=True):
            total[w] += chance[s]
            right[w, label] += chance[s, label]
        share = (right.sum(axis=0) + 3) / (total.sum(axis=0) + 4)
        coin = (right + pooling * share) / (total + pooling)
        prior = (chance.sum(axis=0) + 1) / (chance.sum() + labels)
        chance = np.tile(prior, (len(chance), 1))
        for s, w, label in zip(sheet, who, said, strict=True):
            is_given = np.arange(labels) == label
            chance[s] *= np.where(is_given, coin[w], (1 - coin[w]) / (labels - 1))
        chance /= chance.sum(axis=1, keepdims=True)
    return chance


@pytest.mark.parametrize("labels", [2, 3])
def test_two_coins_are_those_of_a_plain_version(labels: int) -> None:
    """Every probability, after five rounds."""
    evidence, _ = chosen_by_crowd(sheets=60, labels=labels)
    model = TwoCoin(5, pooling=2.0).fit(evidence)
    ours = model.chances(evidence.answers, evidence.lengths)

    assert np.allclose(ours[:, 1::2], plain_two_coin(evidence, 5, 2.0))


@pytest.mark.parametrize("name", ["ds", "two-coin", "auto"])
def test_models_of_the_workers_beat_the_vote(name: str) -> None:
    """Where some are good and some are not."""
    evidence, truth = chosen_by_crowd(sheets=600, workers=20, answers=5)

    assert (
        accuracy(METHODS[name], evidence, truth) > accuracy(ChoiceVote(), evidence, truth) + 0.02
    )


def test_auto_learns_from_experts_how_sure_to_be() -> None:
    """Far too sure before, and near to the truth after."""
    evidence, truth = chosen_by_crowd(sheets=600, workers=8, answers=6, labels=2, worst=0.5)
    rest = np.arange(600) % 3 > 0
    known = replace(evidence, known=by_experts(truth, ~rest))
    for some, most in ((evidence, 0.2), (known, 0.06)):
        beliefs = judged(ChoiceAuto().fit(some), evidence)
        is_right = beliefs.labels.values == truth.values

        assert abs(beliefs.confidence - is_right)[rest].mean() < 0.35
        assert abs(beliefs.confidence[rest].mean() - is_right[rest].mean()) < most


def test_audits_change_confidence_and_not_the_workers() -> None:
    """Audits that contradict the crowd make it less sure."""
    evidence, truth = chosen_by_crowd(sheets=200, labels=2)
    wrong = Ragged((4 - truth.values).astype(np.uint8), truth.offsets)
    rows = np.arange(0, 200, 4)
    plain, more = (
        judged(ChoiceAuto().fit(some), evidence)
        for some in (evidence, audited(evidence, wrong, rows, 4.0))
    )

    assert more.confidence.mean() < plain.confidence.mean() - 0.1


def test_learning_goes_on_where_it_was() -> None:
    """It gets about as good as learning at once."""
    evidence, truth = chosen_by_crowd(sheets=400)
    model = ChoiceAuto().fit(evidence.take(np.zeros(0, np.int64)))
    for seen in (50, 150, 400):
        model = ChoiceAuto().fit(evidence.take(np.arange(seen)), model)
    found = judged(model, evidence).labels.values == truth.values

    assert found.mean() > accuracy(ChoiceAuto(), evidence, truth) - 0.02


@pytest.mark.parametrize("method", [Bsc(), SpanVote(), SpanDs()])
def test_a_method_for_spans_refuses_choices(method: Consensus) -> None:
    """And names those that would do."""
    with pytest.raises(KindError, match=r"joins spans, .* use auto, ds, mv, ordinal, two-coin"):
        aggregate(pair(), method)
    assert suited_to(method, "spans") is method


def test_a_method_takes_the_form_that_serves_choices() -> None:
    """The final labels bear the name that was asked for."""
    assert isinstance(suited_to(Auto(), "choices"), ChoiceAuto)
    assert suited_to(MajorityVote(), "choices") == ChoiceVote("drawn")
    assert aggregate(pair(), "mv").finals.by == ("mv",)


def test_a_coin_needs_a_prior() -> None:
    """Nonsense is refused with its name."""
    with pytest.raises(SpancrewError, match="pooling 0: it counts answers"):
        TwoCoin(pooling=0.0)
