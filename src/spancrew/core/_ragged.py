"""Rows of different length in one flat array."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core._kernel import kernel
from spancrew.core._types import IntArray
from spancrew.errors import InvalidArrayError

_MOST_BYTES = 4
"""Of an unsigned code: with eight, it could not be compared with signed numbers."""


def checked_numbers(
    what: str,
    given: npt.ArrayLike,
    *,
    count: int | None = None,
    least: int = 0,
    below: int | None = None,
) -> npt.NDArray[Any]:
    """Return a flat array of whole numbers; refuse any other, naming what it was meant for.

    Kernels do not look where they read and write, so numbers that they use as places are checked
    before: how many there are, and that each is at least ``least`` and smaller than ``below``.
    """
    numbers = np.asarray(given)
    if numbers.size == 0 and numbers.ndim == 1:
        numbers = numbers.astype(np.int64) if numbers.dtype.kind == "f" else numbers
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise InvalidArrayError(
            f"{what}: a flat array of whole numbers is needed, not one of {numbers.dtype} and "
            f"{numbers.ndim} dimensions"
        )
    if count is not None and len(numbers) != count:
        raise InvalidArrayError(f"{what}: there are {len(numbers)}, but {count} are needed")
    if len(numbers):
        low, high = int(np.minimum.reduce(numbers)), int(np.maximum.reduce(numbers))
        if low < least:
            raise InvalidArrayError(f"{what}: {low} is there, but {least} is the least possible")
        if below is not None and high >= below:
            raise InvalidArrayError(f"{what}: {high} is there, but all must be below {below}")
    return numbers


def refuse_wrong_codes(what: str, codes: npt.NDArray[Any], labels: int | None = None) -> None:
    """Refuse codes that are no whole numbers from 0 up, or belong to no label."""
    if codes.dtype.kind != "u":
        checked_numbers(f"codes of {what}", codes)
    elif codes.itemsize > _MOST_BYTES:
        raise InvalidArrayError(f"codes of {what}: {codes.dtype} is too wide, use uint16")
    if labels is not None and (highest := int(codes.max(initial=0))) > 2 * labels:
        raise InvalidArrayError(
            f"codes of {what}: one is of label number {(highest - 1) // 2}, but there are "
            f"{labels} labels"
        )


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

    def __init__(self, values: npt.NDArray[Any], offsets: npt.NDArray[np.integer]) -> None:
        flat = np.asarray(values)
        if flat.ndim != 1 or flat.dtype.kind not in "biuf":
            raise InvalidArrayError(
                f"values of rows: a flat array of numbers is needed, not one of {flat.dtype} and "
                f"{flat.ndim} dimensions"
            )
        borders = checked_numbers("offsets of rows", offsets).astype(np.int64, copy=False)
        if len(borders) == 0 or borders[0] != 0 or borders[-1] != len(flat):
            raise InvalidArrayError(
                "offsets must begin with 0 and end with the number of values, here "
                f"{len(flat)}: they are {_shown(borders)}"
            )
        if (borders[1:] < borders[:-1]).any():
            row = int(np.argmax(borders[1:] < borders[:-1]))
            raise InvalidArrayError(
                f"offsets must not decrease: row {row} begins at {borders[row]} and ends at "
                f"{borders[row + 1]}"
            )
        self.values = frozen(flat)
        self.offsets: IntArray = frozen(borders)

    @classmethod
    def unchecked(cls, values: npt.NDArray[Any], offsets: IntArray) -> "Ragged":
        """Build from arrays that are right by the way they were made: checks take longer."""
        made = cls.__new__(cls)
        made.values, made.offsets = frozen(values), frozen(offsets)
        return made

    @classmethod
    def joined(cls, parts: Sequence["Ragged"]) -> "Ragged":
        """Return the rows of all parts, one part after the other."""
        values = np.concatenate([part.values for part in parts])
        return cls.unchecked(values, offsets_of(np.concatenate([part.lengths for part in parts])))

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], dtype: npt.DTypeLike = np.uint8) -> "Ragged":
        """Build from a sequence of rows."""
        values = np.fromiter((value for row in rows for value in row), dtype)
        return cls(values, offsets_of(np.fromiter((len(row) for row in rows), np.int64)))

    def __repr__(self) -> str:
        """Return how much there is."""
        return f"Ragged({len(self):,} rows, {len(self.values):,} values)"

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
        return self.offsets[1:] - self.offsets[:-1]

    def take(self, rows: npt.NDArray[Any]) -> "Ragged":
        """Return the rows in the given order; a row may be taken more than once."""
        chosen = checked_numbers("rows to take", rows, below=len(self)).astype(
            np.int64, copy=False
        )
        begin = self.offsets[chosen]
        offsets = offsets_of(self.offsets[1:][chosen] - begin)
        values = np.empty(offsets[-1], self.values.dtype)
        _gather(self.values, begin, offsets, values)
        return Ragged.unchecked(values, offsets)

    def within(self, begin: int, end: int) -> "Ragged":
        """Return the rows from ``begin`` to ``end`` without a copy of their values."""
        borders = self.offsets[begin : end + 1]
        return Ragged.unchecked(self.values[borders[0] : borders[-1]], borders - borders[0])

    @property
    def nbytes(self) -> int:
        """Return the memory of both arrays in bytes."""
        return int(self.values.nbytes + self.offsets.nbytes)


def refuse_wrong_gold(what: str, gold: Ragged, lengths: IntArray, labels: int) -> None:
    """Refuse rows that are neither empty nor as long as their sentence, and unknown labels."""
    if len(gold) != len(lengths):
        raise InvalidArrayError(
            f"{what}: there are {len(gold)} rows, but {len(lengths)} sentences"
        )
    wrong = (gold.lengths > 0) & (gold.lengths != lengths)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidArrayError(
            f"{what}: sentence {row} has {lengths[row]} tokens, but {gold.lengths[row]} codes"
        )
    refuse_wrong_codes(what, gold.values, labels)


def gather(
    values: npt.NDArray[Any], begin: IntArray, offsets: IntArray, out: npt.NDArray[Any]
) -> None:
    """Copy runs of values to where ``offsets`` say, each from where it begins."""
    checked_numbers("offsets of runs", offsets, count=len(begin) + 1, below=len(out) + 1)
    lengths = offsets[1:] - offsets[:-1]
    if np.any((lengths < 0) | (begin < 0) | (begin + lengths > len(values))):
        raise InvalidArrayError(
            f"runs of values: some lie outside the {len(values)} that there are"
        )
    _gather(values, begin, offsets, out)


@kernel
def _gather(
    values: npt.NDArray[Any], begin: IntArray, offsets: IntArray, out: npt.NDArray[Any]
) -> None:
    for row in range(len(begin)):
        shift = begin[row] - offsets[row]
        for k in range(offsets[row], offsets[row + 1]):
            out[k] = values[k + shift]


def _shown(numbers: IntArray) -> str:
    """Return the ends of an array, as a message can show them."""
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) else "none"


def offsets_of(lengths: npt.NDArray[Any]) -> IntArray:
    """Return the offsets of rows with these lengths."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
