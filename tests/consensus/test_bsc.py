"""The sequence model on crowds whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.consensus import Bsc, Evidence, MajorityVote
from spancrew.core import Answers, Ragged
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric
from tests.consensus.invented import Invented, invent


def f1(labels: Ragged, truth: Ragged) -> float:
    """Return the exact F1 of labels."""
    return Metric().pool(labels, truth).f1


def judged(crowd: Invented, method: Bsc, known: Ragged | None = None) -> float:
    """Return the F1 of a method on the sentences of a crowd."""
    evidence = replace(crowd.evidence, known=known)
    model = method.fit(evidence)
    return f1(model.judge(evidence.answers, evidence.lengths, evidence.words).labels, crowd.truth)


@pytest.mark.parametrize("seed", range(3))
def test_workers_habits_are_worth_more_than_votes(seed: int) -> None:
    """The truth was drawn first; words help on top."""
    crowd = invent(seed=seed)
    vote = MajorityVote().judge(crowd.evidence.answers, crowd.evidence.lengths).labels
    without, with_words = judged(crowd, Bsc(words=False)), judged(crowd, Bsc())

    assert without > f1(vote, crowd.truth) + 0.03
    assert with_words > without


def test_careful_workers_are_told_from_careless_ones() -> None:
    """By the probability to answer B where B is true."""
    crowd = invent(600)
    tables = Bsc().fit(crowd.evidence).tables
    finds = tables.workers[:-1, 0, 1, 1] + tables.workers[:-1, 0, 3, 3]

    assert np.corrcoef(finds, crowd.care)[0, 1] > 0.9


def test_what_experts_say_helps_with_all_other_sentences() -> None:
    """Half of the sentences are known; the other half is judged."""
    crowd = invent(400, answers=3, seed=4)
    lengths = np.where(np.arange(400) < 200, crowd.truth.lengths, 0)
    half = int(crowd.truth.offsets[200])
    known = Ragged(crowd.truth.values[:half], np.concatenate([[0], np.cumsum(lengths)]))
    rest = crowd.evidence.take(np.arange(200, 400))
    truth = crowd.truth.take(np.arange(200, 400))
    alone = Bsc().fit(crowd.evidence)
    taught = Bsc().fit(replace(crowd.evidence, known=known))

    assert f1(taught.judge(rest.answers, rest.lengths, rest.words).labels, truth) > f1(
        alone.judge(rest.answers, rest.lengths, rest.words).labels, truth
    )


def test_a_fit_goes_on_from_the_last_one() -> None:
    """Two iterations after five are seven, and a model of another shape is not gone on from."""
    crowd = invent(100)
    five = Bsc(iterations=5).fit(crowd.evidence)
    later = Bsc(refits=2).fit(crowd.evidence, five)
    other = invent(100, workers=9).evidence
    seven = Bsc(iterations=7).fit(crowd.evidence)

    assert np.array_equal(later.tables.workers, seven.tables.workers)
    assert np.array_equal(Bsc().fit(other, five).tables.workers, Bsc().fit(other).tables.workers)


def test_an_unknown_worker_is_judged_by_the_prior() -> None:
    """One who came after the fit, and one without answers."""
    crowd = invent(50)
    model = Bsc().fit(replace(crowd.evidence, workers=13))
    answers = crowd.evidence.answers
    part = answers.take(np.arange(4), np.zeros(4, np.int32), 1)
    lengths = crowd.evidence.lengths[:1]

    def by(worker: int) -> float:
        stranger = Answers(part.sentence, np.full(4, worker, np.int32), part.codes, 1)
        return float(model.judge(stranger, lengths).errors[0])

    assert by(12) == by(13) == by(500)


def test_a_word_nobody_has_seen_says_nothing_wrong() -> None:
    """A number beyond the vocabulary is passed over."""
    crowd = invent(50)
    model = Bsc().fit(crowd.evidence)
    part = crowd.evidence.take(np.array([0]))
    strange = Ragged.of([[10_000] * int(part.lengths[0])], np.int32)

    assert model.judge(part.answers, part.lengths, strange).labels == (
        model.judge(part.answers, part.lengths).labels
    )


def test_a_label_that_the_fit_did_not_know_is_refused() -> None:
    """Instead of reading past the end of a table."""
    crowd = invent(20)
    model = Bsc().fit(crowd.evidence)
    answers = Answers(np.zeros(1, np.int32), np.zeros(1, np.int32), Ragged.of([[5]]), 1)

    with pytest.raises(SpancrewError, match="label number 2, but the model was fitted with 2"):
        model.judge(answers, np.array([1]))


def test_three_hundred_tokens_do_not_underflow() -> None:
    """Twenty workers who disagree on everything."""
    rng = np.random.default_rng(1)
    rows = rng.choice([0, 1, 3], (20, 300)).tolist()
    answers = Answers(np.zeros(20, np.int32), np.arange(20, dtype=np.int32), Ragged.of(rows), 1)
    evidence = Evidence(answers, np.array([300]), 2, 20)
    beliefs = Bsc().fit(evidence).judge(answers, evidence.lengths)

    assert np.isfinite(beliefs.errors).all()
    assert 0 <= beliefs.confidence[0] <= 1


def test_two_hundred_workers_who_are_never_wrong_may_disagree() -> None:
    """With next to no spread every answer rules out what others say."""
    said = np.resize([0, 1, 3], (200, 2))
    answers = Answers(
        np.zeros(200, np.int32), np.arange(200, dtype=np.int32), Ragged.of(said.tolist()), 1
    )
    evidence = Evidence(answers, np.array([2]), 2, 200)
    beliefs = Bsc(spread=0.001).fit(evidence).judge(answers, evidence.lengths)

    assert np.isfinite([beliefs.errors, beliefs.confidence, beliefs.expected]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"spread": 0}, "spread 0"),
        ({"trust": -1}, "trust -1"),
        ({"threshold": 1}, "threshold 1"),
        ({"iterations": 0}, "iterations 0"),
    ],
)
def test_numbers_that_make_no_model_are_refused(options: dict[str, int], message: str) -> None:
    """With the number that is wrong."""
    with pytest.raises(SpancrewError, match=message):
        Bsc(**options)  # type: ignore[arg-type]
