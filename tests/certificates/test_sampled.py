"""The F1 of labels of which all, some or none were compared with the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.certificates import Fixed, Part, PartCounts, sampled_f1
from spancrew.core import FloatArray, IntArray

COUNTS = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=20)


def part(rows: list[tuple[int, int, int]], drawn: IntArray, sure: float = 0.0) -> Part:
    """Return a part of which some rows are found as they were stated."""
    right = np.array([row[1] for row in rows], np.float64)
    given_, true = (right + [row[k] for row in rows] for k in (0, 2))
    stated = PartCounts(given_, right, true)
    fixed = Fixed(sure, sure, sure)
    found = PartCounts(*(column[drawn] for column in stated))
    return Part(stated, drawn, found, np.zeros(len(rows)), fixed, fixed)


def f1(columns: PartCounts, sure: float) -> float:
    """Return the F1 of counts in the plainest way."""
    given_, right, true = (float(np.sum(column)) + sure for column in columns)
    return 2 * right / (given_ + true) if given_ + true else 1.0


@given(rows=COUNTS, sure=st.integers(0, 9))
def test_where_all_are_compared_the_f1_is_known(
    rows: list[tuple[int, int, int]], sure: int
) -> None:
    """With what is certain beside it."""
    every: IntArray = np.arange(len(rows))
    made = part(rows, every, sure)
    found = sampled_f1(made)

    assert found.low == found.high == found.estimate == pytest.approx(f1(made.stated, sure))


@given(rows=COUNTS, sure=st.integers(0, 9))
def test_where_none_is_compared_it_is_a_guess_between_no_errors_and_twice_as_many(
    rows: list[tuple[int, int, int]], sure: int
) -> None:
    """Around what was stated."""
    made = part(rows, np.zeros(0, np.int64), sure)
    found = sampled_f1(made)

    assert found.estimate == pytest.approx(f1(made.stated, sure))
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.estimate + 1e-9
    assert found.estimate <= found.high + 1e-9
    assert found.high == pytest.approx(1.0)


def test_a_sample_corrects_what_was_stated() -> None:
    """Of 100 sentences with a span each, stated sure, a sample of 20 finds 5 wrong."""
    one: FloatArray = np.ones(100)
    drawn: IntArray = np.arange(20)
    right = (drawn >= 5).astype(np.float64)
    found = PartCounts(np.ones(20), right, np.ones(20))
    made = sampled_f1(Part(PartCounts(one, one, one), drawn, found, np.zeros(100)))

    assert made.estimate == pytest.approx(0.75)
    assert made.low is not None
    assert made.low < 0.65


def test_nothing_of_the_crowd_leaves_what_is_certain() -> None:
    """Experts decided everything."""
    none = np.zeros(0)
    empty = PartCounts(none, none, none)
    made = Part(empty, np.zeros(0, np.int64), empty, none, Fixed(3.0, 3.0, 3.0), Fixed(3, 3, 3))

    assert sampled_f1(made) == (1.0, 1.0, 1.0)
