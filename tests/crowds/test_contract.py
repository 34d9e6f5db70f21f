"""What every crowd promises."""

from collections.abc import Callable

import numpy as np
import pytest

from spancrew.augment import Recipe
from spancrew.core import Answer, Dataset, Ragged, Sentence, Span, is_valid
from spancrew.crowds import Augmented, Bernoulli, Calibrated, Crowd, Population, Replay
from spancrew.errors import NoAnswerError, SpancrewError
from spancrew.metrics import Metric

Make = Callable[[Dataset, Population], Crowd]

MAKERS: dict[str, Make] = {
    "replay": lambda data, _: Replay(data),
    "augmented": lambda data, _: Augmented(data),
    "augmented, all replaced": lambda data, _: Augmented(data, stand_in=True),
    "calibrated": Calibrated.known,
    "calibrated, all replaced": lambda d, p: Calibrated.known(d, p, stand_in=True),
    "calibrated, new": Calibrated.new,
    "calibrated, stated skills": lambda d, p: Calibrated.new(d, p, {"x": 0.5, "y": 0.9}),
    "bernoulli": lambda data, _: Bernoulli(dict.fromkeys(data.workers, 0.7)),
}


@pytest.fixture(params=MAKERS)
def crowd(request: pytest.FixtureRequest, pilot: Dataset, population: Population) -> Crowd:
    """Return one crowd after the other."""
    return MAKERS[request.param](pilot, population)


def questions(crowd: Crowd, data: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return many questions that the crowd can answer, in no order."""
    rng = np.random.default_rng(3)
    sentences = rng.integers(0, len(data), 600)
    workers = rng.integers(0, len(crowd.workers), 600)
    possible = crowd.can_answer(sentences, workers)
    return sentences[possible], workers[possible]


def test_the_same_question_gets_the_same_answer(crowd: Crowd, pilot: Dataset) -> None:
    """Alone or among others, in this order or another."""
    sentences, workers = questions(crowd, pilot)
    once = crowd.answers(sentences, workers)
    order = np.random.default_rng(4).permutation(len(sentences))
    shuffled = crowd.answers(sentences[order], workers[order])
    alone = crowd.answers(sentences[:1], workers[:1])

    assert len(once) == len(sentences) > 0
    assert shuffled == once.take(order)
    assert alone[0].tolist() == once[0].tolist()


def test_answers_fit_their_sentences(crowd: Crowd, pilot: Dataset) -> None:
    """One valid code for each token; for numbers, one code in all."""
    sentences, workers = questions(crowd, pilot)
    answers = crowd.answers(sentences, workers)
    tokens = pilot.sentences.starts.lengths[sentences]
    expected = np.ones_like(tokens) if isinstance(crowd, Bernoulli) else tokens

    assert answers.lengths.tolist() == expected.tolist()
    assert all(is_valid(row, pilot.labels) for row in answers)


def test_no_question_is_no_answer(crowd: Crowd) -> None:
    """An empty list of questions is fine."""
    nothing = np.zeros(0, np.int64)

    assert len(crowd.answers(nothing, nothing)) == 0
    assert len(crowd.can_answer(nothing, nothing)) == 0


@pytest.mark.parametrize("name", ["replay", "augmented", "calibrated"])
def test_real_answers_are_repeated(name: str, pilot: Dataset, population: Population) -> None:
    """Word for word, unless stand-ins were asked for."""
    crowd = MAKERS[name](pilot, population)
    answers = pilot.answers
    got = crowd.answers(answers.sentence.astype(np.int64), answers.worker.astype(np.int64))

    assert got == answers.codes


def test_replay_refuses_what_nobody_said(pilot: Dataset) -> None:
    """The message names worker and sentence and says what to do."""
    crowd = Replay(pilot)
    sentences = np.repeat(np.arange(len(pilot)), len(pilot.workers))
    workers = np.tile(np.arange(len(pilot.workers)), len(pilot))
    missing = np.setdiff1d(np.arange(len(sentences)), crowd.can_answer(sentences, workers))

    assert len(missing) == len(sentences) - len(pilot.answers)
    with pytest.raises(NoAnswerError, match="has no real answer on sentence"):
        crowd.answers(sentences[missing[:1]], workers[missing[:1]])


def test_sentences_without_gold_are_refused(pilot: Dataset, population: Population) -> None:
    """By those who make answers from gold."""
    sentence = Sentence.from_tokens("bare", ["a", "b"])
    known = Sentence.from_tokens("known", ["c", "d"])
    answers = [Answer("known", "w", (Span(0, 1, "PER"),))]
    data = Dataset.of([sentence, known], {"known": [Span(0, 1, "PER")]}, answers, pilot.labels)
    zero = np.zeros(1, np.int64)

    for crowd in (Augmented(data), Calibrated.new(data, population, {"w": 0.5})):
        assert crowd.can_answer(np.array([0, 1]), np.array([0, 0])).tolist() == [1]
        with pytest.raises(NoAnswerError, match="sentence 'bare' has no gold"):
            crowd.answers(zero, zero)


def test_bernoulli_workers_are_right_as_often_as_they_should(pilot: Dataset) -> None:
    """Within four standard errors; and a chance is a chance."""
    crowd = Bernoulli({"a": 0.2, "b": 0.9})
    sentences, workers = np.arange(8000) // 2, np.arange(8000) % 2
    right = crowd.answers(sentences, workers).values.reshape(-1, 2).mean(axis=0)

    assert right == pytest.approx([0.2, 0.9], abs=4 * 0.4 / 4000**0.5)
    with pytest.raises(SpancrewError, match=r"worker 'a': chance 1\.2 is not within 0 and 1"):
        Bernoulli({"a": 1.2})


def f1(crowd: Crowd, data: Dataset, worker: int) -> float:
    """Return the mean exact F1 of a worker on all sentences."""
    sentences = np.arange(len(data))
    answers = crowd.answers(sentences, np.full(len(data), worker))
    return float(Metric("exact").pairs(answers, data.gold)[:, 2].mean())


def test_stated_skills_are_reached(pilot: Dataset, population: Population) -> None:
    """Twenty workers between 0.5 and 0.9, on sentences that nobody has answered."""
    skills = {f"w{k}": 0.5 + 0.4 * k / 19 for k in range(20)}
    crowd = Calibrated.new(pilot.without_answers(), population, skills, seed=5)
    reached = np.array([f1(crowd, pilot, k) for k in range(20)])

    assert crowd.workers == tuple(skills)
    assert np.abs(reached - np.array(list(skills.values()))).mean() < 0.04


def test_labels_that_the_population_does_not_know_are_fine(population: Population) -> None:
    """A pilot with other labels, Chinese characters and no answers at all."""
    from spancrew.formats import read

    data = read("demo-zh").dataset.without_answers()
    crowd = Calibrated.new(data, population, {"a": 0.4, "b": 0.9})
    sentences, workers = np.arange(len(data)), np.zeros(len(data), np.int64)
    answers = crowd.answers(sentences, workers)

    assert all(is_valid(row, data.labels) for row in answers)
    assert 0.2 < f1(crowd, data, 0) < f1(crowd, data, 1) - 0.2


def test_what_makes_no_sense_is_refused(pilot: Dataset, population: Population) -> None:
    """Skills beyond 1, the same sentences in another order, no workers stated, no gold."""
    other = pilot.take(np.arange(len(pilot))[::-1])

    with pytest.raises(SpancrewError, match="each is a mean F1 between 0 and 1"):
        Calibrated.new(pilot, population, {"w": 1.5})
    with pytest.raises(SpancrewError, match=r"fitted to other data; use Calibrated\.new"):
        Calibrated.known(other, population)
    with pytest.raises(SpancrewError, match="not those of the population; state their skills"):
        Calibrated.new(Dataset.of([Sentence.from_tokens("s", ["a"])], {"s": []}), population)
    with pytest.raises(SpancrewError, match="no sentence has gold"):
        Calibrated.new(Dataset.of([Sentence.from_tokens("s", ["a"])]), population, {"w": 0.5})


def test_a_seed_makes_another_crowd(pilot: Dataset, population: Population) -> None:
    """The same seed the same one."""
    sentences, workers = np.arange(len(pilot)), np.zeros(len(pilot), np.int64)

    def answers(seed: int) -> Ragged:
        return Calibrated.new(pilot, population, seed=seed).answers(sentences, workers)

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)
    one, other = (Augmented(pilot, Recipe(seed=k), stand_in=True) for k in (1, 2))
    assert one.answers(sentences, workers) != other.answers(sentences, workers)
