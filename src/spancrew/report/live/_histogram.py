"""Bars over bins, for example of the agreement on a sentence."""

import math
from collections.abc import Sequence
from itertools import pairwise

from spancrew.errors import SpancrewError
from spancrew.report.live._axis import Axis, Scale, bounded, scale_for
from spancrew.report.live._canvas import Canvas
from spancrew.report.live._frame import LegendEntry, Parts, Readout, Stop, frame
from spancrew.report.live._given import Bars, ThresholdLine
from spancrew.report.live._svg import NARROW, WIDE, line, series_group, style_of

_GAP = 1.0


def histogram_figure(
    title: str,
    caption: str,
    edges: Sequence[float],
    series: Sequence[Bars],
    *,
    x: Axis,
    y: Axis,
    threshold: ThresholdLine | None = None,
) -> str:
    """Return bars between neighbouring edges; those of several series stand side by side."""
    ends = [bounded(float(edge)) for edge in edges]
    _check(ends, series)
    limits = [] if threshold is None else [threshold.at]
    across = scale_for(x, [*ends, *limits])
    upwards = scale_for(y, [0.0, *(v for bars in series for v in bars.heights)], rounded=True)
    drawings = []
    for size in (WIDE, NARROW):
        canvas = Canvas.of(size, across, upwards, threshold=threshold is not None)
        groups = [_group(k, ends, series, canvas) for k in range(len(series))]
        drawings.append(canvas.draw(f"{title}. {caption}", *groups, canvas.threshold(threshold)))
    bins = x.bins or [across.interval(*pair) for pair in pairwise(ends)]
    stops = []
    for k, (low, high) in enumerate(pairwise(ends)):
        middle = (across.fraction(low) + across.fraction(high)) / 2
        stops.append(Stop(middle, 0.5, bins[k], _readouts(k, series, upwards)))
    return frame(title, caption, _parts(series, drawings, x, stops))


def _check(edges: Sequence[float], series: Sequence[Bars]) -> None:
    if not all(a < b for a, b in pairwise(edges)):
        raise SpancrewError(f"The edges {list(edges)} of a histogram must be ascending numbers.")
    for bars in series:
        if len(bars.heights) != len(edges) - 1:
            raise SpancrewError(
                f"{bars.name!r} has {len(bars.heights)} bars for {len(edges)} edges; "
                "give one bar less than there are edges."
            )


def _group(k: int, edges: Sequence[float], series: Sequence[Bars], canvas: Canvas) -> str:
    bars = series[k]
    drawn = []
    for (low, high), height in zip(pairwise(edges), bars.heights, strict=True):
        if not math.isfinite(height):
            continue
        left, base = canvas.point(low, 0)
        right, top = canvas.point(high, height)
        width = max(0.0, right - left - _GAP) / len(series)
        start = left + _GAP / 2 + k * width
        corners = [(start, base), (start, top), (start + width, top), (start + width, base)]
        drawn.append(line(corners, "bar", "Z"))
    return series_group(k, style_of(k, bars.style), *drawn)


def _readouts(k: int, series: Sequence[Bars], y: Scale) -> tuple[Readout, ...]:
    return tuple(
        Readout(j, y.fraction(bars.heights[k]), (y.number(bars.heights[k]),))
        for j, bars in enumerate(series)
        if math.isfinite(bars.heights[k])
    )


def _parts(
    series: Sequence[Bars], drawings: Sequence[str], x: Axis, stops: Sequence[Stop]
) -> Parts:
    rows = []
    for stop in stops:
        cells = {readout.series: readout.texts[0] for readout in stop.readouts}
        rows.append([stop.title, *(cells.get(k, "-") for k in range(len(series)))])
    return Parts(
        drawings=drawings,
        entries=[
            LegendEntry(bars.name, style_of(k, bars.style), "bar") for k, bars in enumerate(series)
        ],
        by="x",
        stops=stops,
        head=[x.title, *(bars.name for bars in series)],
        rows=rows,
        prefix=f"{x.title}: ",
    )
