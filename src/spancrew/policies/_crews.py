"""How many workers a step asks: a fixed number, or everybody who is good enough."""

from typing import Any, Literal

import numpy as np

from spancrew.core import BoolArray, Chance, FloatArray, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies._base import Policy, chosen_by
from spancrew.policies._standings import NOBODY, Standings

CrewSize = int | Literal["auto"]
"""So many workers, or ``auto``: all who are there, without those who are clearly weak."""

_ENOUGH = 0.8
"""The share of the middle worker's mean reward that a worker needs."""
_SURE = 2.0
"""So many standard errors a worker must be below that to be left out."""
_DOUBT = 0.25, 10.0
"""The largest variance of a reward between 0 and 1, and how many rewards it is worth."""


def crew_size(given: Any) -> CrewSize:
    """Return the size of a crew that a number or a text names.

    >>> crew_size("20"), crew_size("auto")
    (20, 'auto')
    """
    if given == "auto":
        return "auto"
    if isinstance(given, str) and given.isdecimal():
        return int(given)
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    raise SpancrewError(f"crew {given!r}: write a whole number such as 20, or auto")


def are_weak(standings: Standings) -> BoolArray:
    """Tell which workers are clearly weaker than the middle one of those who are there.

    That is, they are likely to be below four fifths of the middle worker's mean reward. Nobody is
    weak of whom little is known.
    """
    scored = standings.available & (standings.count > 0)
    mean = np.where(scored, standings.mean, np.nan)
    error = np.sqrt(_variance(standings)[:, None] / np.maximum(standings.count, 1e-12))
    middle = np.full(len(mean), -np.inf)
    some = scored.any(axis=1)
    middle[some] = np.nanmedian(mean[some], axis=1)
    return scored & (standings.mean + _SURE * error < _ENOUGH * middle[:, None])


def _variance(standings: Standings) -> FloatArray:
    """Return the variance of a worker's rewards, the same for all workers of a run."""
    count = np.maximum(standings.count, 1e-12)
    within = (standings.squares - standings.total**2 / count).sum(axis=1)
    degrees = np.maximum(standings.count - 1.0, 0.0).sum(axis=1)
    largest, weight = _DOUBT
    variance: FloatArray = (np.maximum(within, 0.0) + largest * weight) / (degrees + weight)
    return variance


def crew_by(
    policy: Policy, standings: Standings, size: CrewSize, answers: int, chance: Chance
) -> IntArray:
    """Return the crew of every run, best first; -1 after its last worker.

    A crew of ``auto`` has as many workers as there are good ones, and at least ``answers``; which
    of all, the policy chooses, so that a weak worker is tried again now and then.
    """
    if size != "auto":
        return chosen_by(policy, standings, size, chance)
    able = standings.available.sum(axis=1)
    wanted = np.maximum(able - are_weak(standings).sum(axis=1), np.minimum(able, answers))
    # Everybody is put in order, so that what is drawn for a run does not depend on other runs.
    crew = chosen_by(policy, standings, standings.count.shape[1], chance)
    return np.where(np.arange(crew.shape[1]) < wanted[:, None], crew, NOBODY)


def best_mean(truth: FloatArray, size: CrewSize) -> float:
    """Return the mean score of the truly best crew.

    >>> best_mean(np.array([0.9, 0.8, 0.7, 0.2]), 2), best_mean(np.array([0.9, 0.6, 0.1]), "auto")
    (0.85..., 0.75)
    """
    if size == "auto":
        return float(truth[truth >= _ENOUGH * np.median(truth)].mean())
    return float(np.sort(truth)[-size:].mean())
