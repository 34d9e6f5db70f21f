"""A frontier on a terminal: a table, a plot of letters, how sure is sure."""

from collections.abc import Iterator, Sequence
from string import ascii_letters

from rich.console import Group, RenderableType
from rich.text import Text

from spancrew.cli._printing import table
from spancrew.report import (
    CALIBRATION_HEAD,
    calibrated,
    calibration_rows,
    frontier_head,
    frontier_notes,
    frontier_rows,
    frontier_sentence,
)
from spancrew.simulate import Frontier

_MOST_WITH_SPREAD = 3
"""Shares for which there is room to show the spread of each F1."""

_STEPS = (0.005, 0.01, 0.02, 0.025, 0.05, 0.1, 0.2)
"""What a line of the plot may stand for."""

_LINES = 18
"""Lines of the plot at most."""

_WIDTH = 10
"""Columns for every share."""


def views(name: str, found: Frontier) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    title = f"{name}: exact F1 of final labels by share of expert sentences"
    head = frontier_head(found)
    rows = frontier_rows(found, brief=len(head) > _MOST_WITH_SPREAD + 1)
    lettered = [[letter, *row] for letter, row in zip(_letters(found), rows, strict=True)]
    yield table(title, ["", *head], lettered, words=2)
    yield Text(frontier_sentence(found), style="bold")
    yield Group(*_plot(found))
    share, points = calibrated(found)
    if points:
        about = f"Confidence in a sentence, with {100 * share:g} % experts"
        yield table(about, CALIBRATION_HEAD, calibration_rows(points))
    yield Text(
        f"{found.sentences:,} sentences arrive in {found.points[0].orders} random orders, and "
        "whoever decides knows only the past; only kappa-hindsight knows all answers "
        "beforehand. F1 is of all sentences, with the expert's labels where one was asked, and "
        "with the crowd's after a last look with all that was learned. "
        f"{frontier_notes(found)}"
    )


def _letters(found: Frontier) -> str:
    pairs = len(found.curves())
    return (ascii_letters * (pairs // len(ascii_letters) + 1))[:pairs]


def _plot(found: Frontier) -> Iterator[Text]:
    """Yield a line for every level of F1, with the letters of the pairs that are there."""
    curves = [[point.exact_f1.mean for point in row] for row in found.curves().values()]
    step = _step(curves)
    levels = [[round(value / step) for value in row] for row in curves]
    flat = [level for row in levels for level in row]
    for level in range(max(flat), min(flat) - 1, -1):
        cells = (
            "".join(
                letter
                for letter, row in zip(_letters(found), levels, strict=True)
                if row[column] == level
            )
            for column in range(len(curves[0]))
        )
        drawn = "".join(f"{_fitted(cell):^{_WIDTH}}" for cell in cells)
        yield Text(f"{level * step:.3f} │{drawn}".rstrip(), no_wrap=True)
    shares = frontier_head(found)[1:]
    yield Text(f"      └{'─' * _WIDTH * len(shares)}", no_wrap=True)
    yield Text(f"       {''.join(f'{each:^{_WIDTH}}' for each in shares)}".rstrip(), no_wrap=True)


def _step(curves: Sequence[Sequence[float]]) -> float:
    values = [value for row in curves for value in row]
    reach = max(values) - min(values)
    return next((step for step in _STEPS if reach / step <= _LINES - 1), _STEPS[-1])


def _fitted(cell: str) -> str:
    return cell if len(cell) < _WIDTH else f"{cell[: _WIDTH - 2]}…"
