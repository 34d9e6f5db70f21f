"""A page with a live figure of each kind, with values that are easy to foresee."""

import numpy as np

from spancrew.report._html import document, section
from spancrew.report.live import (
    Axis,
    Bars,
    Dot,
    Dots,
    Interval,
    Series,
    ThresholdLine,
    histogram_figure,
    interval_figure,
    line_figure,
    scatter_figure,
)

LINES, SCATTER, HISTOGRAM, INTERVALS = range(4)
"""Where each figure stands on the page."""

_METHODS = [f"method {k}" for k in range(11)]


def example() -> str:
    """Return the page."""
    figures = (_lines(), _scatter(), _histogram(), _intervals())
    return document("live", *(section("s", figure) for figure in figures), live=True)


def _lines() -> str:
    """Draw eleven curves; curve k ends at 100 (k + 1)."""
    x = np.linspace(0, 100, 101)
    series = [
        Series.curve(name, x, (k + 1) * x, ((k + 0.9) * x, (k + 1.1) * x))
        for k, name in enumerate(_METHODS)
    ]
    limit = ThresholdLine(40, "chosen")
    return line_figure("Regret.", "c", series, x=Axis("step"), y=Axis("regret"), threshold=limit)


def _scatter() -> str:
    """Draw three points in a row."""
    dots = [Dot(k, k, f"point {k}", (k - 0.1, k + 0.1), (k - 0.2, k + 0.2)) for k in range(3)]
    return scatter_figure(
        "Frontier.", "c", [Dots("gate", dots, joined=True)], x=Axis("cost"), y=Axis("F1")
    )


def _histogram() -> str:
    """Draw three bins of two crowds."""
    bars = [Bars("real", [3, 5, 9]), Bars("rehearsed", [4, 4, 8])]
    x, y, limit = Axis("kappa"), Axis("sentences"), ThresholdLine(0.4, "threshold 0.4")
    return histogram_figure("Kappa.", "c", [0, 0.3, 0.6, 1], bars, x=x, y=y, threshold=limit)


def _intervals() -> str:
    """Draw more workers than fit without scrolling."""
    skills = np.random.default_rng(0).uniform(size=60)
    rows = [Interval(f"worker {k}", v, v - 0.1, v + 0.1, v) for k, v in enumerate(skills)]
    return interval_figure("Workers.", "c", rows, x=Axis("F1"), truth_name="true skill")
