"""A labelled run of tokens."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from spancrew.errors import InvalidSpanError


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A labelled run of tokens; ``end`` is exclusive, both count tokens from 0.

    >>> Span(3, 5, "PER")
    Span(start=3, end=5, label='PER')
    """

    start: int
    end: int
    label: str

    def __post_init__(self) -> None:
        """Refuse a span that is empty, negative or without a label."""
        if self.start < 0:
            raise InvalidSpanError(f"span {self}: the start must be 0 or more")
        if self.end <= self.start:
            raise InvalidSpanError(f"span {self}: the end must lie after the start (exclusive)")
        if not self.label:
            raise InvalidSpanError(f"span {self}: a label is needed")

    def __str__(self) -> str:
        """Return ``3-5 PER``."""
        return f"{self.start}-{self.end} {self.label}"

    def __len__(self) -> int:
        """Return the number of tokens."""
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        """Tell whether the two spans share a token."""
        return self.start < other.end and other.start < self.end


def in_order(spans: Iterable[Span], length: int) -> tuple[Span, ...]:
    """Return the spans from left to right; refuse overlaps and spans beyond ``length`` tokens."""
    ordered = tuple(sorted(spans))
    for left, right in pairwise(ordered):
        if left.overlaps(right):
            raise InvalidSpanError(f"spans {left} and {right} overlap")
    if ordered and ordered[-1].end > length:
        raise InvalidSpanError(f"span {ordered[-1]} ends outside the sentence of {length} tokens")
    return ordered
