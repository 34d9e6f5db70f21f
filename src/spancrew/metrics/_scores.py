"""Precision, recall and F1 of answers: token, span-exact and span-proportional."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from spancrew.core import (
    Dataset,
    FloatArray,
    IntArray,
    LabelSet,
    Ragged,
    checked_numbers,
    encode_tags,
    parse_tag,
    refuse_wrong_codes,
)
from spancrew.errors import InvalidArrayError, SpancrewError
from spancrew.metrics import _tally
from spancrew.metrics._tally import MetricNumbers

MetricName = Literal["token", "exact", "proportional", "proportional:authors"]
Average = Literal["micro", "macro"]

_CODE = {
    "token": _tally.TOKEN,
    "exact": _tally.EXACT,
    "proportional": _tally.PROPORTIONAL,
    "proportional:authors": _tally.AUTHORS,
}


class Scores(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Metric:
    """How answers are scored.

    ``name``: ``token`` compares tags; ``exact`` wants equal borders and label; ``proportional``
    credits overlap / gold length, each answer span at most 1; ``proportional:authors`` does not
    cap, as the paper's code. ``average``: ``micro`` pools all spans (all tokens but O), ``macro``
    averages over the labels (for tokens: tags, O included) that occur in answer or gold.
    ``empty`` is the score of nothing against nothing.
    """

    name: MetricName = "exact"
    average: Average = "micro"
    empty: float = 1.0

    def __post_init__(self) -> None:
        """Refuse an unknown name or average."""
        if self.name not in _CODE:
            raise SpancrewError(f"metric {self.name!r} is not known (one of {', '.join(_CODE)})")
        if self.average not in get_args(Average):
            raise SpancrewError(f"average {self.average!r} is not known (micro or macro)")

    def pairs(
        self,
        answers: Ragged,
        gold: Ragged,
        rows: npt.NDArray[np.integer] | None = None,
        gold_rows: npt.NDArray[np.integer] | None = None,
    ) -> FloatArray:
        """Score each pair on its own; the columns are precision, recall, F1.

        Without ``rows`` and ``gold_rows``, row ``k`` is scored against row ``k``.
        """
        pairs = _pairs(answers, gold, rows, gold_rows)
        classes = self._classes(answers, gold)
        return _tally.score_pairs(self.numbers, pairs, classes)

    @property
    def numbers(self) -> MetricNumbers:
        """Return the metric as kernels take it."""
        return MetricNumbers(_CODE[self.name], self._macro, self.empty)

    def groups(
        self,
        answers: Ragged,
        gold: Ragged,
        group: npt.NDArray[np.integer],
        groups: int,
        rows: npt.NDArray[np.integer] | None = None,
        gold_rows: npt.NDArray[np.integer] | None = None,
    ) -> FloatArray:
        """Score the pairs of each group as one pool; group ``g`` is row ``g`` of the result."""
        pairs = _pairs(answers, gold, rows, gold_rows)
        tallies = np.zeros((groups, self._classes(answers, gold), 4))
        into = checked_numbers("groups of pairs", group, count=len(pairs.rows), below=groups)
        into = into.astype(np.int64, copy=False)
        _tally.tally_groups(_CODE[self.name], self._macro, pairs, into, tallies)
        return self.of_tallies(tallies)

    def tallies(
        self,
        answers: Ragged,
        gold: Ragged,
        labels: LabelSet,
        gold_rows: npt.NDArray[np.integer] | None = None,
    ) -> FloatArray:
        """Count what each answer got right, so that counts can be added up and scored later.

        The result is answers x classes x 4; see :meth:`of_tallies`.
        """
        pairs = _pairs(answers, gold, None, gold_rows)
        for what, codes in (("answers", answers), ("gold", gold)):
            refuse_wrong_codes(what, codes.values, len(labels))
        tallies = np.zeros((len(answers), self.classes(labels), 4))
        each = np.arange(len(answers))
        _tally.tally_groups(_CODE[self.name], self._macro, pairs, each, tallies)
        return tallies

    def of_tallies(self, tallies: FloatArray) -> FloatArray:
        """Return precision, recall and F1 of every tally or sum of tallies."""
        if np.ndim(tallies) != 3 or np.shape(tallies)[2] != _tally.COLUMNS:
            raise InvalidArrayError(
                f"tallies of shape {np.shape(tallies)} are not groups x classes x 4"
            )
        return _tally.score_tallies(tallies, self.empty)

    def classes(self, labels: LabelSet) -> int:
        """Return the number of classes in a tally: one if pooled, else labels or tags."""
        if not self._macro:
            return 1
        return 2 * len(labels) + 1 if self.name == "token" else max(len(labels), 1)

    def pool(self, answers: Ragged, gold: Ragged) -> Scores:
        """Score all pairs as one pool: row ``k`` of the answers against row ``k`` of the gold."""
        scores = self.groups(answers, gold, np.zeros(len(answers), np.int64), 1)
        return Scores(*scores[0].tolist())

    @property
    def _macro(self) -> bool:
        return self.average == "macro"

    def _classes(self, answers: Ragged, gold: Ragged) -> int:
        """Return the number of rows of a tally."""
        if not self._macro:
            return 1
        highest = max((int(r.values.max()) for r in (answers, gold) if r.values.size), default=0)
        return highest + 1 if self.name == "token" else highest // 2 + 1


def score(
    answer: Sequence[str],
    gold: Sequence[str],
    metric: MetricName = "exact",
    *,
    average: Average = "micro",
    empty: float = 1.0,
) -> Scores:
    """Score one list of tags against another.

    >>> score(["B-PER", "O", "B-LOC"], ["B-PER", "O", "O"]).precision
    0.5
    """
    tags = [parse_tag(tag) for tag in (*answer, *gold)]
    labels = LabelSet.of(label for _, label in tags if label)
    one = Ragged.of([encode_tags(answer, labels).tolist()], labels.dtype)
    other = Ragged.of([encode_tags(gold, labels).tolist()], labels.dtype)
    scores = Metric(metric, average, empty).pairs(one, other)
    return Scores(*scores[0].tolist())


def answer_scores(dataset: Dataset, metric: Metric) -> FloatArray:
    """Score every answer against the gold of its sentence; NaN where gold is not known."""
    scores = np.full((len(dataset.answers), 3), np.nan)
    rows = np.flatnonzero(dataset.has_gold[dataset.answers.sentence])
    gold_rows = dataset.answers.sentence[rows]
    scores[rows] = metric.pairs(dataset.answers.codes, dataset.gold, rows, gold_rows)
    return scores


def worker_scores(dataset: Dataset, metric: Metric) -> FloatArray:
    """Score all answers of each worker as one pool; NaN for a worker without scored answers."""
    rows = np.flatnonzero(dataset.has_gold[dataset.answers.sentence])
    group = dataset.answers.worker[rows]
    scores = metric.groups(
        dataset.answers.codes,
        dataset.gold,
        group,
        len(dataset.workers),
        rows,
        dataset.answers.sentence[rows],
    )
    scores[np.bincount(group, minlength=len(dataset.workers)) == 0] = np.nan
    return scores


def _pairs(
    answers: Ragged,
    gold: Ragged,
    rows: npt.NDArray[np.integer] | None,
    gold_rows: npt.NDArray[np.integer] | None,
) -> _tally.Pairs:
    """Return the rows to compare; refuse pairs of different length."""
    first, second = _rows("answers", answers, rows), _rows("gold", gold, gold_rows)
    if len(first) != len(second):
        raise SpancrewError(f"{len(first)} answers cannot be scored against {len(second)} golds")
    lengths, gold_lengths = answers.lengths[first], gold.lengths[second]
    if np.any(lengths != gold_lengths):
        k = int(np.flatnonzero(lengths != gold_lengths)[0])
        raise SpancrewError(
            f"pair {k}: an answer of {lengths[k]} tokens cannot be scored against a gold of "
            f"{gold_lengths[k]} tokens"
        )
    starts = answers.offsets[:-1]
    return _tally.Pairs(answers.values, starts, gold.values, gold.offsets, first, second)


def _rows(what: str, codes: Ragged, rows: npt.NDArray[np.integer] | None) -> IntArray:
    """Return the rows of codes that are compared, all without any given."""
    refuse_wrong_codes(what, codes.values)
    if rows is None:
        return np.arange(len(codes))
    return checked_numbers(f"rows of {what}", rows, below=len(codes)).astype(np.int64, copy=False)
