"""Rows that are not there are refused before a kernel reads them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import LabelSet, Ragged
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric, pair_spans

CODES = Ragged.of([[0, 1, 2], [3, 0, 0]])
ROWS = st.lists(st.integers(-3, 4), max_size=4)


@given(ROWS, ROWS, ROWS)
def test_pairs_and_groups_are_right_or_refused(
    rows: list[int], gold_rows: list[int], group: list[int]
) -> None:
    """Every row is there, every pair has a group, every group is there."""
    those = np.array(rows, np.int64), np.array(gold_rows, np.int64)
    paired = len(rows) == len(gold_rows) and {*rows, *gold_rows} <= {0, 1}
    grouped = paired and len(group) == len(rows) and set(group) <= {0, 1, 2}
    for metric in (Metric(), Metric("token", "macro"), Metric("proportional")):
        if paired:
            assert metric.pairs(CODES, CODES, *those).shape == (len(rows), 3)
        else:
            with pytest.raises(SpancrewError):
                metric.pairs(CODES, CODES, *those)
        if grouped:
            assert metric.groups(CODES, CODES, np.array(group, int), 3, *those).shape == (3, 3)
        else:
            with pytest.raises(SpancrewError):
                metric.groups(CODES, CODES, np.array(group, int), 3, *those)


@given(ROWS)
def test_spans_are_paired_with_gold_that_is_there(rows: list[int]) -> None:
    """One row of gold for every answer."""
    if len(rows) == 2 and set(rows) <= {0, 1}:
        assert pair_spans(CODES, CODES, np.array(rows)).gold_row.tolist() == rows
        return
    with pytest.raises(SpancrewError, match="rows of gold"):
        pair_spans(CODES, CODES, np.array(rows, np.int64))


def test_tallies_are_of_known_labels_and_have_four_columns() -> None:
    """A label too many would be counted outside of the tally."""
    with pytest.raises(SpancrewError, match="label number 1, but there are 1 labels"):
        Metric("exact", "macro").tallies(CODES, CODES, LabelSet(("A",)))
    with pytest.raises(SpancrewError, match="groups x classes x 4"):
        Metric().of_tallies(np.zeros((2, 1, 3)))


def test_rows_by_a_mask_are_refused() -> None:
    """A mask read as numbers would be rows 0 and 1."""
    with pytest.raises(SpancrewError, match="rows of answers: a flat array of whole numbers"):
        Metric().pairs(CODES, CODES, np.array([True, False]), np.array([0, 0]))
