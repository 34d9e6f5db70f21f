"""A column that grows at its end."""

from typing import Any

import numpy as np
import numpy.typing as npt

LEAST = 64
"""Places that a column begins with; it doubles when it is full."""


class Growing:
    """Values in one array with room at its end; what is there stays as it is.

    >>> column = Growing(np.int64)
    >>> column.extend([3, 1])
    >>> column.extend([4])
    >>> len(column), column.first(2).tolist()
    (3, [3, 1])
    """

    __slots__ = ("_count", "_values")

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._values = np.empty(LEAST, dtype)
        self._count = 0

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> "Growing":
        """Return a column of these values."""
        column = cls(values.dtype)
        column.extend(values)
        return column

    def __len__(self) -> int:
        """Return the number of values."""
        return self._count

    def extend(self, values: npt.ArrayLike) -> None:
        """Add values at the end."""
        added = np.asarray(values, self._values.dtype)
        size = self._count + len(added)
        if size > len(self._values):
            wider = np.empty(max(size, 2 * len(self._values)), self._values.dtype)
            wider[: self._count] = self._values[: self._count]
            self._values = wider
        self._values[self._count : size] = added
        self._count = size

    def first(self, count: int) -> npt.NDArray[Any]:
        """Return the first values without a copy; later ones do not change them."""
        return self._values[:count]

    @property
    def all(self) -> npt.NDArray[Any]:
        """Return all values without a copy."""
        return self.first(self._count)
