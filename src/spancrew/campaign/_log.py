"""What the consensus method learns from: sentences in the order in which they were settled."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.campaign._material import Material
from spancrew.consensus import Evidence
from spancrew.core import Answers, CodeArray, Ragged, offsets_of

_LEAST = 64
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
        self._values = np.empty(_LEAST, dtype)
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


class Held(NamedTuple):
    """An answer that counts on a sentence."""

    worker: int
    codes: CodeArray
    assignment: int


class StatedLog:
    """What was stated of the sentences of the crowd when they were settled; it never changes.

    ``expected`` are the true spans that were expected; ``chance`` has a number for every span of
    the labels: the probability that it is right.
    """

    def __init__(self, material: Material) -> None:
        self.sentence = Growing(np.int32)
        self.expected = Growing(np.float64)
        self.codes = Growing(material.labels.dtype)
        self.chance = Growing(np.float64)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentence)

    def append(
        self, sentence: int, codes: CodeArray, chance: Sequence[float], expected: float
    ) -> None:
        """Add a sentence."""
        self.codes.extend(codes)
        self.chance.extend(chance)
        self.expected.extend([expected])
        self.sentence.extend([sentence])

    def labels(self, material: Material) -> Ragged:
        """Return the labels of all, a row of codes each."""
        return Ragged(self.codes.all, offsets_of(material.lengths[self.sentence.all]))


class EvidenceLog:
    """Settled sentences with their answers; those of warm-ups and gold are rows of their own.

    So are audits, with a ``weight``: how many sentences each stands for; that of others is 0.
    """

    def __init__(self, material: Material) -> None:
        dtype = material.labels.dtype
        self.sentence = Growing(np.int32)
        self.size = Growing(np.int32)
        self.known = Growing(np.bool_)
        self.by_crowd = Growing(np.bool_)
        self.weight = Growing(np.float64)
        self.worker = Growing(np.int32)
        self.codes = Growing(dtype)
        self.labels = Growing(dtype)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.sentence)

    def append(
        self,
        sentence: int,
        answers: Sequence[Held],
        known: CodeArray | None,
        *,
        by_crowd: bool = False,
        weight: float = 0.0,
    ) -> None:
        """Add a sentence; ``known`` is what an expert or gold says of it.

        ``by_crowd`` tells that the consensus counts, even where an expert has answered too.
        """
        self.worker.extend([each.worker for each in answers])
        for each in answers:
            self.codes.extend(each.codes)
        if known is not None:
            self.labels.extend(known)
        self.size.extend([len(answers)])
        self.known.extend([known is not None])
        self.by_crowd.extend([by_crowd])
        self.weight.extend([weight])
        self.sentence.extend([sentence])

    def evidence(self, material: Material, rows: int, workers: int) -> Evidence:
        """Return the evidence of the first rows."""
        sentence = self.sentence.first(rows).astype(np.int64)
        size, known = self.size.first(rows), self.known.first(rows)
        weight = self.weight.first(rows)
        lengths = material.lengths[sentence]
        row = np.repeat(np.arange(rows, dtype=np.int32), size)
        offsets = offsets_of(lengths[row])
        labels = offsets_of(np.where(known, lengths, 0))
        codes = Ragged(self.codes.first(int(offsets[-1])), offsets)
        return Evidence(
            Answers(row, self.worker.first(len(row)), codes, rows),
            lengths,
            len(material.labels),
            workers,
            Ragged(self.labels.first(int(labels[-1])), labels),
            material.words.take(sentence),
            len(material.spelling),
            np.where(weight > 0, weight, 1.0),
            weight > 0,
            material.spelling,
        )
