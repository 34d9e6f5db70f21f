"""Bradley and Terry's strengths of what was compared in pairs, by workers who may not look."""

from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray, IntArray, checked_numbers
from spancrew.errors import InvalidArrayError

_CAREFUL, _ANSWERS = 4.0, 5.0
"""Before anything is seen, four of five answers of a worker look at what is compared."""

_ROUNDS, _CLOSE = 500, 1e-8
_DRAWN = 0.5
"""Wins and losses of everything against an average rival, before anything is seen."""


class Comparisons(NamedTuple):
    """Answers on pairs: who compared which two, and how the first did: 1, 0, or 0.5 for a tie."""

    left: IntArray
    right: IntArray
    worker: IntArray
    won: FloatArray


class Strengths(NamedTuple):
    """What was compared by ``score``, workers by ``skill`` and ``leaning``.

    The first of two wins with the chance ``1 / (1 + exp(right - left))`` of their scores where a
    worker looks at them, which they do in a share ``skill`` of their answers; else they choose
    the first with the chance ``leaning``. The scores have the mean 0.
    """

    score: FloatArray
    skill: FloatArray
    leaning: FloatArray


def bradley_terry(found: Comparisons, rivals: int, workers: int) -> Strengths:
    """Return the likeliest strengths of rivals that meet in pairs, and how workers compare.

    The model is the noisy one of crowd-kit. It is fitted by expectation and maximisation, in
    which no round makes it worse. A tie is half a win of each.
    """
    _refuse_wrong(found, rivals, workers)
    power = np.ones(rivals)
    skill, leaning = np.full(workers, _CAREFUL / _ANSWERS), np.full(workers, 0.5)
    count = _sums(found.worker, np.ones(len(found.worker)), workers)
    for _ in range(_ROUNDS):
        looks = _looks(found, power, skill[found.worker], leaning[found.worker])
        skill = _share(_sums(found.worker, looks.sum(axis=1), workers), count, _CAREFUL, _ANSWERS)
        blind = np.stack([found.won, 1 - found.won], axis=1) - looks
        guessed = _sums(found.worker, blind.sum(axis=1), workers)
        leaning = _share(_sums(found.worker, blind[:, 0], workers), guessed, 1.0, 2.0)
        moved = _stronger(found, looks, power)
        change, power = float(np.abs(np.log(moved / power)).max(initial=0.0)), moved
        if change < _CLOSE:
            break
    score = np.log(power)
    return Strengths(score - score.mean() if rivals else score, skill, leaning)


def _looks(
    found: Comparisons, power: FloatArray, skill: FloatArray, leaning: FloatArray
) -> FloatArray:
    """Return how much of a win and of a loss comes from a look at the two (answers x 2)."""
    left = power[found.left] / (power[found.left] + power[found.right])
    seen = skill * left / (skill * left + (1 - skill) * leaning)
    lost = skill * (1 - left) / (skill * (1 - left) + (1 - skill) * (1 - leaning))
    return np.stack([found.won * seen, (1 - found.won) * lost], axis=1)


def _share(hits: FloatArray, tries: FloatArray, right: float, answers: float) -> FloatArray:
    """Return the share of hits, with a prior of so many right among so many answers."""
    share: FloatArray = (hits + right) / (tries + answers)
    return share


def _sums(places: IntArray, values: FloatArray, size: int) -> FloatArray:
    return np.bincount(places, values, minlength=size).astype(np.float64)


def _stronger(found: Comparisons, looks: FloatArray, power: FloatArray) -> FloatArray:
    """Return one step of Hunter's algorithm (2004, doi:10.1214/aos/1079120141)."""
    both, size = np.concatenate([found.left, found.right]), len(power)
    wins = _sums(both, looks.T.ravel(), size) + _DRAWN
    met = looks.sum(axis=1) / (power[found.left] + power[found.right])
    faced = _sums(both, np.tile(met, 2), size) + 2 * _DRAWN / (power + 1)
    stronger: FloatArray = wins / faced
    return stronger


def _refuse_wrong(found: Comparisons, rivals: int, workers: int) -> None:
    checked_numbers("rivals on the left", found.left, below=rivals)
    checked_numbers("rivals on the right", found.right, below=rivals)
    checked_numbers("workers", found.worker, below=workers)
    sizes = {len(column) for column in found}
    if len(sizes) > 1:
        raise InvalidArrayError(
            f"comparisons: columns have {sorted(sizes)} rows, not equally many"
        )
    is_wrong = ~((found.won >= 0) & (found.won <= 1))
    if is_wrong.any():
        k = int(np.argmax(is_wrong))
        raise InvalidArrayError(
            f"comparison {k}: {found.won[k]:g} is not from 0 (lost) to 1 (won)"
        )
