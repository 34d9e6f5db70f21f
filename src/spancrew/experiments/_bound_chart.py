"""Figures of Appendix B: the chance that the majority is right, and the bound on it."""

from collections.abc import Iterator, Sequence

from spancrew.experiments._bound import BoundPoint
from spancrew.report.live import Axis, Series, Style, ThresholdLine, line_figure

_CHANCE = Axis("P(majority right)", low=0.0, high=1.0)
_EXACT, _BOUND = 0, 1
"""Dashes: exact values are solid lines, bounds are dashed."""


def bound_chart(
    points: Sequence[BoundPoint], chances: Sequence[float] = (0.6, 0.7, 0.8, 0.9)
) -> str:
    """Return a figure against the number of workers, for workers of a few chances.

    The exact line goes up and down because a tie, which only an even number of workers can have,
    counts as right.
    """
    series: list[Series] = []
    for hue, chance in enumerate(chances):
        some = [point for point in points if abs(point.chance - chance) < 1e-6]
        workers = [float(point.workers) for point in some]
        series += _series(f"p = {chance:.3g}", workers, some, hue)
    return line_figure(
        "How often the majority is right, and the bound on it",
        "By the number of workers; below 1/2 a bound is vacuous. A tie counts as right.",
        series,
        x=Axis("workers (N)"),
        y=_CHANCE,
    )


def chance_chart(points: Sequence[BoundPoint], sizes: Sequence[int] = (4, 10)) -> str:
    """Return a figure against the workers' chance; below 1/2 the bound does not hold."""
    series: list[Series] = []
    for hue, size in enumerate(sizes):
        some = [point for point in points if point.workers == size]
        series += _series(f"N = {size}", [point.chance for point in some], some, hue)
    return line_figure(
        "How often the majority is right, by the chance of a worker",
        "Left of the line the bound does not hold.",
        series,
        x=Axis("chance of a worker (p)", low=0.0, high=1.0),
        y=_CHANCE,
        threshold=ThresholdLine(0.5, "below p = 1/2 it does not hold"),
    )


def _series(
    name: str, x: Sequence[float], points: Sequence[BoundPoint], hue: int
) -> Iterator[Series]:
    """Yield exact values and bound as lines, simulated values as points."""
    yield Series.curve(f"{name}, exact", x, [p.exact for p in points], style=Style(hue, _EXACT))
    yield Series.curve(f"{name}, bound", x, [p.bound for p in points], style=Style(hue, _BOUND))
    simulated = list(zip(x, (p.simulated for p in points), strict=True))
    yield Series(f"{name}, simulated", simulated, style=Style(hue), joined=False)
