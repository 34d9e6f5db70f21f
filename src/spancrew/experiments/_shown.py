"""Numbers as text, in rows."""

from collections.abc import Mapping, Sequence

from spancrew.experiments._measured import Measured

SHOWN = ("f1", "experts", "f1 of Exp.", "regret")
"""Columns that come first where there are many."""


def columns_of(numbers: Sequence[Measured]) -> list[str]:
    """Return the columns in the order in which they came."""
    return list(dict.fromkeys(number.column for number in numbers))


def shown_row(row: str, found: Mapping[str, Measured], variants: Sequence[str]) -> list[str]:
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
