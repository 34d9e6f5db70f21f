"""How workers choose: skills, how hard questions are, and which wrong answers are popular."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, Dataset, FloatArray, IntArray, LabelSet, offsets_of
from spancrew.errors import SpancrewError

EASE = np.linspace(-6.0, 8.0, 29)
"""How easy a question may be, as log-odds that a worker of skill 0 is right."""

_ROUNDS = 40
_LEAST_SPREAD = 0.02
"""Variance of skills and leanings, below which a population would never show any again."""


class Choices(NamedTuple):
    """Answers to questions with gold: question, worker, what is true and what was chosen."""

    question: IntArray
    worker: IntArray
    true: IntArray
    chosen: IntArray

    @property
    def is_right(self) -> BoolArray:
        """Tell which choices are as in gold."""
        right: BoolArray = self.true == self.chosen
        return right


@dataclass(frozen=True, slots=True, eq=False)
class ChoicePopulation:
    """Workers who were fitted to real choices, and the questions they meet.

    A worker is right with the log-odds ``skill`` + ``leaning`` for the true label + the ease of
    the question; ``unsure`` is the standard error of the skill. ``common`` is the leaning that all
    share. ``ease`` has the share of questions at each value of EASE. Who is wrong takes the
    popular wrong answer of the question with the chance ``herd``, else one by ``slips``, which has
    a row for every true label. ``dataset`` is the one it was fitted to, ``seen`` its choices.
    """

    dataset: Dataset
    skill: FloatArray
    unsure: FloatArray
    leaning: FloatArray
    common: FloatArray
    ease: FloatArray
    herd: float
    slips: FloatArray
    seen: Choices

    @property
    def labels(self) -> LabelSet:
        """Return the labels that the population knows."""
        return self.dataset.labels

    def joined_by(self, names: Sequence[str], rng: np.random.Generator) -> "ChoicePopulation":
        """Return the same population with new workers, each like one who has answered."""
        like = rng.choice(np.unique(self.seen.worker), len(names))
        return replace(
            self,
            dataset=replace(self.dataset, workers=(*self.dataset.workers, *names)),
            skill=np.append(self.skill, self.skill[like]),
            unsure=np.append(self.unsure, self.unsure[like]),
            leaning=np.concatenate([self.leaning, self.leaning[like]]),
        )

    def meeting(self, dataset: Dataset) -> "ChoicePopulation":
        """Return the same population before answers by its workers on other sentences."""
        if (dataset.workers, dataset.labels) != (self.dataset.workers, self.labels):
            raise SpancrewError("the answers are by other workers, or have other labels")
        return replace(self, dataset=dataset, seen=choices_of(dataset))

    def with_skills(self, wanted: FloatArray) -> "ChoicePopulation":
        """Return average workers of these accuracies on new questions."""
        if len(wanted) == 0 or np.any((wanted < 0) | (wanted > 1)):
            raise SpancrewError("state at least one skill; each is an accuracy between 0 and 1")
        ladder = np.linspace(-12.0, 12.0, 97)
        share = np.bincount(self.seen.true, minlength=len(self.common)) / len(self.seen.true)
        right = chance(ladder[:, None, None] + self.common[:, None] + EASE) @ self.ease @ share
        skill = np.interp(wanted, right, ladder)
        leaning = np.zeros((len(wanted), len(self.common)))
        return replace(self, skill=skill, unsure=np.zeros(len(wanted)), leaning=leaning)

    def odds(self, worker: IntArray, true: IntArray) -> FloatArray:
        """Return the log-odds to be right on a question of the ease 0."""
        return self.skill[worker] + self.leaning[worker, true] + self.common[true]


def choices_of(dataset: Dataset) -> Choices:
    """Return all choices on questions with gold."""
    answers, begins = dataset.answers, offsets_of(dataset.sentences.starts.lengths)
    rows = np.flatnonzero(dataset.has_gold[answers.sentence])
    codes, sentence = answers.codes.take(rows), answers.sentence[rows].astype(np.int64)
    within = np.arange(codes.offsets[-1]) - np.repeat(codes.offsets[:-1], codes.lengths)
    gold = dataset.gold.take(sentence).values.astype(np.int64)
    return Choices(
        np.repeat(begins[sentence], codes.lengths) + within,
        np.repeat(answers.worker[rows].astype(np.int64), codes.lengths),
        (gold - 1) // 2,
        (codes.values.astype(np.int64) - 1) // 2,
    )


def fit_choices(dataset: Dataset) -> ChoicePopulation:
    """Learn from all choices of a data set that have gold.

    The ease of questions has any distribution over EASE; skills and leanings are normal, and as
    spread as the answers say. All are estimated in turn, so that the answers get likelier.
    """
    seen = choices_of(dataset)
    if len(seen.worker) == 0:
        raise SpancrewError(
            "no answer has gold to be compared with: a crowd cannot be calibrated; give a pilot "
            "data set with gold and answers"
        )
    workers, labels = len(dataset.workers), len(dataset.labels)
    found = ChoicePopulation(
        dataset,
        np.zeros(workers),
        np.zeros(workers),
        np.zeros((workers, labels)),
        np.zeros(labels),
        np.exp(-((EASE - 1.0) ** 2) / 8) / np.exp(-((EASE - 1.0) ** 2) / 8).sum(),
        *_wrong(seen, labels),
        seen,
    )
    spread = np.array([1.0, 0.25])
    for _ in range(_ROUNDS):
        found, spread = _better(found, spread)
    return found


def _better(found: ChoicePopulation, spread: FloatArray) -> tuple[ChoicePopulation, FloatArray]:
    """Return the population after one more round, and the variance of skills and leanings."""
    seen, workers, labels = found.seen, len(found.skill), len(found.common)
    posterior = ease_of(found)
    _, place = np.unique(seen.question, return_inverse=True)
    ease = (posterior.sum(axis=0) + 0.5 * found.ease) / (len(posterior) + 0.5)
    own = posterior[place]
    right = chance(found.odds(seen.worker, seen.true)[:, None] + EASE)
    push = seen.is_right - (own * right).sum(axis=1)
    firm = (own * right * (1 - right)).sum(axis=1)
    skill, unsure = _moved(found.skill, seen.worker, push, firm, 1 / spread[0])
    both = seen.worker * labels + seen.true
    leaning, loose = _moved(found.leaning.ravel(), both, push, firm, 1 / spread[1])
    common, _ = _moved(found.common, seen.true, push, firm, 1.0)
    active = np.unique(seen.worker)
    met = np.unique(both)
    moved = np.array(
        [
            (skill[active] ** 2 + unsure[active] ** 2).mean(),
            (leaning[met] ** 2 + loose[met] ** 2).mean(),
        ]
    )
    better = replace(
        found,
        skill=skill,
        unsure=unsure,
        leaning=leaning.reshape(workers, labels),
        common=common,
        ease=ease / ease.sum(),
    )
    return better, np.maximum(moved, _LEAST_SPREAD)


def _moved(
    values: FloatArray, place: IntArray, push: FloatArray, firm: FloatArray, prior: float
) -> tuple[FloatArray, FloatArray]:
    """Return values after half a step of Newton's, which never goes too far, and their errors."""
    pushed = np.bincount(place, push, minlength=len(values)) - prior * values
    curved = np.bincount(place, firm, minlength=len(values)) + prior
    return values + np.clip(pushed / curved / 2, -1.0, 1.0), 1 / np.sqrt(curved)


def ease_of(found: ChoicePopulation) -> FloatArray:
    """Return the probability of each ease for each question that was answered, in their order."""
    questions, place = np.unique(found.seen.question, return_inverse=True)
    likely = np.zeros((len(questions), len(EASE)))
    np.add.at(likely, place, likelihoods(found, found.seen))
    likely += np.log(found.ease + 1e-12)
    likely = np.exp(likely - likely.max(axis=1, keepdims=True))
    posterior: FloatArray = likely / likely.sum(axis=1, keepdims=True)
    return posterior


def likelihoods(found: ChoicePopulation, seen: Choices) -> FloatArray:
    """Return how likely each choice is right or wrong, as it was, under each ease (logarithms)."""
    odds = found.odds(seen.worker, seen.true)[:, None] + EASE
    said: FloatArray = -np.logaddexp(0.0, np.where(seen.is_right[:, None], -odds, odds))
    return said


def chance(odds: FloatArray) -> FloatArray:
    """Return probabilities from log-odds."""
    made: FloatArray = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return made


def _wrong(seen: Choices, labels: int) -> tuple[float, FloatArray]:
    """Return how often the wrong follow each other, and what they choose under each true label.

    Two wrong answers on a question are equal if both follow, and else by chance.
    """
    counts = np.full((labels, labels), 0.5)
    wrong = np.flatnonzero(~seen.is_right)
    np.add.at(counts, (seen.true[wrong], seen.chosen[wrong]), 1.0)
    np.fill_diagonal(counts, 0.0)
    slips = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-9)
    votes = np.zeros((int(seen.question.max()) + 1, labels))
    np.add.at(votes, (seen.question[wrong], seen.chosen[wrong]), 1.0)
    true = np.zeros(len(votes), np.int64)
    true[seen.question] = seen.true
    size = votes.sum(axis=1)
    pairs, same = float((size * (size - 1)).sum()), float((votes * (votes - 1)).sum())
    by_chance = float((size * (size - 1) * (slips**2).sum(axis=1)[true]).sum())
    if pairs == 0 or by_chance >= pairs:
        return 0.0, slips
    return float(np.sqrt(np.clip((same - by_chance) / (pairs - by_chance), 0.0, 1.0))), slips
