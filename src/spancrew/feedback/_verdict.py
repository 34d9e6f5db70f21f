"""What a feedback rule says."""

from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray, IntArray


class Verdict(NamedTuple):
    """Sentence by sentence: is the crowd trusted, else is one more worker asked, else an expert.

    ``reason`` is the figure that decided: the agreement, the expected errors, or NaN where the
    rule looks at nothing. ``more`` is never set together with ``trusted``.
    """

    trusted: BoolArray
    reason: FloatArray
    more: BoolArray

    @classmethod
    def final(cls, trusted: BoolArray, reason: FloatArray) -> "Verdict":
        """Return a verdict that leaves nothing open: the crowd's word counts or the expert's."""
        return cls(trusted, reason, np.zeros(len(trusted), bool))

    def take(self, rows: IntArray) -> "Verdict":
        """Return the verdicts on some sentences, in the given order."""
        return Verdict(self.trusted[rows], self.reason[rows], self.more[rows])
