"""The missing answers of a data set, each made from gold when it is asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from spancrew.augment._draw import streams
from spancrew.augment._picker import Picker, Ses
from spancrew.augment._targets import Closest, RunningMean
from spancrew.augment._variants import SPAN, Rows
from spancrew.core import BoolArray, Dataset, FloatArray, IndexArray, IntArray, Ragged, span_table
from spancrew.errors import SpancrewError
from spancrew.metrics import answer_scores

Order = Literal["few-spans-first", "given"]

Progress = Callable[[int, int], None]
"""Called now and then with the sentences done and the sentences in all."""

NONE = -1
"""In place of a level where no answer is made: there is one, or there is no gold."""


def silent(_done: int, _total: int) -> None:
    """Report progress to nobody."""


class GoldSentences:
    """The sentences of a data set as candidates are made from them.

    ``spans`` is the number of gold spans of every sentence.
    """

    def __init__(self, dataset: Dataset, starts: Ragged) -> None:
        if not np.array_equal(starts.offsets, dataset.sentences.starts.offsets):
            raise SpancrewError("the word starts are not those of this data set: lengths differ")
        table = span_table(dataset.gold)
        self.dataset = dataset
        self._starts = starts
        self._rows: Rows = np.empty(len(table.row), SPAN)
        self._rows["start"], self._rows["end"] = table.start, table.end
        self._rows["label"] = table.label
        self._first: IntArray = np.searchsorted(table.row, np.arange(len(dataset) + 1))
        self.spans: IntArray = np.diff(self._first)

    @property
    def workers(self) -> int:
        """Return the number of workers."""
        return len(self.dataset.workers)

    @property
    def with_gold(self) -> IntArray:
        """Return the sentences with gold; those without get no answers."""
        return np.flatnonzero(self.dataset.has_gold)

    def picker(self, ses: Ses, sentence: int) -> Picker:
        """Return the reachable scores of a sentence."""
        rows = self._rows[self._first[sentence] : self._first[sentence + 1]]
        return Picker(ses, self._starts[sentence], rows)

    def answered(self, sentence: int) -> BoolArray:
        """Tell for every worker whether they have answered."""
        answers = self.dataset.answers
        has = np.zeros(self.workers, bool)
        has[answers.worker[answers.first[sentence] : answers.first[sentence + 1]]] = True
        return has


class MissingAnswers(Protocol):
    """The missing answers of a data set; each depends on the sentence and the worker only."""

    @property
    def sentences(self) -> GoldSentences:
        """Return what the answers are made from."""
        ...

    @property
    def source(self) -> str:
        """Return the mark that the answers carry."""
        ...

    def codes(self, sentence: int, workers: IntArray) -> npt.NDArray[Any]:
        """Return the answers of some workers on a sentence, a row of codes each."""
        ...


@dataclass(frozen=True, slots=True)
class RandomAnswers:
    """Every answer is the gold or a random label sequence; how often, is drawn for each worker.

    The paper does not define its random generation. Its figures spread evenly from 3 to 96
    whatever the worker's own F1, which purely random label sequences (F1 near 0) cannot do.
    """

    sentences: GoldSentences
    seed: int
    source: str = "random"
    _rates: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Draw how often each worker gives the gold."""
        rates = np.random.default_rng([self.seed, 0]).random(self.sentences.workers)
        object.__setattr__(self, "_rates", rates)

    def codes(self, sentence: int, workers: IntArray) -> npt.NDArray[Any]:
        """Return the answers of some workers on a sentence, a row of codes each."""
        gold = self.sentences.dataset.gold[sentence]
        codes = 2 * len(self.sentences.dataset.labels) + 1
        rng = np.random.default_rng([self.seed, 1, sentence])
        is_gold = rng.random(self.sentences.workers) < self._rates
        noise = rng.integers(0, codes, (self.sentences.workers, len(gold))).astype(gold.dtype)
        return np.where(is_gold[workers, None], gold, opened(noise[workers]))


def opened(codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Turn every inside code that continues nothing into the one that opens a span.

    >>> opened(np.array([[2, 2, 0, 4, 1, 2]])).tolist()
    [[1, 2, 0, 3, 1, 2]]
    """
    before = np.zeros_like(codes)
    before[:, 1:] = codes[:, :-1]
    is_inside = (codes > 0) & (codes % 2 == 0)
    is_stray = is_inside & (before != codes) & (before + 1 != codes)
    return np.asarray(codes - is_stray.astype(codes.dtype))


@dataclass(frozen=True, slots=True)
class SesAnswers:
    """The level of every answer to be made, by sentence and worker.

    An answer is a function of the levels, the seed, the sentence and the worker: it is the same
    whenever and wherever it is drawn.
    """

    sentences: GoldSentences
    ses: Ses
    levels: IndexArray
    seed: int
    source: str = "ses"

    def codes(self, sentence: int, workers: IntArray) -> npt.NDArray[Any]:
        """Return the answers of some workers on a sentence, a row of codes each."""
        picker = self.sentences.picker(self.ses, sentence)
        levels = self.levels[sentence, workers].astype(np.int64)
        return picker.codes(levels, streams(self.seed, sentence, workers))


def choose_scores(
    sentences: GoldSentences,
    ses: Ses,
    targets: FloatArray,
    *,
    balance: bool,
    order: Order,
    seed: int,
    progress: Progress,
) -> SesAnswers:
    """Choose a score for every missing answer: by Algorithm 2 if ``balance``, else the closest."""
    choice = RunningMean(aims(sentences, ses, targets)) if balance else Closest(targets)
    levels = np.full((len(sentences.dataset), sentences.workers), NONE, np.int32)
    queue = in_order(sentences, order)
    for done, sentence in enumerate(queue.tolist()):
        workers = np.flatnonzero(~sentences.answered(sentence))
        if sentences.spans[sentence] == 0:
            levels[sentence, workers] = 0  # the empty answer; its score is part of the aims
        else:
            scores = sentences.picker(ses, sentence).scores
            levels[sentence, workers] = choice.next(scores, workers)
        progress(done + 1, len(queue))
    return SesAnswers(sentences, ses, levels, seed)


def in_order(sentences: GoldSentences, order: Order) -> IntArray:
    """Return the sentences with gold in the order in which they get their scores.

    A sentence with one span offers few scores, so a running mean that ends with such a sentence
    ends off its target; with the sentences of many spans last it ends on it. The paper gives no
    order.
    """
    known = sentences.with_gold
    if order == "given":
        return known
    return known[np.argsort(sentences.spans[known], kind="stable")]


def aims(sentences: GoldSentences, ses: Ses, targets: FloatArray) -> FloatArray:
    """Return the mean that a worker's free answers need for all their answers to be on target.

    Real answers, and the empty answer on a sentence without gold spans, have scores that cannot
    be chosen. Where targets are the means of real answers, the aims are the targets.
    """
    known = sentences.with_gold
    dataset = sentences.dataset
    scores = answer_scores(dataset, ses.metric)[:, 2]
    scored = ~np.isnan(scores)
    worker = dataset.answers.worker[scored]
    fixed = np.bincount(worker, scores[scored], sentences.workers).astype(float)
    count = np.bincount(worker, minlength=sentences.workers)
    for sentence in known[sentences.spans[known] == 0].tolist():
        missing = ~sentences.answered(sentence)
        fixed += ses.metric.empty * missing
        count += missing
    free = len(known) - count
    needed = (len(known) * targets - fixed) / np.maximum(free, 1)
    is_target = (free == 0) | np.isclose(needed, targets, rtol=0, atol=1e-12)
    return np.where(is_target, targets, np.clip(needed, 0.0, 1.0))
