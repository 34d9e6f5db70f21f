"""Numbers and curves of ours beside the paper's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def measured(
    row: str, column: str, paper: float | None, runs: FloatArray, variant: str
) -> Measured:
    """Return mean and standard deviation over runs beside the paper's number."""
    sd = float(runs.std(ddof=1)) if len(runs) > 1 else None
    return Measured(row, column, paper, float(np.mean(runs)), sd, variant)


class Curve(NamedTuple):
    """A line of a figure: mean and standard deviation over runs."""

    figure: str
    variant: str
    series: str
    x: FloatArray
    mean: FloatArray
    sd: FloatArray


@dataclass(frozen=True, slots=True)
class Findings:
    """Numbers and curves for a table or a figure."""

    numbers: list[Measured] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)

    def __add__(self, other: "Findings") -> "Findings":
        """Return both."""
        return Findings(self.numbers + other.numbers, self.curves + other.curves)


class ComparisonTable(NamedTuple):
    """One column of the paper as a table of text: ours and the difference, variant by variant."""

    column: str
    head: list[str]
    rows: list[list[str]]


def comparison_tables(numbers: Sequence[Measured]) -> Iterator[ComparisonTable]:
    """Yield a table for every column, in the order in which they came."""
    variants = list(dict.fromkeys(number.variant for number in numbers))
    head = ["", "paper", *(name for variant in variants for name in (variant, "diff."))]
    for column in dict.fromkeys(number.column for number in numbers):
        by_row: dict[str, dict[str, Measured]] = {}
        for number in numbers:
            if number.column == column:
                by_row.setdefault(number.row, {})[number.variant] = number
        rows = [_row(row, found, variants) for row, found in by_row.items()]
        yield ComparisonTable(column, head, rows)


def _row(row: str, found: Mapping[str, Measured], variants: Sequence[str]) -> list[str]:
    """Return a row: its name, the paper's number, then ours and the difference by variant."""
    paper = next((n.paper for n in found.values() if n.paper is not None), None)
    cells = [row, "-" if paper is None else _number(paper)]
    for variant in variants:
        number = found.get(variant)
        if number is None:
            cells += ["", ""]
            continue
        spread = "" if number.sd is None else f" ± {_number(number.sd)}"
        difference = "" if number.difference is None else f"{number.difference:+.2f}"
        cells += [f"{_number(number.ours)}{spread}", difference]
    return cells


def _number(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"
