"""What workers gave: one answer as a value, all answers as columns."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core._ragged import Ragged, checked_numbers, offsets_of, refuse_wrong_codes
from spancrew.core._span import Span
from spancrew.core._types import FloatArray, IndexArray, IntArray
from spancrew.errors import InvalidArrayError


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


class PlacedAnswers(NamedTuple):
    """Answers where they lie in a flat array, for kernels: nothing is copied, nothing checked.

    The answers on sentence ``s`` are ``first[s]`` to ``first[s + 1]``. Answer ``a`` begins at
    ``starts[a]``, and has as many tokens as its sentence, ``lengths[s]``. All codes are below
    ``classes``.
    """

    codes: npt.NDArray[Any]
    starts: IntArray
    first: IntArray
    lengths: IntArray
    classes: int


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
        """Refuse columns that do not fit together, and index the answers by sentence."""
        self._refuse_wrong_columns()
        if np.any(self.sentence[1:] < self.sentence[:-1]):
            raise InvalidArrayError("answers must be grouped by sentence, in ascending order")
        lengths = self.codes.lengths
        differs = (lengths[1:] != lengths[:-1]) & (self.sentence[1:] == self.sentence[:-1])
        if differs.any():
            k = int(np.argmax(differs))
            raise InvalidArrayError(
                f"answers {k} and {k + 1} on sentence {self.sentence[k]} have {lengths[k]} and "
                f"{lengths[k + 1]} tokens; answers on one sentence have the same number"
            )
        first = np.searchsorted(self.sentence, np.arange(self.sentences + 1))
        object.__setattr__(self, "first", first.astype(np.int64))

    def _refuse_wrong_columns(self) -> None:
        count = len(self.codes)
        below = self.sentences
        checked_numbers("sentences of answers", self.sentence, count=count, below=below)
        checked_numbers("workers of answers", self.worker, count=count)
        refuse_wrong_codes("answers", self.codes.values)
        for name in ("seconds", "at", "source"):
            column = getattr(self, name)
            if column is not None and np.shape(column) != (count,):
                raise InvalidArrayError(
                    f"{name} of answers: the shape is {np.shape(column)}, but there are {count} "
                    "answers"
                )

    def checked_lengths(
        self, lengths: npt.NDArray[np.integer], words: Ragged | None = None
    ) -> IntArray:
        """Return the tokens of every sentence; refuse numbers that are not those of the answers.

        ``words``, where they are given, must have as many tokens.
        """
        tokens = checked_numbers("lengths of sentences", lengths, count=self.sentences)
        size = self.codes.lengths
        wrong = size != tokens[self.sentence]
        if wrong.any():
            k = int(np.argmax(wrong))
            raise InvalidArrayError(
                f"lengths of sentences: sentence {self.sentence[k]} has "
                f"{tokens[self.sentence[k]]} tokens, but an answer on it has {size[k]}"
            )
        if words is not None:
            refuse_wrong_codes("words", words.values)
            if not np.array_equal(words.lengths, tokens):
                raise InvalidArrayError(
                    "words of sentences: they are not as many as the lengths of the sentences say"
                )
        return tokens.astype(np.int64, copy=False)

    def __repr__(self) -> str:
        """Return how many there are."""
        return f"Answers({len(self):,} on {self.sentences:,} sentences)"

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

    def refuse_beyond(self, labels: int, workers: int) -> None:
        """Refuse answers of other labels, or by other workers, than there are."""
        refuse_wrong_codes("answers", self.codes.values, labels)
        if (highest := int(self.worker.max(initial=-1))) >= workers:
            raise InvalidArrayError(
                f"an answer is by worker number {highest}, but there are {workers} workers"
            )

    @classmethod
    def unchecked(
        cls, sentence: IndexArray, worker: IndexArray, codes: Ragged, first: IntArray
    ) -> "Answers":
        """Build from columns that are right by the way they were made: checks take longer."""
        made = object.__new__(cls)
        columns = (sentence, worker, codes, len(first) - 1, None, None, None, (), first)
        for name, column in zip(cls.__slots__, columns, strict=True):
            object.__setattr__(made, name, column)
        return made

    def within(self, begin: int, end: int) -> "Answers":
        """Return codes and workers of the answers on the sentences from ``begin`` to ``end``."""
        low, high = int(self.first[begin]), int(self.first[end])
        return Answers.unchecked(
            self.sentence[low:high] - np.int32(begin),
            self.worker[low:high],
            self.codes.within(low, high),
            self.first[begin : end + 1] - low,
        )

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

    def others(self, rows: IntArray) -> "Answers":
        """Return the other answers on the sentence of each row, as a sentence of their own."""
        sentence = self.sentence[rows]
        size = self.per_sentence[sentence]
        begins = offsets_of(size)
        owner = np.repeat(np.arange(len(rows), dtype=np.int32), size)
        found = np.arange(len(owner)) + (self.first[sentence] - begins[:-1])[owner]
        kept = found != rows[owner]
        others = found[kept]
        first = begins - np.arange(len(begins))
        return Answers.unchecked(owner[kept], self.worker[others], self.codes.take(others), first)

    @property
    def placed(self) -> PlacedAnswers:
        """Return where the answers lie; a sentence without any counts as empty."""
        codes = self.codes
        lengths = np.zeros(self.sentences, np.int64)
        lengths[self.sentence] = codes.lengths
        classes = int(codes.values.max(initial=0)) + 1
        return PlacedAnswers(codes.values, codes.offsets[:-1], self.first, lengths, classes)

    @property
    def per_sentence(self) -> IntArray:
        """Return the number of answers on every sentence."""
        return self.first[1:] - self.first[:-1]

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
