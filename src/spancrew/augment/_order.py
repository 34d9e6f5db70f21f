"""A stable sort for kernels."""

import numpy as np

from spancrew.core import IntArray, kernel_part


@kernel_part
def order_of(values: IntArray) -> IntArray:
    """Return the rows in ascending order of value, equal ones as they stand.

    numba's own sorts take seconds to compile.
    """
    count = len(values)
    order, other = np.arange(count), np.empty(count, np.int64)
    width = 1
    while width < count:
        for low in range(0, count, 2 * width):
            merge(values, order, other, low, min(low + width, count), min(low + 2 * width, count))
        order, other = other, order
        width *= 2
    return order


@kernel_part
def merge(
    values: IntArray, order: IntArray, out: IntArray, low: int, middle: int, high: int
) -> None:
    """Merge two sorted runs."""
    a, b = low, middle
    for k in range(low, high):
        if a < middle and (b >= high or values[order[a]] <= values[order[b]]):
            out[k] = order[a]
            a += 1
        else:
            out[k] = order[b]
            b += 1
