"""Numbers as text, in rows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from spancrew.experiments._measured import Measured


class Shown(NamedTuple):
    """One column of the paper as a table: ours and the difference, variant by variant."""

    column: str
    head: list[str]
    rows: list[list[str]]


def shown_tables(numbers: Sequence[Measured]) -> Iterator[Shown]:
    """Yield a table for every column, in the order in which they came."""
    variants = list(dict.fromkeys(number.variant for number in numbers))
    head = ["", "paper", *(name for variant in variants for name in (variant, "diff."))]
    for column in dict.fromkeys(number.column for number in numbers):
        by_row: dict[str, dict[str, Measured]] = {}
        for number in numbers:
            if number.column == column:
                by_row.setdefault(number.row, {})[number.variant] = number
        rows = [_row(row, found, variants) for row, found in by_row.items()]
        yield Shown(column, head, rows)


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
