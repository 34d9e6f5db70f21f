"""P, R and F1 of what was collected, by metric and by how far a run was."""

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, Ragged, kernel
from spancrew.metrics import Metric
from spancrew.simulate._scene import Scene

BLOCK = 500_000
"""Answers that are counted at once."""


class Pool:
    """Counts of what was right, by metric and group: a run between two points in time."""

    def __init__(self, scene: Scene, metrics: tuple[Metric, ...], groups: int) -> None:
        self._scene = scene
        self._metrics = metrics
        self._ends = np.cumsum([metric.classes(scene.dataset.labels) for metric in metrics])
        self._sums = np.zeros((groups, int(self._ends[-1]), 4))

    def add(self, codes: Ragged, sentence: IntArray, which: IntArray, group: IntArray) -> None:
        """Count rows of codes on their sentences; row ``which[k]`` counts for ``group[k]``."""
        add_rows(self._counted(codes, sentence), which, group, self._sums)

    def add_gold(self, sentence: IntArray, group: IntArray) -> None:
        """Count sentences on which everything is right."""
        found, which = distinct(sentence, len(self._scene.dataset))
        self.add(self._scene.dataset.gold.take(found), found, which, group)

    def add_answers(self, sentence: IntArray, crew: IntArray, group: IntArray) -> None:
        """Count the answers of crews; one that several runs collected is looked at once."""
        order = np.argsort(sentence, kind="stable")  # what lies together is read together
        sentence, crew, group = sentence[order], crew[order], group[order]
        workers = len(self._scene.workers)
        place = np.zeros(len(self._scene.dataset) * workers, np.int32)
        mark_pairs(sentence, crew, workers, place)
        found = np.flatnonzero(place)
        for first in range(0, len(found), BLOCK):
            part = found[first : first + BLOCK]
            place[:] = -1
            place[part] = np.arange(len(part), dtype=np.int32)
            codes = self._scene.source.answers(part // workers, part % workers)
            counted = self._counted(codes, part // workers)
            add_crews(counted, place, sentence, crew, group, workers, self._sums)

    def _counted(self, codes: Ragged, sentence: IntArray) -> FloatArray:
        """Return what each row got right, the classes of all metrics side by side."""
        dataset = self._scene.dataset
        return np.concatenate(
            [m.tallies(codes, dataset.gold, dataset.labels, sentence) for m in self._metrics],
            axis=1,
        )

    def scores(self, runs: int) -> dict[Metric, FloatArray]:
        """Return P, R and F1 by metric: runs x points x 3, of all up to each point."""
        upto = self._sums.reshape(runs, -1, *self._sums.shape[1:]).cumsum(axis=1)
        by_metric = np.split(upto.reshape(self._sums.shape), self._ends[:-1], axis=1)
        return {
            metric: metric.of_tallies(np.ascontiguousarray(part)).reshape(runs, -1, 3)
            for metric, part in zip(self._metrics, by_metric, strict=True)
        }


def distinct(values: IntArray, most: int) -> tuple[IntArray, IntArray]:
    """Return the distinct values below ``most`` in order, and the place of each among them."""
    seen = np.zeros(most, bool)
    seen[values] = True
    found = np.flatnonzero(seen)
    place = np.zeros(most, np.int32)
    place[found] = np.arange(len(found))
    return found, place[values].astype(np.int64)


@kernel
def add_rows(counted: FloatArray, which: IntArray, group: IntArray, sums: FloatArray) -> None:
    """Add the counts of rows to the groups that they count for."""
    for k in range(len(which)):
        add_row(counted, which[k], sums, group[k])


@kernel
def add_row(counted: FloatArray, row: int, sums: FloatArray, group: int) -> None:
    """Add the counts of one row to a group."""
    for label in range(counted.shape[1]):
        for column in range(4):
            sums[group, label, column] += counted[row, label, column]


@kernel
def mark_pairs(
    sentence: IntArray, crew: IntArray, workers: int, place: npt.NDArray[np.int32]
) -> None:
    """Mark every sentence and worker of some crews."""
    for row in range(len(sentence)):
        for k in range(crew.shape[1]):
            if crew[row, k] >= 0:
                place[sentence[row] * workers + crew[row, k]] = 1


@kernel
def add_crews(
    counted: FloatArray,
    place: npt.NDArray[np.int32],
    sentence: IntArray,
    crew: IntArray,
    group: IntArray,
    workers: int,
    sums: FloatArray,
) -> None:
    """Add the counts of the answers of crews, as far as they have a place, to their groups."""
    for row in range(len(sentence)):
        for k in range(crew.shape[1]):
            if crew[row, k] < 0:
                continue
            at = place[sentence[row] * workers + crew[row, k]]
            if at >= 0:
                add_row(counted, at, sums, group[row])
