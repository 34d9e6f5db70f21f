"""Bars over bins, for example of the agreement on a sentence."""

import math
from collections.abc import Sequence
from itertools import pairwise

from spancrew.errors import SpancrewError
from spancrew.report._html import tag
from spancrew.report.live._axis import Axis, Scale, bounded, scale_for
from spancrew.report.live._frame import Entry, Parts, Reading, Stop, frame
from spancrew.report.live._given import Bars, Threshold
from spancrew.report.live._sheet import Sheet
from spancrew.report.live._style import style_of
from spancrew.report.live._svg import NARROW, WIDE, line

_GAP = 1.0


def histogram_figure(
    title: str,
    caption: str,
    edges: Sequence[float],
    series: Sequence[Bars],
    *,
    x: Axis,
    y: Axis,
    threshold: Threshold | None = None,
) -> str:
    """Return bars between neighbouring edges; those of several series stand side by side."""
    ends = [bounded(float(edge)) for edge in edges]
    _check(ends, series)
    limit = threshold and threshold.on(x)
    across = scale_for(x, ends if limit is None else [*ends, limit.at])
    upwards = scale_for(y, [0.0, *(v for bars in series for v in bars.heights)], rounded=True)
    drawings = []
    for size in (WIDE, NARROW):
        sheet = Sheet.of(size, across, upwards, threshold=limit is not None)
        groups = [_group(k, ends, series, sheet) for k in range(len(series))]
        drawings.append(sheet.draw(f"{title}. {caption}", *groups, sheet.threshold(limit)))
    return frame(title, caption, _parts(ends, series, drawings, across, upwards))


def _check(edges: Sequence[float], series: Sequence[Bars]) -> None:
    if not all(a < b for a, b in pairwise(edges)):
        raise SpancrewError(f"The edges {list(edges)} of a histogram must be ascending numbers.")
    for bars in series:
        if len(bars.heights) != len(edges) - 1:
            raise SpancrewError(
                f"{bars.name!r} has {len(bars.heights)} bars for {len(edges)} edges; "
                "give one bar less than there are edges."
            )


def _group(k: int, edges: Sequence[float], series: Sequence[Bars], sheet: Sheet) -> str:
    bars = series[k]
    drawn = []
    for (low, high), height in zip(pairwise(edges), bars.heights, strict=True):
        if not math.isfinite(height):
            continue
        left, base = sheet.point(low, 0)
        right, top = sheet.point(high, height)
        width = max(0.0, right - left - _GAP) / len(series)
        start = left + _GAP / 2 + k * width
        corners = [(start, base), (start, top), (start + width, top), (start + width, base)]
        drawn.append(line(corners, "bar", "Z"))
    style = style_of(k, bars.style)
    return tag("g", *drawn, class_=f"series {style.classes}", data_series=str(k))


def _parts(
    edges: Sequence[float],
    series: Sequence[Bars],
    drawings: Sequence[str],
    x: Scale,
    y: Scale,
) -> Parts:
    bins = [x.interval(*pair) for pair in pairwise(edges)]
    return Parts(
        drawings=drawings,
        entries=[
            Entry(bars.name, style_of(k, bars.style), "bar") for k, bars in enumerate(series)
        ],
        by="x",
        stops=[_stop(k, name, edges, series, (x, y)) for k, name in enumerate(bins)],
        head=[x.axis.title, *(bars.name for bars in series)],
        rows=[
            [name, *(_value(y, bars.heights[k]) for bars in series)] for k, name in enumerate(bins)
        ],
        prefix=f"{x.axis.title}: ",
    )


def _stop(
    k: int,
    name: str,
    edges: Sequence[float],
    series: Sequence[Bars],
    scales: tuple[Scale, Scale],
) -> Stop:
    x, y = scales
    readings = (
        Reading(j, y.fraction(bars.heights[k]), (y.number(bars.heights[k]),))
        for j, bars in enumerate(series)
        if math.isfinite(bars.heights[k])
    )
    middle = (x.fraction(edges[k]) + x.fraction(edges[k + 1])) / 2
    return Stop(middle, 0.5, name, tuple(readings))


def _value(y: Scale, height: float) -> str:
    return y.number(height) if math.isfinite(height) else "-"
