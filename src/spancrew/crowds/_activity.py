"""How much each worker does, and so how often they are there in a campaign."""

from collections.abc import Sequence

import numpy as np

from spancrew.core import Dataset, FloatArray, is_model


def activity_of(pilot: Dataset, workers: Sequence[str], rng: np.random.Generator) -> FloatArray:
    """Return how much each worker does, relative to the others; a model is always there.

    People do as much as in the pilot. As chance alone makes counts differ, they are drawn towards
    their mean, the more the less they differ beyond that (a gamma prior before Poisson counts). A
    worker who is not in the pilot is as active as one who is, drawn at random.
    """
    counts = np.bincount(pilot.answers.worker, minlength=len(pilot.workers)).astype(float)
    known = {
        worker: count
        for worker, count in zip(pilot.workers, counts.tolist(), strict=True)
        if count > 0 and not is_model(worker)
    }
    shrunk = dict(zip(known, _shrunk(np.array(list(known.values()))).tolist(), strict=True))
    drawn = rng.choice(list(shrunk.values()) or [1.0], len(workers)).tolist()
    most = max(shrunk.values(), default=1.0)
    own = (most if is_model(each) else shrunk.get(each) for each in workers)
    found = (like if each is None else each for each, like in zip(own, drawn, strict=True))
    return np.array(list(found)) / most


def _shrunk(counts: FloatArray) -> FloatArray:
    """Return the rates behind counts that are above 0, by moments."""
    if len(counts) < 2:
        return counts
    mean = counts.mean()
    beyond_chance = max(float(counts.var(ddof=1)) - mean, 0.0)
    if beyond_chance == 0:
        return np.full(len(counts), mean)
    shape = mean**2 / beyond_chance
    rates: FloatArray = (counts + shape) / (1 + shape / mean)
    return rates


def attendance(activity: FloatArray, least: float) -> FloatArray:
    """Return how often workers are there: the most active always, others in proportion.

    Where fewer than ``least`` would be there on average, all come more often, up to always.

    >>> attendance(np.array([1.0, 0.5, 0.5]), 1).tolist()
    [1.0, 0.5, 0.5]
    >>> attendance(np.array([1.0, 0.5, 0.25]), 2.5).round(3).tolist()
    [1.0, 1.0, 0.5]
    """
    wanted = min(least, len(activity))
    rising = np.sort(activity)
    # With the others always there, so much must come of the first k + 1; the most are decisive.
    others = len(activity) - 1 - np.arange(len(activity))
    factor = max(1 / rising[-1], float(((wanted - others) / rising.cumsum()).max()))
    often: FloatArray = np.minimum(factor * activity, 1.0)
    return often
