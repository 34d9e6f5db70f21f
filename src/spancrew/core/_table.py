"""All spans of ragged codes in one table."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core._kernel import kernel
from spancrew.core._ragged import Ragged, refuse_wrong_codes
from spancrew.core._types import IntArray


class SpanTable(NamedTuple):
    """Spans as columns: row of the ragged array, start, end (exclusive), label id."""

    row: IntArray
    start: IntArray
    end: IntArray
    label: IntArray


def span_table(codes: Ragged) -> SpanTable:
    """Return every span of every row, in order.

    >>> span_table(Ragged.of([[0, 1, 2], [3, 0]])).end.tolist()
    [3, 1]
    """
    refuse_wrong_codes("rows", codes.values)
    return SpanTable(*_spans(codes.values, codes.offsets))


@kernel
def _spans(
    codes: npt.NDArray[Any], offsets: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    count = np.int64(0)
    for code in codes:
        count += np.int64(code % 2)
    rows = np.empty(count, np.int64)
    starts = np.empty(count, np.int64)
    ends = np.empty(count, np.int64)
    labels = np.empty(count, np.int64)
    k = 0
    for row in range(len(offsets) - 1):
        base = offsets[row]
        at = base
        while at < offsets[row + 1]:
            code = codes[at]
            at += 1
            if code % 2 == 0:
                continue
            rows[k], starts[k], labels[k] = row, at - 1 - base, (code - 1) // 2
            while at < offsets[row + 1] and codes[at] == code + 1:
                at += 1
            ends[k] = at - base
            k += 1
    return rows, starts, ends, labels
