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
    FloatArray,
    IntArray,
    Ragged,
    frozen,
    kernel,
    offsets_of,
    span_table,
    stream,
    uniform,
)
from spancrew.errors import SpancrewError
from spancrew.experiments._authors_candidates import authors_candidates
from spancrew.metrics import Metric, answer_scores, worker_scores

Codes = npt.NDArray[Any]

_EXACT = Metric("exact", "macro", empty=0.0)
_DIGITS = 12
"""Scores that agree so far are equal; beyond, sums of shares depend on their order."""

SOURCE = "authors"
"""The mark of the answers that are made."""


class CandidateScores:
    """The candidates of a sentence by their score.

    ``scores`` are those that some candidate has, from low to high. Ties are broken by the numbers
    of the stream ``state``.
    """

    def __init__(self, candidates: Codes, gold: Codes, metric: Metric, state: np.uint64) -> None:
        self._candidates = candidates
        self._gold = gold
        self._state = state
        found = _scores(candidates, gold, metric)
        self.scores, self._level = np.unique(found, return_inverse=True)

    def answers(self, levels: IntArray) -> Codes:
        """Return an answer for each of the scores: the best by exact F1, drawn among equals.

        It is drawn once for all: workers who get the same score get the same answer.
        """
        is_wanted = np.zeros(len(self.scores), bool)
        is_wanted[levels] = True
        rows = np.flatnonzero(is_wanted[self._level])
        exact = _scores(self._candidates[rows], self._gold, _EXACT)
        best = np.zeros(len(self.scores), np.int64)
        find_best(self._state, rows, self._level[rows], exact, best)
        return self._candidates[best[levels]]


def _scores(candidates: Codes, gold: Codes, metric: Metric) -> FloatArray:
    """Return the F1 of every candidate on its own."""
    count, length = candidates.shape
    rows = Ragged(candidates.ravel(), np.arange(count + 1) * length)
    truth = Ragged(gold, np.array([0, length]))
    scores = metric.pairs(rows, truth, gold_rows=np.zeros(count, np.int64))
    return scores[:, 2].round(_DIGITS)


@kernel
def find_best(
    state: np.uint64, rows: IntArray, level: IntArray, exact: FloatArray, best: IntArray
) -> None:
    """Find the row with the highest exact F1 on every level, then with the highest number."""
    highest, number = np.full(len(best), -1.0), np.zeros(len(best))
    for k in range(len(rows)):
        at, drawn = level[k], uniform(state, rows[k])
        if exact[k] > highest[at] or (exact[k] == highest[at] and drawn > number[at]):
            highest[at], number[at], best[at] = exact[k], drawn, rows[k]


class RunningAverage:
    """The state of Algorithm 2: what each worker's answers so far score, real ones included."""

    def __init__(self, targets: FloatArray) -> None:
        self._targets = targets
        self._sums = np.zeros(len(targets))
        self._counts = np.zeros(len(targets))

    def count(self, workers: npt.NDArray[np.integer], scores: FloatArray) -> None:
        """Add answers that are there."""
        self._sums[workers] += scores
        self._counts[workers] += 1

    def choose(self, scores: FloatArray, workers: IntArray) -> IntArray:
        """Choose one of the scores for each worker, and count it.

        Who is above their target gets the highest score that is not above it, others the lowest
        that is not below it; where there is none, the closest one on the other side.
        """
        targets = self._targets[workers]
        is_above = self._sums[workers] > targets * self._counts[workers]
        below = np.maximum(np.searchsorted(scores, targets, "right") - 1, 0)
        above = np.minimum(np.searchsorted(scores, targets, "left"), len(scores) - 1)
        chosen = np.where(is_above, below, above)
        self.count(workers, scores[chosen])
        return chosen


class MadeAnswers(NamedTuple):
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
    maker = AnswerMaker(crew, metric, seed, borders)
    made = [maker.make(sentence, average) for sentence in range(len(crew))]
    return replace(crew, answers=_joined(crew, made))


class AnswerMaker:
    """Makes the missing answers of a data set, sentence by sentence."""

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

    def make(self, sentence: int, average: RunningAverage) -> MadeAnswers:
        """Make the answers that are missing on a sentence; without gold, there are none."""
        dataset = self._dataset
        gold = dataset.gold[sentence]
        if len(gold) == 0:
            return MadeAnswers(np.zeros(0, np.int64), np.zeros((0, 0), gold.dtype))
        rows = slice(*dataset.answers.first[sentence : sentence + 2])
        real = dataset.answers.worker[rows]
        average.count(real, self._scores[rows])
        missing = np.setdiff1d(np.arange(len(dataset.workers)), real)
        found = self.candidates(sentence)
        return MadeAnswers(missing, found.answers(average.choose(found.scores, missing)))

    def candidates(self, sentence: int) -> CandidateScores:
        """Return the scores to choose from; where gold has no spans, only that of no spans."""
        spans = self._spans[self._first[sentence] : self._first[sentence + 1]]
        gold, labels = self._dataset.gold[sentence], self._dataset.labels
        place = (self._seed, sentence)
        candidates = authors_candidates(spans, self._borders[sentence], labels, place)
        if len(candidates) == 0:
            candidates = gold[None, :]
        state = np.uint64(stream(*place, len(spans)))
        return CandidateScores(candidates, gold, self._metric, state)


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


def _joined(dataset: Dataset, made: list[MadeAnswers]) -> Answers:
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
