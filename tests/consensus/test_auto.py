"""Votes and a sequence model together."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.consensus import Auto, Evidence
from spancrew.consensus._auto import AutoModel
from spancrew.consensus._lessons import PRIOR
from spancrew.core import Answers, Ragged, offsets_of
from spancrew.metrics import Metric
from tests.consensus.invented import invent


def known_up_to(truth: Ragged, count: int, among: int) -> Ragged:
    """Return the truth of the first sentences and nothing of the others."""
    lengths = np.where(np.arange(among) < count, truth.lengths[:among], 0)
    return Ragged(truth.values[: int(truth.offsets[count])], offsets_of(lengths))


def tricky(sentences: int = 240) -> tuple[Evidence, Ragged]:
    """Return a crowd whose votes are right and whose words lie.

    Every sentence has one span; two of three workers give it, the third gives something else.
    """
    rng = np.random.default_rng(3)
    truth, rows = [], []
    for _ in range(sentences):
        true = [0] * 6
        true[int(rng.integers(6))] = 1
        other = [0] * 6
        other[int(rng.integers(6))] = 1
        truth.append(true)
        rows += [true, true, other]
    answers = Answers(
        np.repeat(np.arange(sentences), 3).astype(np.int32),
        np.tile(np.arange(3), sentences).astype(np.int32),
        Ragged.of(rows),
        sentences,
    )
    words = Ragged.of(rng.integers(0, 5, (sentences, 6)).tolist(), np.int32)
    return Evidence(answers, np.full(sentences, 6), 1, 3, None, words, 5), Ragged.of(truth)


def test_without_experts_the_prior_serves() -> None:
    """And says so."""
    model = Auto().fit(invent(60).evidence)

    assert model.weights is PRIOR
    assert not model.lessons.counted.any()


def test_every_expert_label_teaches_once_before_it_is_used() -> None:
    """New ones are judged by the model that has not seen them, old ones are not judged again."""
    crowd = invent(120)
    first = Auto().fit(replace(crowd.evidence, known=known_up_to(crowd.truth, 20, 120)))
    second = Auto().fit(replace(crowd.evidence, known=known_up_to(crowd.truth, 50, 120)), first)
    part = crowd.evidence.take(np.arange(20, 50))
    look = first.look(part.answers, part.lengths, part.words)

    assert len(first.lessons.is_right) == 20
    assert len(second.lessons.is_right) == 50
    assert np.array_equal(second.lessons.sentences[:20], first.lessons.sentences)
    assert np.array_equal(second.lessons.sentences[20:], look.sentences)
    assert second.lessons.counted.sum() == 50


def test_lessons_are_what_experts_found() -> None:
    """Right and wrong spans, against metrics that know nothing of candidates."""
    crowd = invent(80, seed=2)
    known = known_up_to(crowd.truth, 80, 80)
    blind = Auto().fit(crowd.evidence.take(np.zeros(0, np.int64)))
    taught = Auto().fit(replace(crowd.evidence, known=known), blind)
    labels = blind.judge(
        crowd.evidence.answers, crowd.evidence.lengths, crowd.evidence.words
    ).labels
    scores = Metric().pairs(labels, crowd.truth)

    assert np.array_equal(taught.lessons.is_right == 1, scores[:, 2] == 1)
    assert np.array_equal(taught.lessons.wrong == 0, scores[:, 2] == 1)


@pytest.mark.parametrize("seed", range(3))
def test_experts_make_stated_probabilities_honest(seed: int) -> None:
    """The mean confidence in sentences nobody has checked is near the share that is right."""
    crowd = invent(900, answers=3, seed=seed)
    known = known_up_to(crowd.truth, 200, 900)
    model = Auto().fit(replace(crowd.evidence, known=known))
    rest = crowd.evidence.take(np.arange(200, 900))
    beliefs = model.judge(rest.answers, rest.lengths, rest.words)
    truth = crowd.truth.take(np.arange(200, 900))
    right = Metric().pairs(beliefs.labels, truth)[:, 2] == 1
    spans = beliefs.spans[beliefs.spans > 0]
    precision = Metric().pool(beliefs.labels, truth).precision

    assert beliefs.confidence.mean() == pytest.approx(right.mean(), abs=0.06)
    assert spans.mean() == pytest.approx(precision, abs=0.05)


def test_experts_teach_whom_to_believe() -> None:
    """Where votes are always right, their weight grows and the labels get better."""
    evidence, truth = tricky()
    alone = Auto().fit(evidence)
    taught = Auto().fit(replace(evidence, known=known_up_to(truth, 100, 240)))

    assert taught.weights.spans[2] > alone.weights.spans[2]
    assert _f1(taught, evidence, truth) >= _f1(alone, evidence, truth)
    assert _f1(taught, evidence, truth) > 0.95


def test_the_threshold_is_half_of_the_f1_to_be_expected() -> None:
    """At the end of the fit, for the labels that follow from it."""
    crowd = invent(300)
    model = Auto().fit(crowd.evidence)
    beliefs = model.judge(crowd.evidence.answers, crowd.evidence.lengths, crowd.evidence.words)
    f1 = 2 * beliefs.spans.sum() / (beliefs.found.sum() + beliefs.expected.sum())

    assert model.threshold == pytest.approx(f1 / 2, abs=0.01)


def _f1(model: AutoModel, evidence: Evidence, truth: Ragged) -> float:
    labels = model.judge(evidence.answers, evidence.lengths, evidence.words).labels
    return Metric().pool(labels, truth).f1
