"""What a rehearsal writes down while it goes on."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.consensus import Beliefs
from spancrew.core import BoolArray, FloatArray, IntArray, Ragged, kernel, offsets_of
from spancrew.feedback import Verdict
from spancrew.metrics import Metric
from spancrew.policies import Groups
from spancrew.simulate._pool import Pool
from spancrew.simulate._scene import Scene

POINTS = 20
"""Points in time, evenly over the sentences, at which scores are known."""

BINS = 40
"""Bins of the histogram of agreement, from -1 to 1."""

FLUSH = 4_000_000
"""Tokens of final labels that are kept before they are counted."""


class Record:
    """Everything that happened, as far as the outcome needs it."""

    def __init__(self, scene: Scene, metrics: tuple[Metric, ...], runs: int) -> None:
        self._scene = scene
        self._runs = runs
        self._final = Pool(scene, metrics, runs * POINTS)
        self._answers = Pool(scene, metrics, runs * POINTS)
        self._settled = np.zeros(runs, np.int64)
        self._asked: list[tuple[Groups, IntArray]] = []
        self._right: list[tuple[IntArray, IntArray]] = []
        self._wrong: list[tuple[Ragged, IntArray, IntArray]] = []
        self._open: list[tuple[IntArray, IntArray, IntArray, BoolArray]] = []
        self._tokens = 0
        self.agreement = np.zeros((runs, BINS), np.int64)

    def warmed_up(self, groups: Groups) -> None:
        """Take the answers of the warm-up."""
        self._asked.append((groups, self._group(groups.run)))

    def settled(self, groups: Groups, beliefs: Beliefs, verdict: Verdict) -> None:
        """Take answers and final labels: the crowd's where it is trusted, else gold."""
        group = self._take(groups)
        self._label(beliefs.labels, groups.sentence, group, verdict.trusted)

    def settled_so_far(self, groups: Groups, verdict: Verdict) -> None:
        """Take answers; :meth:`revised` brings the final labels."""
        group = self._take(groups)
        self._open.append((groups.run, groups.sentence, group, verdict.trusted))

    def revised(self, run: int, labels: Ragged) -> None:
        """Take the final labels of a run's sentences, in the order in which they were settled."""
        of_run = [columns[0] == run for columns in self._open]
        sentence, group, trusted = (
            np.concatenate(
                [columns[k][own] for columns, own in zip(self._open, of_run, strict=True)]
            )
            for k in (1, 2, 3)
        )
        self._label(labels, sentence, group, trusted)

    def _take(self, groups: Groups) -> IntArray:
        """Take answers; return run and point in time of every sentence."""
        group = self._group(groups.run)
        self._asked.append((groups, group))
        self._settled += np.bincount(groups.run, minlength=len(self._settled))
        return group

    def _label(
        self, labels: Ragged, sentence: IntArray, group: IntArray, trusted: BoolArray
    ) -> None:
        gold = self._scene.dataset.gold
        off = trusted.copy()
        keep_different(off, labels.values, labels.offsets, gold.values, gold.offsets, sentence)
        right, wrong = np.flatnonzero(~off), np.flatnonzero(off)
        self._right.append((sentence[right], group[right]))
        codes = labels.take(wrong)
        self._wrong.append((codes, sentence[wrong], group[wrong]))
        self._tokens += len(codes.values)
        if self._tokens > FLUSH:
            self._count_wrong()

    def _group(self, run: IntArray) -> IntArray:
        """Return run and point in time as one number."""
        point = self._settled[run] * POINTS // max(len(self._scene.dataset), 1)
        return run * POINTS + np.minimum(point, POINTS - 1)

    def agreed(self, run: IntArray, agreement: FloatArray) -> None:
        """Take the agreement on sentences, NaN where there is none."""
        known = np.flatnonzero(~np.isnan(agreement))
        # Agreement 0 is frequent; rounding must not decide on which side of a border it is.
        at = (agreement[known] + 1 + 1e-9) * (BINS / 2)
        bins = np.clip(at, 0, BINS - 1).astype(np.int64)
        counts = np.bincount(run[known] * BINS + bins, minlength=self.agreement.size)
        self.agreement += counts.reshape(self.agreement.shape)

    def _count_wrong(self) -> None:
        if not self._wrong:
            return
        lengths = np.concatenate([codes.lengths for codes, _, _ in self._wrong])
        values = np.concatenate([codes.values for codes, _, _ in self._wrong])
        sentence = np.concatenate([each for _, each, _ in self._wrong])
        group = np.concatenate([each for _, _, each in self._wrong])
        codes = Ragged(values, offsets_of(lengths))
        self._final.add(codes, sentence, np.arange(len(codes)), group)
        self._wrong, self._tokens = [], 0

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

    def final_scores(self) -> dict[Metric, FloatArray]:
        """Return P, R and F1 of the final labels up to each point, by metric."""
        self._count_wrong()
        if self._right:
            columns = [np.concatenate(column) for column in zip(*self._right, strict=True)]
            self._final.add_gold(*columns)
        return self._final.scores(self._runs)


@kernel
def keep_different(
    which: BoolArray,
    codes: npt.NDArray[Any],
    offsets: IntArray,
    gold: npt.NDArray[Any],
    gold_offsets: IntArray,
    sentence: IntArray,
) -> None:
    """Unmark the rows whose codes are those of the gold of their sentence."""
    for row in range(len(which)):
        if not which[row]:
            continue
        a, g = offsets[row], gold_offsets[sentence[row]]
        same = True
        for k in range(offsets[row + 1] - a):
            if codes[a + k] != gold[g + k]:
                same = False
                break
        which[row] = not same
