"""What a rehearsal records while it goes on, and its scores in the end."""

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.consensus import Beliefs
from spancrew.core import (
    BoolArray,
    FloatArray,
    IndexArray,
    IntArray,
    Ragged,
    kernel,
    kernel_part,
)
from spancrew.feedback import Verdict
from spancrew.metrics import Metric
from spancrew.policies import Groups
from spancrew.simulate._scene import Scene

POINTS = 20
"""Points in time, evenly over the sentences, at which scores are known."""

BINS = 40
"""Bins of the histogram of agreement, from -1 to 1."""

AT_ONCE = 20_000
"""Answers that are counted at once: few enough for their counts to stay in the cache."""

FLUSH = 4_000_000
"""Tokens of final labels that are kept before they are counted."""


class Record:
    """Everything that happened, as far as the outcome needs it."""

    def __init__(self, scene: Scene, metrics: tuple[Metric, ...], runs: int) -> None:
        self._scene = scene
        self._runs = runs
        self._final = ScoreCounts(scene, metrics, runs * POINTS)
        self._answers = ScoreCounts(scene, metrics, runs * POINTS)
        self._settled = np.zeros(runs, np.int64)
        self._asked: list[tuple[Groups, IntArray]] = []
        self._right: list[tuple[IntArray, IntArray]] = []
        self._kept: list[tuple[Ragged, IntArray, IntArray, BoolArray]] = []
        self._open: list[tuple[IntArray, IntArray, IntArray, BoolArray, Ragged]] = []
        self._tokens = 0
        self.agreement = np.zeros((runs, BINS), np.int64)

    def warmed_up(self, groups: Groups) -> None:
        """Take the answers of the warm-up."""
        self._asked.append((groups, self._group(groups.run)))

    def settled_first(self, sentence: IntArray) -> None:
        """Take the sentence of every run that the expert of the warm-up has settled."""
        self._right.append((sentence, self._group(np.arange(self._runs))))
        self._settled += 1

    def settled(self, groups: Groups, beliefs: Beliefs, verdict: Verdict) -> None:
        """Take answers and final labels: the crowd's where it is trusted, else gold."""
        group = self._take(groups)
        self._label(beliefs.labels, groups.sentence, group, verdict.trusted)

    def settled_so_far(self, groups: Groups, beliefs: Beliefs, verdict: Verdict) -> None:
        """Take answers, and labels that :meth:`finish` may still replace."""
        where = groups.run, groups.sentence, self._take(groups)
        self._open.append((*where, verdict.trusted, beliefs.labels))

    def finish(self, audited: BoolArray, revised: Mapping[int, Ragged]) -> None:
        """Make labels final: experts' where audited, else those that were revised.

        Both are by run; revised ones are in the order in which sentences were settled.
        """
        if not self._open:
            return
        *columns, labels = zip(*self._open, strict=True)
        runs, sentence, group, trusted = (np.concatenate(column) for column in columns)
        settled = Ragged.joined(labels)
        trusted &= ~audited[runs, sentence]
        for run in range(self._runs):
            rows = np.flatnonzero(runs == run)
            final = revised[run] if run in revised else settled.take(rows)
            self._label(final, sentence[rows], group[rows], trusted[rows])

    def _take(self, groups: Groups) -> IntArray:
        """Take answers; return run and point in time of every sentence."""
        group = self._group(groups.run)
        self._asked.append((groups, group))
        self._settled += np.bincount(groups.run, minlength=len(self._settled))
        return group

    def _label(
        self, labels: Ragged, sentence: IntArray, group: IntArray, trusted: BoolArray
    ) -> None:
        """Keep labels; a step alone has too few of them to be counted quickly."""
        self._kept.append((labels, sentence, group, trusted))
        self._tokens += len(labels.values)
        if self._tokens > FLUSH:
            self._count_kept()

    def _group(self, run: IntArray) -> IntArray:
        """Return run and point in time as one number."""
        point = self._settled * POINTS // max(len(self._scene.dataset), 1)
        by_run = np.arange(0, self._runs * POINTS, POINTS) + np.minimum(point, POINTS - 1)
        return by_run.take(run)

    def agreed(self, run: IntArray, agreement: FloatArray) -> None:
        """Take the agreement on sentences, NaN where there is none."""
        _count_agreement(run, agreement, self.agreement)

    def _count_kept(self) -> None:
        """Count the labels that are wrong, and note where all is right."""
        if not self._kept:
            return
        labels, *columns = zip(*self._kept, strict=True)
        sentence, group, is_wrong = (np.concatenate(column) for column in columns)
        codes, gold = Ragged.joined(labels), self._scene.dataset.gold
        where = codes.values, codes.offsets, gold.values, gold.offsets
        _keep_different(is_wrong, *where, sentence)
        right, wrong = np.flatnonzero(~is_wrong), np.flatnonzero(is_wrong)
        self._right.append((sentence[right], group[right]))
        self._final.add(codes.take(wrong), sentence[wrong], np.arange(len(wrong)), group[wrong])
        self._kept, self._tokens = [], 0

    def answer_scores(self) -> dict[Metric, FloatArray]:
        """Return P, R and F1 of the answers collected up to each point, by metric."""
        warm_up, *rounds = self._asked
        for part in ([warm_up], rounds):
            if part:
                sentence = np.concatenate([groups.sentence for groups, _ in part])
                crew = np.concatenate([groups.crew for groups, _ in part])
                group = np.concatenate([each for _, each in part])
                self._answers.add_answers(sentence, crew, group)
        return self._answers.scores(self._runs)

    def collected(self) -> tuple[IntArray, IntArray]:
        """Return sentence and worker of every answer of all runs, in the order of sentences."""
        sentences, workers = [], []
        for groups, _ in self._asked:
            row, place = np.nonzero(groups.crew >= 0)
            sentences.append(groups.sentence[row])
            workers.append(groups.crew[row, place])
        sentence, worker = np.concatenate(sentences), np.concatenate(workers)
        order = np.argsort(sentence, kind="stable")
        return sentence[order], worker[order]

    def final_scores(self) -> dict[Metric, FloatArray]:
        """Return P, R and F1 of the final labels up to each point, by metric."""
        self._count_kept()
        if self._right:
            columns = [np.concatenate(column) for column in zip(*self._right, strict=True)]
            self._final.add_gold(*columns)
        return self._final.scores(self._runs)


class ScoreCounts:
    """Counts of what was right, by metric and group: a run between two points in time."""

    def __init__(self, scene: Scene, metrics: tuple[Metric, ...], groups: int) -> None:
        self._scene = scene
        self._metrics = metrics
        self._ends = np.cumsum([metric.classes(scene.dataset.labels) for metric in metrics])
        self._sums = np.zeros((groups, int(self._ends[-1]), 4))

    def add(self, codes: Ragged, sentence: IntArray, which: IntArray, group: IntArray) -> None:
        """Count rows of codes on their sentences; row ``which[k]`` counts for ``group[k]``."""
        counted = self._scene.tallies(codes, sentence, self._metrics)
        _add_rows(counted, which, group, self._sums)

    def add_gold(self, sentence: IntArray, group: IntArray) -> None:
        """Count sentences on which everything is right."""
        found, which = _distinct(sentence, len(self._scene.dataset))
        self.add(self._scene.dataset.gold.take(found), found, which, group)

    def add_answers(self, sentence: IntArray, crew: IntArray, group: IntArray) -> None:
        """Count the answers of crews; one that several runs collected is scored once."""
        sentences, workers = len(self._scene.dataset), len(self._scene.workers)
        # What lies together is read together; narrow numbers are sorted in no time.
        order = np.argsort(sentence.astype(np.min_scalar_type(sentences)), kind="stable")
        rows = np.empty((len(sentence), 2 + crew.shape[1]), np.int32)
        rows[:, 0], rows[:, 1], rows[:, 2:] = sentence, group, crew
        rows = rows.take(order, axis=0)
        step = max(1, AT_ONCE // workers)
        borders = np.searchsorted(rows[:, 0], np.arange(0, sentences + step, step)).tolist()
        known = self._scene.all_tallies(self._metrics, crew.size)
        for base, (first, last) in zip(range(0, sentences, step), pairwise(borders), strict=True):
            part = rows[first:last]
            if known is not None:
                there = known[base * workers : (base + step) * workers]
                add_crews(there, np.arange(len(there)), part, base, workers, self._sums)
            elif len(part):
                self._add_part(base, part)

    def _add_part(self, base: int, rows: IndexArray) -> None:
        """Count answers on a few sentences from ``base`` on."""
        workers = len(self._scene.workers)
        place = np.zeros((int(rows[-1, 0]) + 1 - base) * workers, np.int64)
        _mark_pairs(rows, base, workers, place)
        found = np.flatnonzero(place)
        place[found] = np.arange(len(found))
        on = found // workers + base
        answers = self._scene.source.answers(on, found % workers)
        counted = self._scene.tallies(answers, on, self._metrics)
        add_crews(counted, place, rows, base, workers, self._sums)

    def scores(self, runs: int) -> dict[Metric, FloatArray]:
        """Return P, R and F1 by metric: runs x points x 3, of all up to each point."""
        upto = self._sums.reshape(runs, -1, *self._sums.shape[1:]).cumsum(axis=1)
        by_metric = np.split(upto.reshape(self._sums.shape), self._ends[:-1], axis=1)
        return {
            metric: metric.of_tallies(np.ascontiguousarray(part)).reshape(runs, -1, 3)
            for metric, part in zip(self._metrics, by_metric, strict=True)
        }


def _distinct(values: IntArray, most: int) -> tuple[IntArray, IntArray]:
    """Return the distinct values below ``most`` in order, and the place of each among them."""
    seen = np.zeros(most, bool)
    seen[values] = True
    found = np.flatnonzero(seen)
    place = np.zeros(most, np.int32)
    place[found] = np.arange(len(found))
    return found, place[values].astype(np.int64)


@kernel
def _add_rows(counted: FloatArray, which: IntArray, group: IntArray, sums: FloatArray) -> None:
    """Add the counts of rows to the groups that they count for."""
    for k in range(len(which)):
        _add_row(counted, which[k], sums, group[k])


@kernel_part
def _add_row(counted: FloatArray, row: int, sums: FloatArray, group: int) -> None:
    """Add the counts of one row to a group."""
    for label in range(counted.shape[1]):
        for column in range(4):
            sums[group, label, column] += counted[row, label, column]


@kernel
def _mark_pairs(rows: IndexArray, base: int, workers: int, place: IntArray) -> None:
    """Mark every sentence and worker; a row is a sentence, a group, and who answered."""
    for row in range(len(rows)):
        first = (rows[row, 0] - base) * workers
        for k in range(2, rows.shape[1]):
            if rows[row, k] >= 0:
                place[first + rows[row, k]] = 1


@kernel
def add_crews(
    counted: FloatArray,
    place: IntArray,
    rows: IndexArray,
    base: int,
    workers: int,
    sums: FloatArray,
) -> None:
    """Add the counts of answers, each at its place, to the groups of their rows."""
    for row in range(len(rows)):
        first = (rows[row, 0] - base) * workers
        for k in range(2, rows.shape[1]):
            if rows[row, k] >= 0:
                _add_row(counted, place[first + rows[row, k]], sums, rows[row, 1])


@kernel
def _count_agreement(run: IntArray, agreement: FloatArray, counts: IntArray) -> None:
    """Count agreement by run and bin."""
    for row in range(len(run)):
        if not math.isnan(agreement[row]):
            # Agreement 0 is frequent; rounding must not decide on which side of a border it is.
            at = (agreement[row] + 1 + 1e-9) * (BINS / 2)
            counts[run[row], int(min(max(at, 0.0), BINS - 1.0))] += 1


@kernel
def _keep_different(
    which: BoolArray,
    codes: npt.NDArray[Any],
    offsets: IntArray,
    gold: npt.NDArray[Any],
    gold_offsets: IntArray,
    sentence: IntArray,
) -> None:
    """Unmark the rows whose codes are those of the gold of their sentence."""
    for row in range(len(which)):
        if which[row]:
            a, g = offsets[row], gold_offsets[sentence[row]]
            same = True
            for k in range(offsets[row + 1] - a):
                same = same and codes[a + k] == gold[g + k]
            which[row] = not same
