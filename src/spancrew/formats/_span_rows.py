"""The spans of many rows of codes at once, row by row."""

from typing import NamedTuple

import numpy as np

from spancrew.core import LabelSet, Ragged, span_table


class SpanRows(NamedTuple):
    """Where the spans of each row begin and end, in one list for all rows."""

    first: list[int]
    starts: list[int]
    ends: list[int]
    labels: list[str]

    @classmethod
    def of(cls, codes: Ragged, labels: LabelSet) -> "SpanRows":
        """Return start, end and label of the spans of all rows."""
        rows, starts, ends, ids = span_table(codes)
        names = [labels.names[k] for k in ids.tolist()]
        first = np.searchsorted(rows, np.arange(len(codes) + 1))
        return cls(first.tolist(), starts.tolist(), ends.tolist(), names)

    def on(self, row: int) -> list[tuple[int, int, str]]:
        """Return the spans of a row."""
        chosen = slice(self.first[row], self.first[row + 1])
        return list(zip(self.starts[chosen], self.ends[chosen], self.labels[chosen], strict=True))
