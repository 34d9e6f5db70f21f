"""One number of ours beside the paper's."""

from typing import Any, NamedTuple

import numpy as np

from spancrew.core import FloatArray


class Measured(NamedTuple):
    """A number in a table or a figure of the paper, and what we find.

    ``variant`` is the protocol and the crowd that gave ours; ``sd`` is over runs. ``paper`` is
    None where the paper prints no number.
    """

    row: str
    column: str
    paper: float | None
    ours: float
    sd: float | None
    variant: str

    @property
    def difference(self) -> float | None:
        """Return ours less the paper's."""
        return None if self.paper is None else self.ours - self.paper

    def as_json(self) -> dict[str, Any]:
        """Return a record; numbers are rounded to what they can tell."""
        return {
            "row": self.row,
            "column": self.column,
            "paper": self.paper,
            "ours": _rounded(self.ours),
            "sd": _rounded(self.sd),
            "difference": _rounded(self.difference),
            "variant": self.variant,
        }


def measured(
    row: str, column: str, paper: float | None, runs: FloatArray, variant: str
) -> Measured:
    """Return mean and standard deviation over runs beside the paper's number."""
    sd = float(runs.std(ddof=1)) if len(runs) > 1 else None
    return Measured(row, column, paper, float(np.mean(runs)), sd, variant)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
