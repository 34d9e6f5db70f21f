"""Random draws that are the same on every Python and every machine.

Only ``Random(seed).random()`` is used: its stream is guaranteed, those of ``choice`` and
``shuffle`` are not. Sums of fractions go through ``fsum``, because ``sum`` rounds differently
from Python 3.12 on.
"""

from collections.abc import Sequence
from math import fsum
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """A source of draws that begins anew with every seed."""

    def __init__(self, seed: int) -> None:
        self._unit = Random(seed).random  # noqa: S311  sentences, not secrets

    def chance(self, probability: float) -> bool:
        """Tell whether something of this probability happens."""
        return self._unit() < probability

    def between(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + int(self._unit() * (high - low + 1))

    def pick(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.between(0, len(values) - 1)]

    def weighted(self, values: Sequence[T], weights: Sequence[float]) -> T:
        """Return one of the values, in proportion to their weights."""
        left = self._unit() * fsum(weights)
        for value, weight in zip(values, weights, strict=True):
            left -= weight
            if left < 0:
                return value
        return values[-1]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in a new order."""
        deck = list(values)
        for last in range(len(deck) - 1, 0, -1):
            other = self.between(0, last)
            deck[last], deck[other] = deck[other], deck[last]
        return deck

    def normal(self, spread: float) -> float:
        """Return a draw around 0: twelve units summed are as good as normal."""
        return spread * (fsum(self._unit() for _ in range(12)) - 6)
