"""The spans of many rows of codes at once, row by row."""

from typing import NamedTuple

import numpy as np

from spancrew.core import LabelSet, Ragged, span_table


class SpanRows(NamedTuple):
    """The spans of each row as start, end and label, in one list for all rows."""

    first: list[int]
    spans: list[tuple[int, int, str]]

    @classmethod
    def of(cls, codes: Ragged, labels: LabelSet) -> "SpanRows":
        """Return the spans of all rows."""
        rows, starts, ends, ids = span_table(codes)
        names = [labels.names[k] for k in ids.tolist()]
        first = np.searchsorted(rows, np.arange(len(codes) + 1))
        return cls(first.tolist(), list(zip(starts.tolist(), ends.tolist(), names, strict=True)))

    def on(self, row: int) -> list[tuple[int, int, str]]:
        """Return the spans of a row."""
        return self.spans[self.first[row] : self.first[row + 1]]
