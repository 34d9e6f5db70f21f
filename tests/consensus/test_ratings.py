"""Choices on a scale: workers who rate too high, too low, or anyhow."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.consensus import (
    Auto,
    ChoiceAuto,
    ChoiceVote,
    Consensus,
    DawidSkene,
    Evidence,
    Ordinal,
    TwoCoin,
    aggregate,
)
from spancrew.consensus._left_out import left_out
from spancrew.core import Answers, FloatArray, Ragged
from spancrew.errors import KindError
from spancrew.formats import read
from spancrew.testing._believed import judged
from spancrew.testing._choosers import as_choices


def rated_by_crowd(
    sheets: int = 300, workers: int = 15, answers: int = 4, labels: int = 5, seed: int = 0
) -> tuple[Evidence, Ragged]:
    """Return ratings of workers with a leaning and a spread of their own, and the truth."""
    rng = np.random.default_rng(seed)
    middle = (labels - 1) / 2
    truth = np.clip(np.round(rng.normal(middle, labels / 4, sheets)), 0, labels - 1)
    leaning, spread = rng.normal(0, 0.6, workers), np.exp(rng.normal(-0.1, 0.5, workers))
    who = np.concatenate([rng.permutation(workers)[:answers] for _ in range(sheets)])
    sheet = np.repeat(np.arange(sheets), answers)
    felt = truth[sheet] + leaning[who] + spread[who] * rng.normal(size=len(who))
    given = np.clip(np.round(felt), 0, labels - 1).astype(np.int64)
    columns = Answers(
        sheet.astype(np.int32), who.astype(np.int32), as_choices(given[:, None]), sheets
    )
    evidence = Evidence(
        columns, np.ones(sheets, np.int64), labels, workers, kind="choices", scale=True
    )
    return evidence, as_choices(truth.astype(np.int64)[:, None])


def accuracy(method: Consensus, evidence: Evidence, truth: Ragged) -> float:
    """Return the share of ratings that a method gets right."""
    return float((judged(method.fit(evidence), evidence).labels.values == truth.values).mean())


def plain_ordinal(evidence: Evidence, rounds: int, pooling: float) -> FloatArray:
    """Return the probability of every label, answer by answer as the docs say."""
    labels, workers = evidence.labels, evidence.workers
    said = (evidence.answers.codes.values.astype(int) - 1) // 2
    rows = list(zip(evidence.answers.sentence, evidence.answers.worker, said, strict=True))
    chance = np.zeros((len(evidence.lengths), labels))
    for s, _, label in rows:
        chance[s, label] += 1 / evidence.answers.per_sentence[s]
    for _ in range(rounds + 1):
        size, off, apart = np.zeros((3, workers))
        for s, w, label in rows:
            size[w] += 1
            off[w] += sum(chance[s, t] * (label - t) for t in range(labels))
        leaning = off / (size + pooling)
        for s, w, label in rows:
            apart[w] += sum(chance[s, t] * (label - t - leaning[w]) ** 2 for t in range(labels))
        usual = (apart.sum() + 0.5) / (size.sum() + 1)
        spread = np.maximum((apart + pooling * usual) / (size + pooling), 0.05)
        prior = (chance.sum(axis=0) + 1) / (chance.sum() + labels)
        chance = np.tile(prior, (len(chance), 1))
        for s, w, label in rows:
            for t in range(labels):
                near = [
                    np.exp(-((x - t - leaning[w]) ** 2) / 2 / spread[w]) for x in range(labels)
                ]
                chance[s, t] *= 0.98 * near[label] / sum(near) + 0.02 / labels
        chance /= chance.sum(axis=1, keepdims=True)
    return chance


def test_ratings_are_those_of_a_plain_version() -> None:
    """Every probability, after three rounds."""
    evidence, _ = rated_by_crowd(sheets=40, workers=6)
    model = Ordinal(3, pooling=2.0).fit(evidence)
    ours = model.chances(evidence.answers, evidence.lengths)

    assert np.allclose(ours[:, 1::2], plain_ordinal(evidence, 3, 2.0))


@pytest.mark.parametrize("labels", [5, 7])
def test_a_scale_is_learned_from_few_answers(labels: int) -> None:
    """Two numbers for each worker are enough, where a matrix is not."""
    evidence, truth = rated_by_crowd(labels=labels, seed=11)
    ordinal = accuracy(Ordinal(), evidence, truth)

    assert ordinal > accuracy(DawidSkene(), evidence, truth) + 0.03
    assert ordinal > accuracy(ChoiceVote(), evidence, truth) + 0.08


def test_auto_hears_the_scale_where_there_is_one() -> None:
    """And is then nearly as good as the model that suits it."""
    evidence, truth = rated_by_crowd(seed=12)
    found = accuracy(ChoiceAuto(), evidence, truth)

    assert found > accuracy(ChoiceAuto(), replace(evidence, scale=False), truth) + 0.04
    assert found > accuracy(Ordinal(), evidence, truth) - 0.03


def test_spans_are_no_ratings() -> None:
    """The method says so."""
    with pytest.raises(
        KindError, match="'ordinal' joins choices, and the data has spans; use auto"
    ):
        aggregate(read("demo").dataset, Ordinal())
    assert Auto().for_choices() == ChoiceAuto()


def rated_anyhow(seed: int, sheets: int = 300, workers: int = 15) -> tuple[Evidence, Ragged]:
    """Return ratings in which wrong ones are as often far off as near, and the truth."""
    rng = np.random.default_rng(seed)
    truth, skill = rng.integers(0, 5, sheets), 1 / (1 + np.exp(-rng.normal(0.6, 0.8, workers)))
    who = np.concatenate([rng.permutation(workers)[:4] for _ in range(sheets)])
    sheet = np.repeat(np.arange(sheets), 4)
    wrong = (truth[sheet] + rng.integers(1, 5, len(who))) % 5
    given = np.where(rng.random(len(who)) < skill[who], truth[sheet], wrong)
    columns = Answers(
        sheet.astype(np.int32), who.astype(np.int32), as_choices(given[:, None]), sheets
    )
    lengths = np.ones(sheets, np.int64)
    evidence = Evidence(columns, lengths, 5, workers, kind="choices", scale=True)
    return evidence, as_choices(truth[:, None])


def test_errors_that_know_no_scale_are_not_taken_for_steps() -> None:
    """Then auto does not lose to a vote, without any expert; where they do, it gains by it."""
    odd = [rated_anyhow(seed) for seed in (200, 201, 202)]
    stepwise = [rated_by_crowd(seed=seed) for seed in (200, 201, 202)]

    def mean(method: Consensus, crowds: list[tuple[Evidence, Ragged]]) -> float:
        return float(np.mean([accuracy(method, *each) for each in crowds]))

    assert not any(ChoiceAuto().fit(evidence).alone.errs_by_steps for evidence, _ in odd)
    assert all(ChoiceAuto().fit(evidence).alone.errs_by_steps for evidence, _ in stepwise)
    assert mean(ChoiceAuto(), odd) >= mean(ChoiceVote(), odd)
    assert mean(ChoiceAuto(), stepwise) > mean(ChoiceVote(), stepwise) + 0.02


@pytest.mark.parametrize("method", [Ordinal(), TwoCoin()])
def test_an_answer_is_left_out_as_if_it_were_not_there(method: Ordinal | TwoCoin) -> None:
    """Against a model that is asked again without each answer."""
    evidence, _ = rated_by_crowd(sheets=12, workers=5, answers=3)
    model, answers = method.fit(evidence), evidence.answers
    found = []
    for k in range(len(answers)):
        others = np.delete(np.arange(len(answers)), k)
        rest = answers.take(others, answers.sentence[others], answers.sentences)
        chance = model.chances(rest, evidence.lengths)[answers.sentence[k]]
        row = model.confusion.row[answers.worker[k], answers.codes.values[k]]
        found.append(np.log((chance * np.exp(model.confusion.rates[row])).sum()))

    assert left_out(model, evidence) == pytest.approx(np.mean(found))
