"""Where a rehearsal takes place: sentences with gold, and a crowd that answers."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from spancrew.consensus import word_numbers
from spancrew.core import (
    BoolArray,
    Dataset,
    FloatArray,
    IntArray,
    Ragged,
    frozen,
    gather,
    is_model,
    offsets_of,
)
from spancrew.crowds import Crowd
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

TABLE_LIMIT = 2_000_000_000
"""Tokens of answers, all workers on all sentences, up to which they are drawn beforehand."""

TALLY_LIMIT = 8_000_000
"""Numbers that tell what all these answers got right, up to which they are kept."""

AT_ONCE = 100_000
"""Answers that are drawn at once."""

SAMPLE = 2_000
"""Sentences on which the true mean score of workers is taken where not all are drawn."""


class AnswerSource(Protocol):
    """Answers on demand, with their F1 against gold."""

    @property
    def truth(self) -> FloatArray:
        """Return the mean F1 of every worker over the sentences."""
        ...

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return the codes of worker ``workers[k]`` on sentence ``sentences[k]``."""
        ...

    def scores(self, sentences: IntArray, workers: IntArray) -> FloatArray:
        """Return the F1 of the same answers against gold."""
        ...


@dataclass(frozen=True)
class Scene:
    """A data set, the crowd's answers with their scores, and who can answer what.

    ``can`` is None where everybody can answer every sentence; else sentences x workers.
    ``activity`` says how much each worker did in the pilot, relative to the others; None if
    nobody knows.
    """

    dataset: Dataset
    workers: tuple[str, ...]
    source: AnswerSource
    metric: Metric
    can: np.ndarray | None = None
    activity: FloatArray | None = None
    _tallies: dict[tuple[Metric, ...], FloatArray] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __repr__(self) -> str:
        """Return how much there is, without the columns."""
        return f"Scene({len(self.dataset):,} sentences, {len(self.workers):,} workers)"

    @property
    def lengths(self) -> IntArray:
        """Return the tokens of every sentence."""
        return self.dataset.sentences.starts.lengths

    @property
    def truth(self) -> FloatArray:
        """Return the mean F1 of every worker."""
        return self.source.truth

    @property
    def is_scale(self) -> bool:
        """Tell whether the labels are the steps of a scale."""
        return self.dataset.kind == "choices" and self.dataset.labels.is_scale

    @cached_property
    def people(self) -> BoolArray:
        """Tell for every worker whether they are a person and no model."""
        return np.array([not is_model(worker) for worker in self.workers], bool)

    @property
    def size(self) -> tuple[int, int, int]:
        """Return how many people, sentences and models there are."""
        people = int(self.people.sum())
        return people, len(self.dataset), len(self.workers) - people

    def by_models(self, sentence: IntArray) -> tuple[IntArray, IntArray]:
        """Return the answers of models on some sentences: the row of the sentence, the worker."""
        if self._models.size == 0:
            return self._models, self._models
        row = np.repeat(np.arange(len(sentence)), len(self._models))
        model = np.tile(self._models, len(sentence))
        if self.can is not None:
            can = self.can[sentence[row], model]
            row, model = row[can], model[can]
        return row, model

    @cached_property
    def _models(self) -> IntArray:
        """Return the workers who are models."""
        return np.flatnonzero(~self.people)

    def tallies(
        self, codes: Ragged, sentence: IntArray, metrics: tuple[Metric, ...]
    ) -> FloatArray:
        """Return what each row of codes got right, the classes of all metrics side by side."""
        gold, labels = self.dataset.gold, self.dataset.labels
        by_metric = [metric.tallies(codes, gold, labels, sentence) for metric in metrics]
        return np.concatenate(by_metric, axis=1)

    def all_tallies(self, metrics: tuple[Metric, ...], wanted: int) -> FloatArray | None:
        """Return the same of all answers, worker by worker on sentence after sentence.

        They are kept for all rehearsals in this scene; None where that would be too much, or
        where so few are ``wanted`` that counting these takes less time.
        """
        answers = len(self.dataset) * len(self.workers)
        classes = sum(metric.classes(self.dataset.labels) for metric in metrics)
        if not isinstance(self.source, AnswerTable) or answers * classes * 4 > TALLY_LIMIT:
            return None
        if metrics not in self._tallies and wanted < answers:
            return None
        if metrics not in self._tallies:
            sentence, worker = np.divmod(np.arange(answers), len(self.workers))
            codes = self.source.answers(sentence, worker)
            self._tallies[metrics] = self.tallies(codes, sentence, metrics)
        return self._tallies[metrics]

    @cached_property
    def words(self) -> tuple[Ragged, tuple[str, ...]]:
        """Return a number for every token, the same for the same word, and the word of each."""
        return word_numbers(self.dataset)


def scene_of(
    dataset: Dataset, crowd: Crowd, metric: Metric | None = None, *, asks: int | None = None
) -> Scene:
    """Set the scene; every sentence must have gold.

    ``asks`` is how many answers will be asked for in all; where that is much less than there are,
    or not everybody can answer everything, they are drawn on demand.
    """
    _refuse_without_gold(dataset)
    chosen = metric or Metric()
    workers = len(crowd.workers)
    if workers == 0:
        raise SpancrewError("the crowd has no workers, so nobody can be rehearsed with")
    can = _who_can(dataset, crowd)
    tokens = int(dataset.sentences.starts.lengths.sum()) * workers
    few = asks is not None and asks * 2 < len(dataset) * workers
    if can is not None or few or tokens > TABLE_LIMIT:
        return Scene(dataset, crowd.workers, AnswersOnDemand(dataset, crowd, chosen), chosen, can)
    return Scene(dataset, crowd.workers, AnswerTable(dataset, crowd, chosen), chosen)


def _who_can(dataset: Dataset, crowd: Crowd) -> np.ndarray | None:
    """Return who can answer what; None if everybody can answer everything."""
    workers = len(crowd.workers)
    can = np.zeros(len(dataset) * workers, bool)
    step = max(1, 1_000_000 // max(workers, 1))
    for first in range(0, len(dataset), step):
        last = min(first + step, len(dataset))
        sentences = np.repeat(np.arange(first, last), workers)
        asked = np.tile(np.arange(workers), last - first)
        can[first * workers + crowd.can_answer(sentences, asked)] = True
    return None if can.all() else can.reshape(len(dataset), workers)


def _refuse_without_gold(dataset: Dataset) -> None:
    """Refuse a data set without sentences, and one in which the gold of one is not known."""
    if len(dataset) == 0:
        raise SpancrewError("there are no sentences to rehearse on")
    missing = int((~dataset.has_gold).sum())
    if missing:
        raise SpancrewError(
            f"{missing} of {len(dataset)} sentences have no gold: a rehearsal plays the expert "
            "with it; rehearse on the sentences that have gold"
        )


class TableNumbers(NamedTuple):
    """All answers for kernels, with their F1 against gold.

    That of worker ``w`` on sentence ``s`` begins at ``begin[s] + w * lengths[s]``. All codes are
    below ``classes``.
    """

    codes: npt.NDArray[Any]
    begin: IntArray
    lengths: IntArray
    scores: FloatArray
    classes: int


class AnswerTable:
    """All answers of a crowd, drawn beforehand: a byte a token and eight a score."""

    def __init__(self, dataset: Dataset, crowd: Crowd, metric: Metric) -> None:
        self._lengths = dataset.sentences.starts.lengths
        self._workers = len(crowd.workers)
        self._begin = offsets_of(self._lengths)[:-1] * self._workers
        self._codes = np.empty(int(self._lengths.sum()) * self._workers, dataset.labels.dtype)
        self._scores = np.empty((len(dataset), self._workers))
        step = max(1, AT_ONCE // self._workers)
        for first in range(0, len(dataset), step):
            self._draw(dataset, crowd, metric, first, min(first + step, len(dataset)))
        self._codes = frozen(self._codes)
        classes = 2 * len(dataset.labels) + 1
        columns = self._codes, self._begin, self._lengths, self._scores
        self.numbers = TableNumbers(*columns, classes)
        self.truth: FloatArray = self._scores.mean(axis=0)

    def _draw(self, dataset: Dataset, crowd: Crowd, metric: Metric, first: int, last: int) -> None:
        sentences = np.repeat(np.arange(first, last), self._workers)
        workers = np.tile(np.arange(self._workers), last - first)
        drawn = crowd.answers(sentences, workers)
        begin = self._begin[first]
        self._codes[begin : begin + len(drawn.values)] = drawn.values
        scores = metric.pairs(drawn, dataset.gold, gold_rows=sentences)[:, 2]
        self._scores[first:last] = scores.reshape(last - first, -1)

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return the codes of worker ``workers[k]`` on sentence ``sentences[k]``."""
        lengths = self._lengths[sentences]
        offsets = offsets_of(lengths)
        codes = np.empty(offsets[-1], self._codes.dtype)
        gather(self._codes, self._begin[sentences] + workers * lengths, offsets, codes)
        return Ragged.unchecked(codes, offsets)

    def scores(self, sentences: IntArray, workers: IntArray) -> FloatArray:
        """Return the F1 of the same answers against gold."""
        return self._scores[sentences, workers]


class AnswersOnDemand:
    """Answers that are drawn when they are asked for: for data too large to draw all."""

    def __init__(self, dataset: Dataset, crowd: Crowd, metric: Metric) -> None:
        self._gold = dataset.gold
        self._crowd = crowd
        self._metric = metric
        self.truth = self._sampled_truth(len(dataset))

    def _sampled_truth(self, size: int) -> FloatArray:
        sample = np.unique(np.linspace(0, size - 1, min(size, SAMPLE)).astype(np.int64))
        workers = len(self._crowd.workers)
        sums, counts = np.zeros(workers), np.zeros(workers)
        for part in np.array_split(sample, max(1, len(sample) * workers // AT_ONCE)):
            sentences, who = np.repeat(part, workers), np.tile(np.arange(workers), len(part))
            can = self._crowd.can_answer(sentences, who)
            scores = self.scores(sentences[can], who[can])
            sums += np.bincount(who[can], scores, workers)
            counts += np.bincount(who[can], minlength=workers)
        truth: FloatArray = sums / np.maximum(counts, 1)
        return truth

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return the codes of worker ``workers[k]`` on sentence ``sentences[k]``."""
        return self._crowd.answers(sentences, workers)

    def scores(self, sentences: IntArray, workers: IntArray) -> FloatArray:
        """Return the F1 of the same answers against gold."""
        answers = self._crowd.answers(sentences, workers)
        return self._metric.pairs(answers, self._gold, gold_rows=sentences)[:, 2]
