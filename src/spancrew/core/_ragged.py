"""Rows of different length in one flat array."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core._kernel import kernel
from spancrew.core._types import IntArray


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a read-only view of the array."""
    view = array.view()
    view.flags.writeable = False
    return view


class Ragged:
    """Rows of different length: row ``i`` is ``values[offsets[i]:offsets[i + 1]]``, read-only.

    >>> rows = Ragged.of([[1, 2], [], [3]])
    >>> len(rows), rows[0].tolist(), rows.lengths.tolist()
    (3, [1, 2], [2, 0, 1])
    """

    __slots__ = ("offsets", "values")

    def __init__(self, values: npt.NDArray[Any], offsets: IntArray) -> None:
        if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(values):
            raise ValueError("offsets must begin with 0 and end with the number of values")
        self.values = frozen(values)
        self.offsets: IntArray = frozen(offsets)

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], dtype: npt.DTypeLike = np.uint8) -> "Ragged":
        """Build from a sequence of rows."""
        values = np.fromiter((value for row in rows for value in row), dtype)
        return cls(values, offsets_of(np.fromiter((len(row) for row in rows), np.int64)))

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> npt.NDArray[Any]:
        """Return one row without a copy."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        row %= len(self)
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        """Yield the rows."""
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Tell whether the rows are the same."""
        if not isinstance(other, Ragged):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(
            self.values, other.values
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have no cheap hash

    @property
    def lengths(self) -> IntArray:
        """Return the length of every row."""
        return np.diff(self.offsets)

    def take(self, rows: npt.NDArray[Any]) -> "Ragged":
        """Return the rows in the given order; a row may be taken more than once."""
        chosen = np.asarray(rows, np.int64)
        offsets = offsets_of(self.offsets[chosen + 1] - self.offsets[chosen])
        values = np.empty(offsets[-1], self.values.dtype)
        gather(self.values, self.offsets[chosen], offsets, values)
        return Ragged(values, offsets)

    @property
    def nbytes(self) -> int:
        """Return the memory of both arrays in bytes."""
        return int(self.values.nbytes + self.offsets.nbytes)


@kernel
def gather(
    values: npt.NDArray[Any], begin: IntArray, offsets: IntArray, out: npt.NDArray[Any]
) -> None:
    """Copy runs of values, each from where it begins, one after the other."""
    for row in range(len(begin)):
        shift = begin[row] - offsets[row]
        for k in range(offsets[row], offsets[row + 1]):
            out[k] = values[k + shift]


def offsets_of(lengths: npt.NDArray[Any]) -> IntArray:
    """Return the offsets of rows with these lengths."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
