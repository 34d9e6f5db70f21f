"""A calibrated crowd for choices: fitted to a pilot, it behaves as the pilot did."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.consensus import ChoiceVote
from spancrew.core import Dataset
from spancrew.crowds import (
    CalibratedChoices,
    ChoicePopulation,
    Crowd,
    fidelity,
    fit_choices,
    fit_crowd,
    new_crowd,
)
from spancrew.errors import KindError, NoAnswerError, SpancrewError
from spancrew.metrics import agreement
from tests.simulate.preferences import LABELS, preferences


@pytest.fixture(scope="module")
def pilot() -> Dataset:
    """Return 300 pairs with five answers each."""
    return preferences(sheets=300, workers=20, answers=5, questions=1, seed=5)


@pytest.fixture(scope="module")
def population(pilot: Dataset) -> ChoicePopulation:
    """Return what was learned from the pilot."""
    return fit_choices(pilot)


def everybody(crowd: Crowd, sentences: int) -> np.ndarray:
    """Return the codes of all workers on all sentences of one question."""
    workers = len(crowd.workers)
    asked = np.repeat(np.arange(sentences), workers), np.tile(np.arange(workers), sentences)
    return crowd.answers(*asked).values.reshape(sentences, workers)


def test_stand_ins_are_as_good_and_agree_as_much(
    pilot: Dataset, population: ChoicePopulation
) -> None:
    """Accuracy, and the share of pairs of answers that agree."""
    answers = pilot.answers
    who = answers.sentence.astype(np.int64), answers.worker.astype(np.int64)
    gold = pilot.gold.values[answers.sentence]
    figures = []
    for seed in range(1, 6):
        codes = new_crowd(pilot, population, seed=seed).answers(*who)
        agreed = agreement(replace(answers, codes=codes), "pairwise_f1").mean()
        figures.append(((codes.values == gold).mean(), agreed))
    real = (answers.codes.values == gold).mean(), agreement(answers, "pairwise_f1").mean()

    assert np.mean(figures, axis=0) == pytest.approx(np.array(real), abs=0.03)


def test_fidelity_of_choices_is_usable(pilot: Dataset) -> None:
    """On the half that the crowd was not fitted to, in both modes."""
    found = fidelity(pilot, seed=1)

    for mode in found.values():
        assert mode.ks < 0.12
        assert mode.mv_exact_f1.distance < 0.06
        assert mode.verdict != "not usable"


def test_the_same_question_gets_the_same_answer(
    pilot: Dataset, population: ChoicePopulation
) -> None:
    """In any order; other seeds give others, and a negative one the mirror image."""
    crowd = new_crowd(pilot, population, seed=3)
    whole = everybody(crowd, 40)
    rows = np.array([7, 3, 3]), np.array([2, 9, 2])

    assert crowd.answers(*rows).values.tolist() == [
        whole[s, w] for s, w in zip(*rows, strict=True)
    ]
    assert (everybody(new_crowd(pilot, population, seed=4), 40) != whole).any()
    both = [everybody(new_crowd(pilot, population, seed=s), 300) for s in (3, -3)]
    right = [(each == pilot.gold.values[:, None]).mean() for each in both]
    assert abs(np.mean(right) - 0.5) < abs(right[0] - 0.5) + 0.05


def test_known_workers_repeat_what_they_said(pilot: Dataset, population: ChoicePopulation) -> None:
    """And stand-ins for them do not look at their own answer."""
    answers = pilot.answers
    who = answers.sentence.astype(np.int64), answers.worker.astype(np.int64)
    real = CalibratedChoices.known(pilot, population)
    stand_ins = CalibratedChoices.known(pilot, population, 1, stand_in=True)

    assert (real.answers(*who).values == answers.codes.values).all()
    drawn = stand_ins.answers(*who).values
    assert 0.4 < (drawn == answers.codes.values).mean() < 0.95


def test_hard_questions_stay_hard(pilot: Dataset, population: ChoicePopulation) -> None:
    """Where real workers failed, new answers on the question fail more often."""
    voted = ChoiceVote().judge(pilot.answers, np.ones(300, np.int64)).labels.values
    agreed = agreement(pilot.answers, "pairwise_f1") == 1
    crowd = CalibratedChoices.known(pilot, population, 2, stand_in=True)
    right = (everybody(crowd, 300) == pilot.gold.values[:, None]).mean(axis=1)
    is_right = voted == pilot.gold.values

    assert right[is_right & agreed].mean() > right[~is_right].mean() + 0.2


def test_wrong_answers_flock(population: ChoicePopulation) -> None:
    """Of those who are wrong, 0.7 were drawn to follow, some of whom take the first response."""
    assert 0.4 < population.herd < 0.8
    assert population.slips.sum(axis=1) == pytest.approx(np.ones(3))


def test_stated_skills_are_met(pilot: Dataset, population: ChoicePopulation) -> None:
    """As accuracies on new questions."""
    crowd = new_crowd(pilot, population, {"poor": 0.4, "fair": 0.7, "good": 0.9}, seed=1)
    right = (everybody(crowd, 300) == pilot.gold.values[:, None]).mean(axis=0)

    assert right == pytest.approx([0.4, 0.7, 0.9], abs=0.08)
    with pytest.raises(SpancrewError, match="each is an accuracy"):
        new_crowd(pilot, population, {"wrong": 1.5})


def test_what_cannot_be_drawn_is_refused(pilot: Dataset, population: ChoicePopulation) -> None:
    """In a sentence that says why."""
    bare = Dataset.of(pilot.sentences, {}, (), LABELS, "choices")
    with pytest.raises(SpancrewError, match="no answer has gold"):
        fit_crowd(bare)
    with pytest.raises(SpancrewError, match="fitted to other data"):
        CalibratedChoices.known(bare, population)
    with pytest.raises(NoAnswerError, match="'p0' has no gold"):
        CalibratedChoices.new(bare, population, {"x": 0.8}).answers(np.array([0]), np.array([0]))
    with pytest.raises(KindError, match="the crowd 'ses' works on spans only"):
        fidelity(pilot, "ses")
