"""Spans and their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Span, in_order
from spancrew.errors import InvalidSpanError


@pytest.mark.parametrize(
    ("start", "end", "label", "problem"),
    [
        (-1, 2, "PER", "span -1-2 PER: the start must be 0 or more"),
        (3, 3, "PER", "span 3-3 PER: the end must lie after the start (exclusive)"),
        (5, 2, "PER", "span 5-2 PER: the end must lie after the start (exclusive)"),
        (0, 1, "", "span 0-1 : a label is needed"),
    ],
)
def test_a_span_that_makes_no_sense_is_refused(
    start: int, end: int, label: str, problem: str
) -> None:
    """The message holds the offsets."""
    with pytest.raises(InvalidSpanError) as caught:
        Span(start, end, label)

    assert str(caught.value) == problem


def test_overlapping_spans_are_refused() -> None:
    """The message names both."""
    with pytest.raises(InvalidSpanError, match="spans 0-3 PER and 2-4 LOC overlap"):
        in_order([Span(2, 4, "LOC"), Span(0, 3, "PER")], 9)


def test_a_span_beyond_the_sentence_is_refused() -> None:
    """The message names the span and the length."""
    with pytest.raises(InvalidSpanError, match="1-5 PER ends outside the sentence of 4 tokens"):
        in_order([Span(1, 5, "PER")], 4)


def test_touching_spans_are_fine() -> None:
    """Ends are exclusive."""
    spans = (Span(0, 2, "PER"), Span(2, 3, "PER"))

    assert in_order(reversed(spans), 3) == spans


@given(*[st.integers(0, 9)] * 4)
def test_overlap_is_sharing_a_token(a: int, b: int, c: int, d: int) -> None:
    """Compare with sets of tokens."""
    one, other = Span(a, a + b + 1, "X"), Span(c, c + d + 1, "Y")
    shared = set(range(one.start, one.end)) & set(range(other.start, other.end))

    assert one.overlaps(other) == other.overlaps(one) == bool(shared)
