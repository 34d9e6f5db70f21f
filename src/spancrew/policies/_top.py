"""From a number per worker to a crew."""

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray
from spancrew.policies._standings import NOBODY, Standings

_TIES = 1
"""The use of chance that breaks ties."""

_JITTER = 1e-9


def top(index: FloatArray, standings: Standings, size: int, chance: Chance) -> IntArray:
    """Return the available workers with the highest index, best first; ties are broken by chance.

    Where prices differ, the index per unit of money counts. Crews that cannot be filled end
    with -1.
    """
    worth = index
    if np.ptp(standings.price) > 0:
        worth = np.maximum(index, 0.0) / standings.price
    worth = worth + _JITTER * chance.uniform(index.shape[1], _TIES)
    worth = np.where(standings.available, worth, -np.inf)
    crew = _highest(worth, min(size, worth.shape[1]))
    crew[~np.take_along_axis(standings.available, crew, 1)] = NOBODY
    if crew.shape[1] == size:
        return crew
    filled = np.full((len(crew), size), NOBODY)
    filled[:, : crew.shape[1]] = crew
    return filled


def _highest(worth: FloatArray, size: int) -> IntArray:
    """Return the places of the highest numbers of every row, in order."""
    if worth.shape[1] <= 256:
        return np.argsort(-worth, axis=1)[:, :size]
    some = np.argpartition(-worth, size - 1, axis=1)[:, :size]
    order = np.argsort(-np.take_along_axis(worth, some, 1), axis=1)
    return np.take_along_axis(some, order, 1)
