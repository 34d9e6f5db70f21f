"""Interactive figures as SVG: lines, scatter, histogram, rows of intervals or bars.

Each function returns one HTML ``<figure>`` for ``document(..., live=True)``; it can be read and
printed without the script, which only adds reading off values and hiding series.
"""

from spancrew.report.live._axis import Axis
from spancrew.report.live._given import Bars, Dot, Dots, Interval, Mark, Series, ThresholdLine
from spancrew.report.live._histogram import histogram_figure
from spancrew.report.live._lines import line_figure
from spancrew.report.live._rows import bar_figure, interval_figure
from spancrew.report.live._scatter import scatter_figure
from spancrew.report.live._svg import HUES, Style

__all__ = [
    "HUES",
    "Axis",
    "Bars",
    "Dot",
    "Dots",
    "Interval",
    "Mark",
    "Series",
    "Style",
    "ThresholdLine",
    "bar_figure",
    "histogram_figure",
    "interval_figure",
    "line_figure",
    "scatter_figure",
]
