"""The labels that sentences end up with: one sentence as a value, all sentences as columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core._ragged import Ragged, offsets_of
from spancrew.core._span import Span
from spancrew.core._types import BoolArray, FloatArray, IndexArray
from spancrew.errors import InvalidFinalError

EXPERT = "expert"
"""Who decided, where it was not the crowd."""

AUDIT = "audit"
"""Who decided, where an expert labelled a sentence of the crowd blind, drawn at random."""


class FinalSpan(NamedTuple):
    """A span of the final labels.

    ``confidence`` is the probability that it is right, ``votes`` the number of answers with
    exactly this span.
    """

    span: Span
    confidence: float
    votes: int = 0


@dataclass(frozen=True, slots=True)
class Final:
    """The final labels of one sentence.

    ``confidence`` is the probability that all of them are right, ``answers`` how many of the
    crowd's answers there are, and ``by`` who decided: ``expert``, ``audit`` for an expert who
    checked a sentence of the crowd, or the name of the consensus method that joined the answers.

    >>> Final((FinalSpan(Span(0, 1, "PER"), 0.97, votes=3),), 0.9, answers=4, by="mv").labels
    (Span(start=0, end=1, label='PER'),)
    """

    spans: tuple[FinalSpan, ...]
    confidence: float
    answers: int
    by: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a probability or a number of votes."""
        if not self.by:
            raise InvalidFinalError("final labels need a word on who decided, such as 'expert'")
        if self.answers < 0:
            raise InvalidFinalError(
                f"final labels on {self.answers} answers: 0 or more are needed"
            )
        for value in (self.confidence, *(each.confidence for each in self.spans)):
            if not 0 <= value <= 1:
                raise InvalidFinalError(f"confidence {value} is not between 0 and 1")
        for span, _, votes in self.spans:
            if not 0 <= votes <= self.answers:
                raise InvalidFinalError(
                    f"span {span} has {votes} votes; they must lie between 0 and the number of "
                    f"answers ({self.answers})"
                )

    @property
    def labels(self) -> tuple[Span, ...]:
        """Return the spans alone."""
        return tuple(each.span for each in self.spans)


@dataclass(frozen=True, slots=True, eq=False)
class Finals:
    """The final labels of all sentences as columns.

    By sentence: ``codes``, an empty row where a sentence is not settled; ``confidence``,
    ``answers`` and ``by``, 0 and "" there. By token of ``codes``: ``spans``, the confidence in the
    span that begins there, and its ``votes``; 0 where none begins.
    """

    codes: Ragged
    spans: FloatArray
    votes: IndexArray
    confidence: FloatArray
    answers: IndexArray
    by: tuple[str, ...]

    @classmethod
    def of(
        cls, rows: Sequence[npt.NDArray[Any]], finals: Sequence[Final | None], dtype: npt.DTypeLike
    ) -> "Finals":
        """Build from the codes and the value of every sentence; None where it is not settled."""
        offsets = offsets_of(np.array([len(row) for row in rows], np.int64))
        codes = np.concatenate([np.zeros(0, dtype), *rows]).astype(dtype)
        spans, votes = np.zeros(len(codes)), np.zeros(len(codes), np.int32)
        for start, final in zip(offsets[:-1].tolist(), finals, strict=True):
            for each in final.spans if final else ():
                spans[start + each.span.start] = each.confidence
                votes[start + each.span.start] = each.votes
        return cls(
            Ragged(codes, offsets),
            spans,
            votes,
            np.array([final.confidence if final else 0.0 for final in finals]),
            np.array([final.answers if final else 0 for final in finals], np.int32),
            tuple(final.by if final else "" for final in finals),
        )

    def __repr__(self) -> str:
        """Return how many sentences are settled."""
        return f"Finals(on {int(self.is_settled.sum()):,} of {len(self):,} sentences)"

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.by)

    def __eq__(self, other: object) -> bool:
        """Tell whether all columns are the same."""
        if not isinstance(other, Finals):
            return NotImplemented
        return (
            self.by == other.by
            and self.codes == other.codes
            and np.array_equal(self.spans, other.spans)
            and np.array_equal(self.votes, other.votes)
            and np.array_equal(self.confidence, other.confidence)
            and np.array_equal(self.answers, other.answers)
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have no cheap hash

    @property
    def is_settled(self) -> BoolArray:
        """Tell for every sentence whether it has final labels."""
        return self.codes.lengths > 0

    @property
    def is_by_expert(self) -> BoolArray:
        """Tell for every sentence whether an expert decided."""
        return np.array([by in {EXPERT, AUDIT} for by in self.by], bool)

    @property
    def is_audited(self) -> BoolArray:
        """Tell for every sentence whether an expert decided who labelled it in an audit."""
        return np.array([by == AUDIT for by in self.by], bool)

    @property
    def by_token(self) -> FloatArray:
        """Return for every token of ``codes`` the confidence in its span; 0 outside of spans."""
        codes = self.codes.values
        begins = np.where(codes % 2 == 1, np.arange(len(codes)), 0)
        return np.where(codes > 0, self.spans[np.maximum.accumulate(begins)], 0.0)

    def take(self, positions: npt.NDArray[np.integer]) -> "Finals":
        """Return the final labels of some sentences, in the given order."""
        offsets = self.codes.offsets
        return Finals(
            self.codes.take(positions),
            Ragged(self.spans, offsets).take(positions).values,
            Ragged(self.votes, offsets).take(positions).values,
            self.confidence[positions],
            self.answers[positions],
            tuple(self.by[p] for p in positions),
        )
