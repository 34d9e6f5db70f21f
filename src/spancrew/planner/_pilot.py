"""The pilot that a plan is made from, and what is refused as one."""

from dataclasses import replace

import numpy as np

from spancrew.campaign import LEAST_PILOT
from spancrew.core import Dataset, people_among
from spancrew.errors import PlanError

LEAST_WORKERS = 5
"""Workers that a pilot needs."""

_FIRST_SECONDS, _TOKEN_SECONDS = 12.0, 0.6
"""Seconds for an answer where the pilot has no times: for a sentence, and for each token."""


def pilot_of(dataset: Dataset) -> Dataset:
    """Return the sentences with gold and at least two answers; refuse what says too little.

    Workers without an answer on them are left out.
    """
    if not dataset.has_gold.any():
        raise PlanError(
            "no sentence of the pilot has gold, so nobody knows how good its answers are: let an "
            "expert label its sentences, or plan with an assumption in place of a pilot"
        )
    answered = dataset.by_people.per_sentence
    rows = np.flatnonzero(dataset.has_gold & (answered >= 2))
    if len(rows) == 0:
        raise PlanError(
            "no sentence of the pilot with gold has two answers, so nothing is known of how "
            "workers agree: collect at least 2 on each, better 4"
        )
    if len(rows) < LEAST_PILOT:
        raise PlanError(
            f"{len(rows)} sentences of the pilot have gold and at least 2 answers: "
            f"{LEAST_PILOT} are needed, and 150 make a useful forecast"
        )
    pilot = _without_idle(dataset.take(rows))
    people = len(people_among(pilot.workers))
    if people < LEAST_WORKERS:
        raise PlanError(
            f"a pilot by {people} workers does not show how much workers differ: let "
            f"at least {LEAST_WORKERS} answer, better 10"
        )
    return pilot


def _without_idle(dataset: Dataset) -> Dataset:
    active, numbers = np.unique(dataset.answers.worker, return_inverse=True)
    workers = tuple(dataset.workers[k] for k in active.tolist())
    answers = replace(dataset.answers, worker=numbers.astype(dataset.answers.worker.dtype))
    return replace(dataset, workers=workers, answers=answers)


def answers_of(pilot: Dataset) -> int:
    """Return the most answers on a sentence that half of the sentences have."""
    return int(np.quantile(pilot.by_people.per_sentence, 0.5, method="lower"))


def seconds_of(pilot: Dataset) -> tuple[float, bool]:
    """Return how long an answer takes, and whether the pilot knows it."""
    seconds = pilot.by_people.seconds
    if seconds is not None and np.isfinite(seconds).any():
        return float(np.nanmean(np.minimum(seconds, 10 * np.nanmedian(seconds)))), True
    tokens = float(pilot.sentences.starts.lengths.mean())
    return _FIRST_SECONDS + _TOKEN_SECONDS * tokens, False
