"""Where a rehearsal takes place: sentences with gold, and a crowd that answers."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import Dataset, FloatArray, IntArray
from spancrew.crowds import Crowd
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric
from spancrew.simulate._source import OnDemand, Source, Table, refuse_without_gold

TABLE_LIMIT = 2_000_000_000
"""Tokens of answers, all workers on all sentences, up to which they are drawn beforehand."""


@dataclass(frozen=True)
class Scene:
    """A data set, the crowd's answers with their scores, and who can answer what.

    ``can`` is None where everybody can answer every sentence; else sentences x workers.
    """

    dataset: Dataset
    workers: tuple[str, ...]
    source: Source
    metric: Metric
    can: np.ndarray | None = None

    @property
    def lengths(self) -> IntArray:
        """Return the tokens of every sentence."""
        return self.dataset.sentences.starts.lengths

    @property
    def truth(self) -> FloatArray:
        """Return the mean F1 of every worker."""
        return self.source.truth


def scene_of(
    dataset: Dataset, crowd: Crowd, metric: Metric | None = None, *, asks: int | None = None
) -> Scene:
    """Set the scene; every sentence must have gold.

    ``asks`` is how many answers will be asked for in all; where that is much less than there are,
    or not everybody can answer everything, they are drawn on demand.
    """
    refuse_without_gold(dataset)
    chosen = metric or Metric()
    workers = len(crowd.workers)
    if workers == 0:
        raise SpancrewError("the crowd has no workers, so nobody can be rehearsed with")
    can = _who_can(dataset, crowd)
    tokens = int(dataset.sentences.starts.lengths.sum()) * workers
    few = asks is not None and asks * 2 < len(dataset) * workers
    if can is not None or few or tokens > TABLE_LIMIT:
        return Scene(dataset, crowd.workers, OnDemand(dataset, crowd, chosen), chosen, can)
    return Scene(dataset, crowd.workers, Table(dataset, crowd, chosen), chosen)


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
