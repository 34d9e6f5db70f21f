"""How unevenly the work is spread over the workers: the lower half of the paper's Table 1."""

from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, IntArray


class Spread(NamedTuple):
    """Statistics of a list of counts; ``sd`` and ``variance`` are of the sample (n - 1)."""

    max: int
    min: int
    range: int
    mean: float
    median: float
    sd: float
    variance: float
    cv: float


def spread(counts: IntArray) -> Spread | None:
    """Return the statistics of counts; None if there are none.

    >>> spread(np.array([2, 4, 6])).sd
    2.0
    """
    if len(counts) == 0:
        return None
    mean = float(counts.mean())
    variance = float(counts.var(ddof=1)) if len(counts) > 1 else 0.0
    sd = variance**0.5
    return Spread(
        max=int(counts.max()),
        min=int(counts.min()),
        range=int(counts.max() - counts.min()),
        mean=mean,
        median=float(np.median(counts)),
        sd=sd,
        variance=variance,
        cv=sd / mean if mean else 0.0,
    )


def answers_per_worker(dataset: Dataset) -> IntArray:
    """Return the number of answers of every worker."""
    return np.bincount(dataset.answers.worker, minlength=len(dataset.workers))
