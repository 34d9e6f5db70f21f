"""From a number per worker to a crew."""

import numpy as np

from spancrew.core import BoolArray, Chance, FloatArray, IntArray, kernel, kernel_part
from spancrew.errors import InvalidArrayError
from spancrew.policies._standings import NOBODY, Standings

_TIES = 1
"""The use of chance that breaks ties."""

_JITTER = 1e-9
"""Numbers closer than this are taken as equal, so that rounding does not decide."""

_MOST = 1e300
"""Stands for an infinite index, which a price could not divide."""


def top(index: FloatArray, standings: Standings, size: int, chance: Chance) -> IntArray:
    """Return the available workers with the highest index, best first; ties are broken by chance.

    Where prices differ, the index per unit of money counts; the unit does not matter. Crews that
    cannot be filled end with -1.
    """
    if (
        not np.shape(index)
        == standings.available.shape
        == (len(chance.seeds), len(standings.price))
    ):
        raise InvalidArrayError(
            f"index of workers: the shape is {np.shape(index)}, but there are "
            f"{standings.available.shape[0]} runs of {len(standings.price)} workers, and chance "
            f"for {len(chance.seeds)}"
        )
    crew = np.full((len(index), size), NOBODY)
    priced = bool(standings.price.min() < standings.price.max())
    ties = chance.uniform(index.shape[1], _TIES)
    if size > 0:
        price = standings.price / standings.price.mean() if priced else standings.price
        _fill_crews(index, standings.available, price, priced, ties, crew)
    return crew


@kernel
def _fill_crews(
    index: FloatArray,
    available: BoolArray,
    price: FloatArray,
    priced: bool,
    ties: FloatArray,
    crew: IntArray,
) -> None:
    worth = np.empty(crew.shape[1])
    for run in range(len(index)):
        filled = int(np.int64(0))  # a literal 0 would be one more type to compile for
        for worker in range(index.shape[1]):
            if not available[run, worker]:
                continue
            value = min(index[run, worker], _MOST)
            if priced:
                value = _per_price(value, max(price[worker], _JITTER))
            value += _JITTER * ties[run, worker]
            filled = _insert(worker, value, crew[run], worth, filled, ties[run])


@kernel_part
def _per_price(value: float, price: float) -> float:
    """Return a value per unit of money; what is below 0 is the worse, the more it costs."""
    return value / price if value > 0.0 else value * price


@kernel_part
def _insert(
    worker: int, value: float, crew: IntArray, worth: FloatArray, filled: int, ties: FloatArray
) -> int:
    """Put a worker where they belong in a crew in order of its worth; return how full it is."""
    size = len(crew)
    if filled == size and not _better(worker, value, crew, worth, size - 1, ties):
        return filled
    place = min(filled, size - 1)
    while place > 0 and _better(worker, value, crew, worth, place - 1, ties):
        crew[place], worth[place] = crew[place - 1], worth[place - 1]
        place -= 1
    crew[place], worth[place] = worker, value
    return min(filled + 1, size)


@kernel_part
def _better(
    worker: int, value: float, crew: IntArray, worth: FloatArray, place: int, ties: FloatArray
) -> bool:
    """Tell whether a worker is worth more than the one at a place; if equal, chance decides."""
    if value == worth[place]:
        return bool(ties[worker] > ties[crew[place]])
    return bool(value > worth[place])
