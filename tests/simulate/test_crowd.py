"""Crowds by name, made from a part of the demo."""

from typing import get_args

import numpy as np
import pytest

from spancrew.augment import mean_scores
from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.crowds import Bernoulli, Calibrated, Replay
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.simulate import CROWDS, CrowdKind, SimulatedCrowd, scene_of, simulated_crowd

KINDS: dict[CrowdKind, type] = {
    "calibrated": Calibrated,
    "ses": Replay,
    "replay": Replay,
    "bernoulli": Bernoulli,
}


@pytest.fixture(scope="module")
def pilot() -> Dataset:
    """Return a part of the demo in which everybody has worked."""
    return read("demo").dataset.take(np.arange(0, 600, 4))


@pytest.fixture(scope="module", params=CROWDS)
def made(request: pytest.FixtureRequest, pilot: Dataset) -> tuple[CrowdKind, SimulatedCrowd]:
    """Return one crowd after the other."""
    return request.param, simulated_crowd(pilot, request.param, seed=2)


def all_questions(made: SimulatedCrowd) -> tuple[np.ndarray, np.ndarray]:
    """Ask every worker about every sentence."""
    workers = len(made.crowd.workers)
    size = len(made.dataset)
    return np.repeat(np.arange(size), workers), np.tile(np.arange(workers), size)


def test_every_name_makes_a_crowd_that_can_be_rehearsed_with(
    made: tuple[CrowdKind, SimulatedCrowd], pilot: Dataset
) -> None:
    """On sentences that all have gold."""
    kind, found = made

    assert isinstance(found.crowd, KINDS[kind])
    assert found.dataset.has_gold.all()
    assert len(found.dataset) + found.left_out == len(pilot)
    assert scene_of(found.dataset, found.crowd).workers == found.crowd.workers


def test_only_a_replayed_crowd_cannot_answer_everything(
    made: tuple[CrowdKind, SimulatedCrowd],
) -> None:
    """It has what was really said, and no more."""
    kind, found = made
    questions = all_questions(found)
    possible = found.crowd.can_answer(*questions)

    if kind == "replay":
        assert len(possible) == len(found.dataset.answers) < len(questions[0])
    else:
        assert len(possible) == len(questions[0])


def test_real_answers_stay_what_they_are(
    made: tuple[CrowdKind, SimulatedCrowd], pilot: Dataset
) -> None:
    """Stand-ins speak only where nobody did; coins have no answers to repeat."""
    kind, found = made
    if kind == "bernoulli":
        return
    asked = pilot.answers.sentence.astype(np.int64), pilot.answers.worker.astype(np.int64)

    assert found.crowd.answers(*asked) == pilot.answers.codes


def test_coins_are_right_as_often_as_the_workers(pilot: Dataset) -> None:
    """On sentences of one token with one label, as many as there were."""
    found = simulated_crowd(pilot, "bernoulli", seed=1)
    many = np.arange(20_000)
    skills = mean_scores(pilot, Metric())

    assert len(found.dataset) == len(pilot)
    assert (found.dataset.sentences.starts.lengths == 1).all()
    for worker in (0, 5):
        place = found.crowd.workers.index(pilot.workers[worker])
        right = found.crowd.answers(many, np.full(len(many), place)).values

        assert right.mean() == pytest.approx(skills[worker], abs=0.015)


@pytest.mark.parametrize("kind", ["ses", "bernoulli"])
def test_another_seed_makes_another_crowd(kind: CrowdKind, pilot: Dataset) -> None:
    """And the same seed the same."""
    first, again, other = (simulated_crowd(pilot, kind, seed=seed) for seed in (3, 3, 4))
    questions = all_questions(first)

    assert first.crowd.answers(*questions) == again.crowd.answers(*questions)
    assert first.crowd.answers(*questions) != other.crowd.answers(*questions)


def test_sentences_without_gold_or_answers_are_left_out() -> None:
    """The latter only where nothing but real answers is used."""
    made = [Sentence.from_tokens(f"s{k}", ["Ana", "left"]) for k in range(4)]
    span = (Span(0, 1, "PER"),)
    gold = {"s0": span, "s1": span, "s2": span}
    answers = [Answer("s0", w, span) for w in ("ada", "bo")] + [Answer("s3", "ada", span)]
    data = Dataset.of(made, gold, answers)

    assert simulated_crowd(data, "replay").dataset.sentences.ids == ("s0",)
    assert simulated_crowd(data, "replay").left_out == 3
    assert simulated_crowd(data, "bernoulli").left_out == 1


@pytest.mark.parametrize("kind", CROWDS)
def test_without_gold_nothing_can_be_rehearsed(kind: CrowdKind) -> None:
    """The message says what is missing."""
    sentence = Sentence.from_tokens("s", ["Ana"])
    data = Dataset.of([sentence], None, [Answer("s", "ada")], LabelSet(("PER",)))

    with pytest.raises(SpancrewError, match="no sentence has what a rehearsal needs: gold"):
        simulated_crowd(data, kind)


def test_without_answers_nothing_can_be_replayed() -> None:
    """Gold alone is not enough."""
    sentence = Sentence.from_tokens("s", ["Ana"])
    data = Dataset.of([sentence], {"s": [Span(0, 1, "PER")]})

    with pytest.raises(SpancrewError, match="and a real answer to replay"):
        simulated_crowd(data, "replay")


def test_an_unknown_crowd_is_refused(pilot: Dataset) -> None:
    """The message names those there are."""
    with pytest.raises(SpancrewError, match=r"crowd 'robots' is not known \(one of calibrated"):
        simulated_crowd(pilot, "robots")  # type: ignore[arg-type]

    assert get_args(CrowdKind) == CROWDS


def test_nobody_is_filled_up_who_has_no_score(pilot: Dataset) -> None:
    """SES aims at a worker's mean F1; a coin needs it as well, and leaves that worker out."""
    few = pilot.take(np.arange(5))
    working = {few.workers[j] for j in few.answers.worker}

    with pytest.raises(SpancrewError, match="has no answer on a sentence with gold"):
        simulated_crowd(few, "ses")
    assert set(simulated_crowd(few, "bernoulli").crowd.workers) == working
