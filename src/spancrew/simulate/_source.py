"""Where a rehearsal gets answers and their true scores from."""

from typing import Protocol

import numpy as np

from spancrew.core import Dataset, FloatArray, IntArray, Ragged, gather, offsets_of
from spancrew.crowds import Crowd
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

BLOCK = 100_000
"""Answers that are drawn at once."""

SAMPLE = 2_000
"""Sentences on which the true mean score of workers is taken where not all are drawn."""


class Source(Protocol):
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


class Table:
    """All answers of a crowd, drawn beforehand: a byte a token and eight a score."""

    def __init__(self, dataset: Dataset, crowd: Crowd, metric: Metric) -> None:
        self._lengths = dataset.sentences.starts.lengths
        self._workers = len(crowd.workers)
        self._begin = offsets_of(self._lengths)[:-1] * self._workers
        self._codes = np.empty(int(self._lengths.sum()) * self._workers, dataset.labels.dtype)
        self._scores = np.empty((len(dataset), self._workers))
        step = max(1, BLOCK // self._workers)
        for first in range(0, len(dataset), step):
            self._draw(dataset, crowd, metric, first, min(first + step, len(dataset)))
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
        return Ragged(codes, offsets)

    def scores(self, sentences: IntArray, workers: IntArray) -> FloatArray:
        """Return the F1 of the same answers against gold."""
        return self._scores[sentences, workers]


class OnDemand:
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
        for part in np.array_split(sample, max(1, len(sample) * workers // BLOCK)):
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


def refuse_without_gold(dataset: Dataset) -> None:
    """Refuse a data set without sentences, and one in which the gold of one is not known."""
    if len(dataset) == 0:
        raise SpancrewError("there are no sentences to rehearse on")
    missing = int((~dataset.has_gold).sum())
    if missing:
        raise SpancrewError(
            f"{missing} of {len(dataset)} sentences have no gold: a rehearsal plays the expert "
            "with it; rehearse on the sentences that have gold"
        )
