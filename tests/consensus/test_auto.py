"""Votes and a sequence model together."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from spancrew.consensus import Auto, Evidence
from spancrew.consensus._auto import AutoModel
from spancrew.consensus._lessons import FIRMNESS, PRIOR
from spancrew.consensus._regression import fit_logistic, fit_positive
from spancrew.core import Answers, FloatArray, Ragged, offsets_of, span_table
from spancrew.errors import InvalidArrayError
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.testing._believed import audited, judged, some_of
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


def test_spans_are_chosen_by_the_f1_of_all_that_is_delivered() -> None:
    """The more experts have labelled, the surer a span of the crowd has to be: up to a half."""
    crowd = invent(150)
    none, few, most = (
        Auto().fit(replace(crowd.evidence, known=known_up_to(crowd.truth, count, 150)))
        for count in (0, 40, 140)
    )

    assert none.threshold < few.threshold < most.threshold < 0.5
    assert most.threshold > 0.45


def test_every_expert_label_teaches_once_before_it_is_used() -> None:
    """New ones are looked at by the model that has not seen them, old ones not again."""
    crowd = invent(120)
    first = Auto().fit(replace(crowd.evidence, known=known_up_to(crowd.truth, 20, 120)))
    second = Auto().fit(replace(crowd.evidence, known=known_up_to(crowd.truth, 50, 120)), first)
    part = crowd.evidence.take(np.arange(20, 50))
    found = first.material(part.answers, part.lengths, part.words)
    size = len(first.lessons.is_true)

    assert len(first.lessons.weight) == 20
    assert len(second.lessons.weight) == 50
    assert np.array_equal(second.lessons.material.columns[:size], first.lessons.material.columns)
    assert np.array_equal(second.lessons.material.columns[size:], found.columns)
    assert np.array_equal(second.lessons.material.size[20:], found.size)
    assert second.lessons.counted.sum() == 50


def test_lessons_are_what_experts_found() -> None:
    """Wrong and missing spans, against metrics that know nothing of candidates."""
    crowd = invent(80, seed=2)
    known = known_up_to(crowd.truth, 80, 80)
    blind = Auto().fit(crowd.evidence.take(np.zeros(0, np.int64)))
    taught = Auto().fit(replace(crowd.evidence, known=known), blind)
    labels = judged(blind, crowd.evidence).labels
    scores = Metric().pairs(labels, crowd.truth)
    spans = [np.bincount(span_table(each).row, minlength=80) for each in (labels, crowd.truth)]
    hits = np.round(scores[:, 0] * spans[0])
    empty = (spans[0] == 0) & (spans[1] == 0)
    wrong = np.where(empty, 0, spans[0] + spans[1] - 2 * hits)

    assert np.array_equal(taught.lessons.wrong(labels), wrong)


@pytest.mark.parametrize("seed", range(3))
def test_experts_make_stated_probabilities_honest(seed: int) -> None:
    """The mean confidence in sentences nobody has checked is near the share that is right.

    It may be a little too low: the labels that teach it also make the model itself better.
    """
    crowd = invent(900, answers=3, seed=seed)
    known = known_up_to(crowd.truth, 200, 900)
    model = Auto().fit(replace(crowd.evidence, known=known))
    rest = crowd.evidence.take(np.arange(200, 900))
    beliefs = model.judge(rest.answers, rest.lengths, rest.words)
    truth = crowd.truth.take(np.arange(200, 900))
    right = Metric().pairs(beliefs.labels, truth)[:, 2] == 1
    spans = beliefs.spans[beliefs.spans > 0]
    precision = Metric().pool(beliefs.labels, truth).precision

    assert -0.08 < beliefs.confidence.mean() - right.mean() < 0.06
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


def test_a_sentence_that_stands_for_more_teaches_more() -> None:
    """As much as if it were there more often, less what repeating one cannot teach."""
    crowd = invent(120, seed=4)
    known = known_up_to(crowd.truth, 60, 120)
    evidence = replace(crowd.evidence, known=known)
    weight = np.where(np.arange(120) % 4 == 0, 9.0, 1.0)
    alike = Auto().fit(replace(evidence, weight=np.full(120, 7.0)))
    weighed = Auto().fit(replace(evidence, weight=weight))
    plain = Auto().fit(evidence)
    lessons = weighed.lessons
    counts = kish(weight[:60])
    by_span = np.repeat(counts, lessons.material.size)
    is_true = lessons.is_true.astype(np.float64)
    columns = lessons.material.columns
    today = lessons.material.weighed(weighed.weights.spans, weighed.threshold)
    wrong = lessons.wrong(today.beliefs.labels)
    size = weight[:60].sum() ** 2 / (weight[:60] ** 2).sum()
    calmer = kish(weight[:60] ** (size / (size + 100)))

    assert np.array_equal(lessons.weight, weight[:60])
    assert np.allclose(np.hstack(alike.weights), np.hstack(plain.weights), atol=1e-6)
    assert np.allclose(
        weighed.weights.spans,
        fit_logistic(columns, is_true, PRIOR.spans, FIRMNESS.spans, by_span),
    )
    assert np.allclose(
        weighed.weights.sentences,
        fit_logistic(today.sentences, wrong == 0, PRIOR.sentences, FIRMNESS.sentences, calmer),
    )
    by_errors = calmer / np.maximum(today.errors @ PRIOR.errors, 0.1)
    assert np.allclose(
        weighed.weights.errors,
        fit_positive(today.errors, wrong, PRIOR.errors, FIRMNESS.errors, by_errors),
    )
    unseen = counts @ lessons.missing + PRIOR.unseen * FIRMNESS.unseen
    tokens = counts @ crowd.evidence.lengths[:60] + FIRMNESS.unseen
    assert weighed.weights.unseen == pytest.approx(unseen / tokens)


def kish(weight: FloatArray) -> FloatArray:
    """Return weights that sum up to the number of sentences that would teach as much."""
    scaled: FloatArray = weight * weight.sum() / (weight**2).sum()
    return scaled


def test_audits_calibrate_and_do_nothing_else() -> None:
    """The sources are the same to the last bit; what is stated follows what audits found."""
    crowd = invent(300, seed=5)
    evidence = replace(crowd.evidence, known=known_up_to(crowd.truth, 60, 300))
    wrong = Ragged(np.zeros_like(crowd.truth.values), crowd.truth.offsets)
    plain = Auto().fit(evidence)
    chosen = np.arange(60, 300, 4)
    good, bad = (
        Auto().fit(audited(evidence, labels, chosen, 4.0)) for labels in (crowd.truth, wrong)
    )

    for model in (good, bad):
        assert pickle.dumps(model.sources) == pickle.dumps(plain.sources)
        assert model.lessons.audits == len(chosen)
        assert np.array_equal(np.unique(model.lessons.weight), [1.0, 4.0])
    assert _confidence(bad, evidence) < _confidence(plain, evidence) - 0.1
    assert _confidence(bad, evidence) < _confidence(good, evidence) - 0.1


def test_every_audit_teaches_once_wherever_its_row_stands() -> None:
    """Behind its sentence, or behind all sentences."""
    crowd = invent(120, seed=6)
    parts = [some_of(crowd.evidence, np.arange(60)), crowd.evidence]
    chosen = [np.arange(0, 60, 5), np.arange(0, 120, 5)]
    truths = [crowd.truth.take(np.arange(60)), crowd.truth]
    between = [
        audited(part, truth, some, 5.0)
        for part, truth, some in zip(parts, truths, chosen, strict=True)
    ]
    behind = [some_of(each, np.argsort(each.is_audit, kind="stable")) for each in between]
    one, other = (Auto().fit(late, Auto().fit(early)) for early, late in (between, behind))

    assert len(one.lessons.weight) == 24
    assert pickle.dumps(one.lessons) == pickle.dumps(other.lessons)


def test_audits_without_labels_are_refused() -> None:
    """So are marks that are not one for each row."""
    evidence = invent(20).evidence
    with pytest.raises(InvalidArrayError, match="row 3 is an audit, but no expert's labels"):
        replace(evidence, audit=np.arange(20) == 3)
    with pytest.raises(InvalidArrayError, match=r"bool\[19\] is given, .* each of 20 sentences"):
        replace(evidence, audit=np.zeros(19, bool))


def _confidence(model: AutoModel, evidence: Evidence) -> float:
    return float(judged(model, evidence).confidence.mean())


def test_a_refit_goes_on_from_the_fit_before() -> None:
    """Until there are twice as many sentences; without experts, too."""
    evidence = Evidence.of(read("demo").dataset)
    first = Auto().fit(evidence.take(np.arange(100)))
    second = Auto().fit(evidence.take(np.arange(150)), first)
    third = Auto().fit(evidence.take(np.arange(250)), second)

    begun = [model.sources.told.begun for model in (first, second, third)]
    assert begun == [100, 100, 250]
