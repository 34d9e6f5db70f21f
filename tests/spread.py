"""How much is tried of what could be tried for hours; ``make test-long`` tries all of it."""

import os
from collections.abc import Collection, Iterable
from itertools import product
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C")

_IS_LONG = "SPANCREW_LONG" in os.environ


def spread(rows: Iterable[R], columns: Collection[C], each: int = 1) -> list[tuple[R, C]]:
    """Pair every row with a few columns, in turn, so that all columns come equally often."""
    turn = list(columns)
    if _IS_LONG:
        return list(product(rows, turn))
    step = -(-len(turn) // each)
    return [
        (row, turn[(place + step * k) % len(turn)])
        for place, row in enumerate(rows)
        for k in range(each)
    ]


def often(short: T, long: T) -> T:
    """Return how often something is tried, or what, in a usual run and in a long one."""
    return long if _IS_LONG else short
