"""The mean F1 that every worker should have."""

from collections.abc import Mapping

import numpy as np

from spancrew.core import Dataset, FloatArray
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric, answer_scores


def mean_scores(dataset: Dataset, metric: Metric) -> FloatArray:
    """Return the mean F1 of every worker's answers, each scored on its own.

    NaN for a worker without answers on sentences with gold.
    """
    scores = answer_scores(dataset, metric)[:, 2]
    known = ~np.isnan(scores)
    worker, size = dataset.answers.worker[known], len(dataset.workers)
    counts = np.bincount(worker, minlength=size)
    means = np.full(size, np.nan)
    sums = np.bincount(worker, scores[known], minlength=size)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def targets_of(
    dataset: Dataset, metric: Metric, given: Mapping[str, float] | None
) -> dict[str, float]:
    """Return the target of every worker: the one given, else the mean F1 of their answers.

    Workers that only ``given`` knows come after those of the data set.
    """
    if not dataset.has_gold.any():
        raise SpancrewError(
            "no sentence has gold, and SES makes its answers from gold spans: add the experts' "
            "spans to the data set first"
        )
    means = dict(zip(dataset.workers, mean_scores(dataset, metric).tolist(), strict=True))
    targets = {worker: float(value) for worker, value in (means | dict(given or {})).items()}
    if not targets:
        raise SpancrewError(
            "the data set has no workers; give each one a target F1, for example "
            '{"w1": 0.62, "w2": 0.48} (--targets FILE)'
        )
    for worker, value in targets.items():
        _refuse_bad(worker, value)
    return targets


def _refuse_bad(worker: str, value: float) -> None:
    if np.isnan(value):
        raise SpancrewError(
            f"worker {worker!r} has no answer on a sentence with gold, so their F1 is not known: "
            "give them a target (--targets FILE), or leave them out"
        )
    if not 0 <= value <= 1:
        raise SpancrewError(
            f"worker {worker!r}: target F1 {value:g} is not between 0 and 1 (write 0.62, not 62)"
        )
