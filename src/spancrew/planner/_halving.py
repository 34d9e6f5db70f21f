"""Successive halving: most runs go to what looks best."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Arm = TypeVar("Arm")
Look = Callable[[list[Arm]], Sequence[Arm]]
"""Takes a better look at some arms than the one before, and returns them as it sees them."""

KEPT = 3
"""One of so many is kept from one look to the next."""


def halve(
    arms: Sequence[Arm], looks: Sequence[Look[Arm]], ranks: Sequence[Callable[[Arm], Any]]
) -> list[Arm]:
    """Return the arms that are left after the last look, the best first.

    After each look a part of the arms is kept, those that the first rank has lowest; and the one
    that each further rank has lowest, whatever the first says of it.

    >>> halve([5, 3, 8, 1, 9, 2], [list, list], [lambda arm: arm])
    [1]
    >>> halve([5, 3, 8, 1, 9, 2], [list, list], [lambda arm: arm, lambda arm: -arm])
    [1, 9]
    """
    left = list(arms)
    main, *others = ranks
    for look in looks:
        seen = list(look(left))
        left = sorted(seen, key=main)[: -(-len(seen) // KEPT)]
        for rank in others:
            first = min(seen, key=rank)
            if not any(first is arm for arm in left):
                left.append(first)
    return left
