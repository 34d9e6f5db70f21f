"""The answers that the authors' experiments ran on: their candidates, chosen by Algorithm 2.

The code that they published takes the closest score instead and has Algorithm 2 commented out;
the figures that they published come out only with it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.augment import targets_of, word_starts
from spancrew.core import (
    Answers,
    BoolArray,
    Dataset,
    IntArray,
    Ragged,
    frozen,
    offsets_of,
    span_table,
    stream,
)
from spancrew.errors import SpancrewError
from spancrew.experiments._authors_candidates import authors_candidates
from spancrew.experiments._authors_choice import Offer, RunningAverage
from spancrew.metrics import Metric, answer_scores, worker_scores

SOURCE = "authors"
"""The mark of the answers that are made."""


class Made(NamedTuple):
    """The answers that a sentence lacked: whose they are, and a row of codes each."""

    workers: IntArray
    codes: npt.NDArray[Any]


def authors_answers(
    dataset: Dataset,
    metric: Metric,
    seed: int,
    targets: Mapping[str, float] | None = None,
    words: Ragged | None = None,
) -> Dataset:
    """Return the data set with an answer of every worker on every sentence that has gold.

    A worker's target is the one given, else the F1 of all their answers as one pool. Answers that
    are there stay. ``words`` is what :func:`spancrew.augment.word_starts` returns, which takes a
    while where words have to be found. The result is a function of the arguments.
    """
    if seed < 0:
        raise SpancrewError(f"seed {seed}: it must be 0 or more")
    pooled = worker_scores(dataset, metric)[:, 2].tolist()
    given = dict(zip(dataset.workers, pooled, strict=True)) | dict(targets or {})
    aims = targets_of(dataset, metric, given)
    crew = replace(dataset, workers=tuple(aims))
    average = RunningAverage(np.array(list(aims.values())))
    borders = word_borders(crew, word_starts(crew) if words is None else words)
    sheet = Sheet(crew, metric, seed, borders)
    made = [sheet.fill(sentence, average) for sentence in range(len(crew))]
    return replace(crew, answers=_joined(crew, made))


class Sheet:
    """The sentences of a data set, to be filled in one after the other."""

    def __init__(
        self, dataset: Dataset, metric: Metric, seed: int, borders: list[BoolArray]
    ) -> None:
        table = span_table(dataset.gold)
        self._dataset = dataset
        self._metric = metric
        self._seed = seed
        self._scores = answer_scores(dataset, metric)[:, 2]
        self._borders = borders
        self._spans = np.stack([table.start, table.end, table.label], axis=1)
        self._first = np.searchsorted(table.row, np.arange(len(dataset) + 1))

    def fill(self, sentence: int, average: RunningAverage) -> Made:
        """Make the answers that are missing on a sentence; without gold, there are none."""
        dataset = self._dataset
        gold = dataset.gold[sentence]
        if len(gold) == 0:
            return Made(np.zeros(0, np.int64), np.zeros((0, 0), gold.dtype))
        rows = slice(*dataset.answers.first[sentence : sentence + 2])
        real = dataset.answers.worker[rows]
        average.count(real, self._scores[rows])
        missing = np.setdiff1d(np.arange(len(dataset.workers)), real)
        found = self.offer(sentence)
        return Made(missing, found.answers(average.choose(found.scores, missing)))

    def offer(self, sentence: int) -> Offer:
        """Return the scores to choose from; where gold has no spans, only that of no spans."""
        spans = self._spans[self._first[sentence] : self._first[sentence + 1]]
        gold, labels = self._dataset.gold[sentence], self._dataset.labels
        place = (self._seed, sentence)
        candidates = authors_candidates(spans, self._borders[sentence], labels, place)
        if len(candidates) == 0:
            candidates = gold[None, :]
        state = np.uint64(stream(*place, len(spans)))
        return Offer(candidates, gold, self._metric, state)


def word_borders(dataset: Dataset, starts: Ragged) -> list[BoolArray]:
    """Tell for every position of every sentence, its length included, if a word borders there.

    Where every token starts a word, they are those of :func:`miscounted`.
    """
    if not np.array_equal(starts.offsets, dataset.sentences.starts.offsets):
        raise SpancrewError("the word starts are not those of this data set: lengths differ")
    if not starts.values.all():
        return [np.append(row, True) for row in starts]
    sizes = Ragged(dataset.sentences.ends.values - dataset.sentences.starts.values, starts.offsets)
    return [miscounted(row) for row in sizes]


def miscounted(sizes: IntArray) -> BoolArray:
    """Return the borders of words that the authors' code sees where tokens are words.

    It counts characters and reads tokens: a first word of five characters is five tokens to it.

    >>> np.flatnonzero(miscounted(np.array([2, 3, 1, 4, 1, 5]))).tolist()
    [0, 2, 5, 6]
    """
    borders = np.zeros(len(sizes) + 1, bool)
    at = np.cumsum([0, *sizes])
    borders[at[at < len(borders)]] = True
    return borders


def _joined(dataset: Dataset, made: list[Made]) -> Answers:
    """Return real and made answers in one; on each sentence the real ones first."""
    answers = dataset.answers
    counts = np.stack([answers.per_sentence, [len(workers) for workers, _ in made]], axis=1)
    is_made = np.repeat(np.tile([False, True], len(made)), counts.ravel())
    sentence = np.repeat(np.arange(len(made), dtype=np.int32), counts.sum(axis=1))
    lengths = dataset.sentences.starts.lengths[sentence]
    worker = _merged(is_made, answers.worker, np.concatenate([who for who, _ in made]))
    codes = np.concatenate([rows.ravel() for _, rows in made])
    sources = tuple(dict.fromkeys((*answers.sources, SOURCE)))
    source = np.full(len(answers), -1, np.int16) if answers.source is None else answers.source
    return Answers(
        sentence=frozen(sentence),
        worker=frozen(worker),
        codes=Ragged(
            _merged(np.repeat(is_made, lengths), answers.codes.values, codes), offsets_of(lengths)
        ),
        sentences=len(dataset),
        seconds=None if answers.seconds is None else _merged(is_made, answers.seconds, np.nan),
        at=None if answers.at is None else _merged(is_made, answers.at, np.nan),
        source=frozen(_merged(is_made, source, sources.index(SOURCE))),
        sources=sources,
    )


def _merged(
    is_made: BoolArray, real: npt.NDArray[Any], made: npt.NDArray[Any] | float
) -> npt.NDArray[Any]:
    """Return a column of real and made answers."""
    out = np.empty(len(is_made), real.dtype)
    out[~is_made], out[is_made] = real, made
    return out
