"""A calibrated crowd for choices."""

from collections.abc import Mapping

import numpy as np

from spancrew.core import (
    Dataset,
    FloatArray,
    IntArray,
    Ragged,
    kernel,
    normal_quantile,
    offsets_of,
    stream,
    uniform,
)
from spancrew.crowds._base import refuse_without_gold
from spancrew.crowds._choosing import (
    EASE,
    ChoicePopulation,
    Choices,
    chance,
    choices_of,
    ease_of,
    likelihoods,
)
from spancrew.crowds._replay import Replay
from spancrew.errors import SpancrewError

_OF_QUESTION, _OF_WORKER = 1 << 40, 1 << 41
"""Places of draws that belong to no answer: of a question, and of a worker."""


class CalibratedChoices:
    """Stand-ins who choose as the workers of a population do.

    Build one with :meth:`known` or :meth:`new`, as :class:`~spancrew.crowds.Calibrated`. How easy
    a question is, and which wrong answer is popular, are a function of the seed and the question;
    a choice is one of the seed, the question and the worker. A negative seed mirrors the positive.
    """

    def __init__(
        self,
        dataset: Dataset,
        population: ChoicePopulation,
        workers: tuple[str, ...],
        seed: int,
        *,
        is_known: bool,
        stand_in: bool,
    ) -> None:
        if dataset.labels != population.labels:
            raise SpancrewError(
                f"the pilot has the labels {', '.join(population.labels)}, the data "
                f"{', '.join(dataset.labels)}: a crowd for choices knows its own only"
            )
        self._gold, self._ids, self._names = dataset.gold, dataset.sentences.ids, workers
        self._begins = offsets_of(dataset.sentences.starts.lengths)
        self._population, self._seed, self._stand_in = population, seed, stand_in
        self._replay = Replay(dataset.without_answers() if stand_in else dataset)
        self._true = _true_labels(dataset, int(self._begins[-1]))
        questions = np.arange(self._begins[-1])
        self._drawn = [_draws(seed, questions + _OF_QUESTION, questions * 0, k) for k in range(3)]
        who = np.arange(len(workers))
        noise = _draws(seed, who + _OF_WORKER, who * 0, 0)
        spread = np.array([normal_quantile(float(u)) for u in np.clip(noise, 1e-6, 1 - 1e-6)])
        self._form = population.unsure[: len(workers)] * spread
        self._seen: Choices | None = choices_of(dataset) if is_known else None
        self._ease = self._prior()

    @classmethod
    def known(
        cls,
        dataset: Dataset,
        population: ChoicePopulation,
        seed: int = 0,
        *,
        stand_in: bool = False,
    ) -> "CalibratedChoices":
        """Return the workers of the data set that the population was fitted to, or has met.

        Their real answers are repeated; with ``stand_in`` they are replaced, and each stand-in
        looks at all real answers on the question but its own.
        """
        if dataset is not population.dataset and dataset != population.dataset:
            raise SpancrewError("the population was fitted to other data; use new workers")
        names = dataset.workers
        return cls(dataset, population, names, seed, is_known=True, stand_in=stand_in)

    @classmethod
    def new(
        cls,
        dataset: Dataset,
        population: ChoicePopulation,
        skills: Mapping[str, float] | None = None,
        seed: int = 0,
    ) -> "CalibratedChoices":
        """Return workers for questions that nobody has answered; ``skills`` are accuracies."""
        names = dataset.workers
        if skills is not None:
            names = tuple(skills)
            population = population.with_skills(np.array(list(skills.values()), np.float64))
        elif names != population.dataset.workers:
            raise SpancrewError(
                "the workers of the data set are not those of the population; state their skills"
            )
        return cls(dataset, population, names, seed, is_known=False, stand_in=True)

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        return self._names

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions on sentences with gold."""
        del workers
        return np.flatnonzero(self._gold.lengths[sentences] > 0)

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return one answer for each sentence and worker."""
        asked, who = np.asarray(sentences, np.int64), np.asarray(workers, np.int64)
        refuse_without_gold(self._gold, self._ids, asked)
        lengths = np.diff(self._begins)[asked]
        offsets = offsets_of(lengths)
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
        question = np.repeat(self._begins[asked], lengths) + within
        labels = self._chosen(question, np.repeat(who, lengths))
        codes = (2 * labels + 1).astype(self._gold.values.dtype)
        if not self._stand_in:
            self._replay.repeat(asked, who, offsets, codes)
        return Ragged(codes, offsets)

    def _chosen(self, question: IntArray, worker: IntArray) -> IntArray:
        people, true = self._population, self._true[question]
        first, follows, slip = (_draws(self._seed, question, worker, k) for k in range(3))
        odds = people.odds(worker, true) + self._form[worker]
        is_right = first < chance(odds + self._ease_for(question, worker))
        herd = self._slip(true, self._drawn[1][question])
        own = self._slip(true, slip)
        return np.where(is_right, true, np.where(follows < people.herd, herd, own))

    def _slip(self, true: IntArray, drawn: FloatArray) -> IntArray:
        """Return a wrong label for each true one."""
        return _picked(self._population.slips[true], drawn)

    def _prior(self) -> FloatArray:
        """Return the chance of each ease for every question: after real answers, if there are."""
        ease = np.tile(self._population.ease, (int(self._begins[-1]), 1))
        if self._seen is not None and len(self._seen.worker):
            ease[np.unique(self._seen.question)] = ease_of(self._population)
        return ease

    def _ease_for(self, question: IntArray, worker: IntArray) -> FloatArray:
        """Return how easy a question is to a worker, whose own answer is not looked at."""
        ease = self._ease[question]
        if self._seen is not None and self._stand_in:
            keys = self._seen.question * len(self._names) + self._seen.worker
            order = np.argsort(keys)
            wanted = question * len(self._names) + worker
            place = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
            own = likelihoods(self._population, Choices(*(each[place] for each in self._seen)))
            is_own = keys[place] == wanted
            ease = np.where(is_own[:, None], ease * np.exp(-own), ease)
        found: FloatArray = EASE[_picked(ease, self._drawn[0][question])]
        return found


def _true_labels(dataset: Dataset, questions: int) -> IntArray:
    """Return the gold label of every question; 0 where it is not known."""
    true = np.zeros(questions, np.int64)
    known = np.repeat(dataset.has_gold, dataset.sentences.starts.lengths)
    true[known] = (dataset.gold.values.astype(np.int64) - 1) // 2
    return true


def _picked(chances: FloatArray, drawn: FloatArray) -> IntArray:
    """Return a column for each row, as likely as its chance says; they need not add up to 1."""
    upto = np.cumsum(chances, axis=1)
    column = (drawn[:, None] * upto[:, -1:] >= upto).sum(axis=1).astype(np.int64)
    picked: IntArray = np.minimum(column, chances.shape[1] - 1)
    return picked


def _draws(seed: int, place: IntArray, worker: IntArray, number: int) -> FloatArray:
    drawn = _uniform(abs(seed), place, worker, number)
    return 1 - 2.0**-53 - drawn if seed < 0 else drawn


@kernel
def _uniform(seed: int, place: IntArray, worker: IntArray, number: int) -> FloatArray:
    out = np.empty(len(place))
    for k in range(len(place)):
        out[k] = uniform(stream(seed, place[k], worker[k]), number)
    return out
