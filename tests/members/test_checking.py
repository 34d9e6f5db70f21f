"""What a model gives is checked; nothing that does not fit gets through."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Sentence, Span
from spancrew.members import FAULTS, GivenSpan, Reply, checked
from spancrew.members._checking import given_spans, in_tokens, surer

SENTENCE = Sentence.from_tokens("s", ["Ana", "Lima", "left", "New", "York"])
LABELS = ("LOC", "PER")

rubbish = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(LABELS)
)


@given(st.lists(st.tuples(rubbish, rubbish, rubbish, rubbish), max_size=8))
def test_whatever_is_given_is_kept_or_counted(rows: list[tuple[Any, ...]]) -> None:
    """What is kept is inside the sentence, in order and without overlaps."""
    found = checked(Reply(given_spans(rows)), SENTENCE, LABELS)
    spans = [each.span for each in found.spans or ()]

    assert len(spans) + found.faults.total() == len(rows)
    assert found.faults.keys() <= FAULTS.keys()
    assert spans == sorted(spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(0 <= span.start < span.end <= 5 and span.label in LABELS for span in spans)


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ((0, 1, "ORG"), "label"),
        ((0, 6, "PER"), "outside"),
        ((-1, 1, "PER"), "outside"),
        ((2, 2, "PER"), "outside"),
        ((0.0, 1, "PER"), "shape"),
        (("0", "1", "PER"), "shape"),
        ((0, True, "PER"), "shape"),
        ((0, 1), "shape"),
        ("PER", "shape"),
        ((0, 1, "PER", 1.5), "shape"),
        ((0, 1, "PER", float("nan")), "shape"),
        ((0, 1, "PER", "high"), "shape"),
    ],
)
def test_every_fault_has_its_kind(row: Any, kind: str) -> None:
    """And the spans beside it stay."""
    found = checked(Reply(given_spans([row, (3, 5, "LOC")])), SENTENCE, LABELS)

    assert found.faults == {kind: 1}
    assert [each.span for each in found.spans or ()] == [Span(3, 5, "LOC")]


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([(0, 1, "PER"), (0, 2, "PER")], Span(0, 2, "PER")),
        ([(0, 1, "PER", 0.9), (0, 2, "PER", 0.4)], Span(0, 1, "PER")),
        ([(0, 2, "PER"), (0, 2, "LOC")], Span(0, 2, "LOC")),
        ([(0, 2, "PER"), (0, 2, "PER")], Span(0, 2, "PER")),
    ],
)
def test_of_two_that_overlap_the_surer_or_longer_one_stays(
    rows: list[tuple[Any, ...]], kept: Span
) -> None:
    """Else the one whose label comes first; the order in which they are given does not count."""
    for order in (rows, rows[::-1]):
        found = checked(Reply(given_spans(order)), SENTENCE, LABELS)

        assert [each.span for each in found.spans or ()] == [kept]
        assert found.faults == {"overlap": 1}


def test_numbers_of_numpy_are_numbers() -> None:
    """As most models give them."""
    row = (np.int64(0), np.int32(2), "PER", np.float32(0.5))
    ((span, confidence),) = checked(Reply(given_spans([row])), SENTENCE, LABELS).spans or ()

    assert (span, confidence) == (Span(0, 2, "PER"), 0.5)


def test_labels_can_be_renamed() -> None:
    """To those that are asked for; others stay unknown."""
    reply = Reply(given_spans([{"start": 0, "end": 2, "label": "PERSON"}, Span(3, 5, "GPE")]))
    found = checked(reply, SENTENCE, LABELS, {"PERSON": "PER"})

    assert [each.span for each in found.spans or ()] == [Span(0, 2, "PER")]
    assert found.faults == {"label": 1}


def test_no_answer_is_not_an_empty_answer() -> None:
    """Its faults are counted all the same."""
    assert checked(Reply(None, {"count": 1}), SENTENCE, LABELS) == (None, {"count": 1})
    assert checked(Reply(()), SENTENCE, LABELS) == ((), {})


def test_spans_that_are_not_sure_enough_are_left_out() -> None:
    """Those without a confidence stay."""
    rows = [(0, 1, "PER", 0.4), (1, 2, "PER", 0.5), (3, 5, "LOC")]
    found = surer(checked(Reply(given_spans(rows)), SENTENCE, LABELS), 0.5)

    assert [each.span.start for each in found.spans or ()] == [1, 3]
    assert found.faults == {"unsure": 1}


@pytest.mark.parametrize(
    ("start", "end", "tokens"),
    [(14, 22, (3, 5)), (1, 6, (0, 2)), (3, 4, (0, 0)), (20, 99, (0, 0)), (-5, 2, (0, 0))],
)
def test_characters_become_whole_tokens(start: int, end: int, tokens: tuple[int, int]) -> None:
    """What touches no token, or leaves the text, is empty and so refused later."""
    found = in_tokens(SENTENCE, GivenSpan(start, end, "LOC"))

    assert (found.start, found.end) == tokens
