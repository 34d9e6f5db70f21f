"""Sums by group."""

import numpy as np

from spancrew.core import FloatArray, IntArray


def sum_by(group: IntArray, values: FloatArray | None, groups: int) -> FloatArray:
    """Return the sum of the values of each group; without values, how many there are."""
    return np.bincount(group, values, groups).astype(np.float64)
