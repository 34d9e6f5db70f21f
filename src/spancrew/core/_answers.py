"""What workers gave: one answer as a value, all answers as columns."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from spancrew.core._ragged import Ragged
from spancrew.core._span import Span
from spancrew.core._types import FloatArray, IndexArray, IntArray


@dataclass(frozen=True, slots=True)
class Answer:
    """What one worker gave for one sentence.

    ``seconds`` is how long it took, ``at`` when it was given (seconds since 1970, UTC), and
    ``source`` where it comes from if not from the worker (a generator, say).
    """

    sentence: str
    worker: str
    spans: tuple[Span, ...] = ()
    seconds: float | None = None
    at: float | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """All answers of a data set as columns, grouped by sentence.

    Answer ``k`` is row ``k`` of ``codes``, by worker ``worker[k]`` on sentence ``sentence[k]``.
    The answers on sentence ``s`` are ``first[s]`` to ``first[s + 1]``, in the order of arrival.
    ``seconds`` and ``at`` are None where no answer has one, else NaN where this one has none.
    ``source[k]`` is an index into ``sources``; -1 means the worker.
    """

    sentence: IndexArray
    worker: IndexArray
    codes: Ragged
    sentences: int
    seconds: FloatArray | None = None
    at: FloatArray | None = None
    source: npt.NDArray[np.int16] | None = None
    sources: tuple[str, ...] = ()
    first: IntArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the answers by sentence."""
        if np.any(np.diff(self.sentence) < 0):
            raise ValueError("answers must be grouped by sentence")
        first = np.searchsorted(self.sentence, np.arange(self.sentences + 1))
        object.__setattr__(self, "first", first.astype(np.int64))

    def __len__(self) -> int:
        """Return the number of answers."""
        return len(self.sentence)

    def __eq__(self, other: object) -> bool:
        """Tell whether all columns are the same; an unknown time equals an unknown time."""
        if not isinstance(other, Answers):
            return NotImplemented
        return (
            self.codes == other.codes
            and self.sources == other.sources
            and np.array_equal(self.sentence, other.sentence)
            and np.array_equal(self.worker, other.worker)
            and _same(self.seconds, other.seconds)
            and _same(self.at, other.at)
            and _same(self.source, other.source)
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have no cheap hash

    def take(self, rows: IntArray, sentence: npt.NDArray[np.integer], sentences: int) -> "Answers":
        """Return some answers as answers on other sentences, numbered in ascending order."""
        return Answers(
            sentence=np.asarray(sentence, np.int32),
            worker=self.worker[rows],
            codes=self.codes.take(rows),
            sentences=sentences,
            seconds=None if self.seconds is None else self.seconds[rows],
            at=None if self.at is None else self.at[rows],
            source=None if self.source is None else self.source[rows],
            sources=self.sources,
        )

    @property
    def per_sentence(self) -> IntArray:
        """Return the number of answers on every sentence."""
        return np.diff(self.first)

    @property
    def nbytes(self) -> int:
        """Return the memory of all columns in bytes."""
        extra = (self.seconds, self.at, self.source)
        columns = (self.sentence, self.worker, self.first)
        return self.codes.nbytes + sum(c.nbytes for c in (*columns, *extra) if c is not None)


def _same(one: npt.NDArray[np.generic] | None, other: npt.NDArray[np.generic] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
