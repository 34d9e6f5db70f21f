"""Successive halving: most runs go to what looks best."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Arm = TypeVar("Arm")

KEPT = 3
"""One of so many is kept from one rung to the next."""


def halve(
    arms: Sequence[Arm],
    rungs: int,
    cost: Callable[[Sequence[Arm], int], Sequence[float]],
    fewest: int = 1,
) -> list[Arm]:
    """Return the arms that are left after the last rung, the cheapest first.

    ``cost`` is called with the arms of a rung and its number, and takes more trouble with each.

    >>> halve([5, 3, 8, 1, 9, 2], 2, lambda arms, rung: arms)
    [1]
    """
    left = list(arms)
    for rung in range(rungs):
        costs = cost(left, rung)
        order = sorted(range(len(left)), key=costs.__getitem__)
        count = max(fewest, -(-len(left) // KEPT)) if rung < rungs - 1 else fewest
        left = [left[k] for k in order[:count]]
    return left
