"""A crowd whose forecasts hold: it makes the mistakes that real workers make, together."""

from collections.abc import Mapping

import numpy as np

from spancrew.core import Dataset, FloatArray, IntArray, LabelSet, Ragged, offsets_of
from spancrew.crowds._base import refuse_without_gold
from spancrew.crowds._draw import draw_answers
from spancrew.crowds._evidence import no_history
from spancrew.crowds._features import features_of
from spancrew.crowds._population import Population
from spancrew.crowds._replay import Replay
from spancrew.crowds._settings import Settings
from spancrew.crowds._tables import SORTS, CrowdTables, History, Mistakes
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

_SAMPLE = 2_000
"""Sentences on which the skill for a stated F1 is looked up; a small data set is drawn again."""


class Calibrated:
    """Stand-ins drawn from a population that was fitted to real answers.

    Build one with :meth:`known` (the data set the population was fitted to; sentences with real
    answers are drawn given these) or :meth:`new` (any data set with gold, workers with stated
    skills). The latents of a sentence are a function of the seed and the sentence, an answer of
    the seed, the sentence and the worker. A negative seed gives the mirror image of the positive
    one: what went well goes badly.
    """

    def __init__(
        self,
        dataset: Dataset,
        population: Population,
        settings: Settings,
        history: History,
        workers: tuple[str, ...],
        seed: int,
        *,
        stand_in: bool,
    ) -> None:
        self._gold = dataset.gold
        self._ids = dataset.sentences.ids
        self._names = workers
        self._seed = seed
        self._stand_in = stand_in
        self._replay = Replay(dataset.without_answers() if stand_in else dataset)
        features = features_of(dataset, population.labels)
        self._tables = CrowdTables(
            settings.sheet(features, dataset.sentences.starts.lengths),
            _translated(population.mistakes, population.labels, dataset.labels),
            settings.habits(),
            settings.team(),
            history,
        )

    @classmethod
    def known(
        cls, dataset: Dataset, population: Population, seed: int = 0, *, stand_in: bool = False
    ) -> "Calibrated":
        """Return the workers of the data set that the population was fitted to.

        Their real answers are repeated; with ``stand_in`` they are replaced, and each stand-in
        looks at all real answers on the sentence but its own.
        """
        if dataset is not population.dataset and dataset != population.dataset:
            raise SpancrewError("the population was fitted to other data; use Calibrated.new")
        return cls(
            dataset,
            population,
            population.known,
            population.history,
            dataset.workers,
            seed,
            stand_in=stand_in,
        )

    @classmethod
    def new(
        cls,
        dataset: Dataset,
        population: Population,
        skills: Mapping[str, float] | None = None,
        seed: int = 0,
    ) -> "Calibrated":
        """Return workers for sentences that nobody has answered.

        ``skills`` are mean exact F1 by name; without them the workers of the population's data set
        are taken, who must be those of this data set.
        """
        settings = _fitting_labels(population.fresh, population.labels, dataset.labels)
        names = dataset.workers
        if skills is not None:
            names = tuple(skills)
            wanted = np.array(list(skills.values()), np.float64)
            settings = _with_skills(settings, population, dataset, wanted)
        elif names != population.dataset.workers:
            raise SpancrewError(
                "the workers of the data set are not those of the population; state their skills"
            )
        history = no_history(len(dataset))
        return cls(dataset, population, settings, history, names, seed, stand_in=True)

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        return self._names

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions on sentences with gold."""
        del workers
        return np.flatnonzero(self._gold.lengths[sentences] > 0)

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return one answer for each question."""
        asked, who = np.asarray(sentences, np.int64), np.asarray(workers, np.int64)
        refuse_without_gold(self._gold, self._ids, asked)
        offsets = offsets_of(self._tables.sheet.sentence["tokens"][asked])
        codes = np.zeros((1, offsets[-1]), self._gold.values.dtype)
        draw_answers(self._tables, np.array([self._seed]), asked, who, offsets, codes)
        if not self._stand_in:
            self._replay.repeat(asked, who, offsets, codes[0])
        return Ragged(codes[0], offsets)


def _translated(mistakes: Mistakes, known: LabelSet, labels: LabelSet) -> Mistakes:
    """Return the mistakes in other labels; one that is lacking becomes any of them."""
    if known == labels:
        return mistakes
    ids = [labels.id(n) if n in labels else k % max(len(labels), 1) for k, n in enumerate(known)]
    table = np.array([*ids, -1], np.int64)
    translated = mistakes.mistake.copy()
    translated["label"] = table[translated["label"]]
    return mistakes._replace(mistake=translated)


def _fitting_labels(settings: Settings, known: LabelSet, labels: LabelSet) -> Settings:
    """Return settings whose spurious spans carry labels of another data set."""
    if known == labels:
        return settings
    return settings.but(extra_label=settings.extra_label % max(len(labels), 1))


def _with_skills(
    settings: Settings, population: Population, dataset: Dataset, wanted: FloatArray
) -> Settings:
    """Return settings with a worker for each wanted mean F1, found by trying skills."""
    if len(wanted) == 0 or np.any((wanted < 0) | (wanted > 1)):
        raise SpancrewError("state at least one skill; each is a mean F1 between 0 and 1")
    ladder = np.linspace(-6.0, 8.0, 29)
    with_gold = np.flatnonzero(dataset.has_gold)[:_SAMPLE]
    if len(with_gold) == 0:
        raise SpancrewError(
            "no sentence has gold; a calibrated crowd answers only where what is right is known"
        )
    repeats = min(-(-_SAMPLE // len(with_gold)), 200)
    trial = _team_of(settings, ladder)
    f1 = np.mean([_ladder_f1(dataset, population, trial, with_gold, k) for k in range(repeats)], 0)
    return _team_of(settings, np.interp(wanted, np.maximum.accumulate(f1), ladder))


def _ladder_f1(
    dataset: Dataset, population: Population, trial: Settings, with_gold: IntArray, seed: int
) -> FloatArray:
    """Return the mean F1 of every worker of a trial team."""
    steps = len(trial.skill)
    names = tuple(str(k) for k in range(steps))
    history = no_history(len(dataset))
    crowd = Calibrated(dataset, population, trial, history, names, seed, stand_in=True)
    sentences = np.repeat(with_gold, steps)
    answers = crowd.answers(sentences, np.tile(np.arange(steps), len(with_gold)))
    scores = Metric("exact").pairs(answers, dataset.gold, gold_rows=sentences)[:, 2]
    mean: FloatArray = scores.reshape(-1, steps).mean(axis=0)
    return mean


def _team_of(settings: Settings, skill: FloatArray) -> Settings:
    """Return settings with average workers of these skills."""
    return settings.but(
        skill=skill, extra=np.ones(len(skill)), leaning=np.ones((len(skill), SORTS))
    )
