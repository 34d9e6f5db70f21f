"""Points with error bars, for example quality against cost."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spancrew.report.live._axis import Axis, Scale, scale_for
from spancrew.report.live._canvas import Canvas, Label, along, placed
from spancrew.report.live._frame import LegendEntry, Parts, Readout, Stop, frame
from spancrew.report.live._given import Dot, Dots, Range
from spancrew.report.live._svg import (
    NARROW,
    WIDE,
    Point,
    line,
    series_group,
    shape,
    style_of,
)


def scatter_figure(
    title: str,
    caption: str,
    series: Sequence[Dots],
    *,
    x: Axis,
    y: Axis,
    labels: bool = True,
) -> str:
    """Return points with their intervals; a card shows the point nearest to the pointer.

    Labels are drawn where there is room for them; the card and the data have them all.
    """
    known = [_cleaned(one) for one in series]
    dots = [dot for one in known for dot in one.dots]
    xs = [v for dot in dots for v in (dot.x, *(dot.x_range or ()))]
    ys = [v for dot in dots for v in (dot.y, *(dot.y_range or ()))]
    scales = scale_for(x, xs, rounded=True), scale_for(y, ys, rounded=True)
    drawings = []
    for size in (WIDE, NARROW):
        canvas = Canvas.of(size, *scales)
        groups = [_group(k, one, canvas) for k, one in enumerate(known)]
        texts = _labels(known, canvas) if labels else ()
        drawings.append(canvas.draw(f"{title}. {caption}", *groups, *texts))
    return frame(title, caption, _parts(known, drawings, *scales))


def _cleaned(given: Dots) -> Dots:
    dots = [
        replace(dot, x_range=_ordered(dot.x_range), y_range=_ordered(dot.y_range))
        for dot in given.dots
        if math.isfinite(dot.x) and math.isfinite(dot.y)
    ]
    return replace(given, dots=dots)


def _ordered(given: Range | None) -> Range | None:
    if given is None or not all(map(math.isfinite, given)):
        return None
    return min(given), max(given)


def _labels(series: Sequence[Dots], canvas: Canvas) -> Iterator[str]:
    """Yield the labels that fit, each in the colour of its series and hidden with it."""
    wanted = [
        Label(canvas.point(dot.x, dot.y), dot.label, k)
        for k, one in enumerate(series)
        for dot in one.dots
        if dot.label and not one.joined
    ]
    obstacles = []
    for one in series:
        points = [canvas.point(dot.x, dot.y) for dot in one.dots]
        lines = [bar for dot in one.dots for bar in _error_bars(dot, canvas)]
        lines += [points] if one.joined else []
        obstacles += points + [point for each in lines for point in along(each)]
    for label, drawn in placed(wanted, canvas.plot, obstacles):
        yield series_group(label.series, style_of(label.series, series[label.series].style), drawn)


def _group(k: int, series: Dots, canvas: Canvas) -> str:
    style = style_of(k, series.style)
    points = [canvas.point(dot.x, dot.y) for dot in series.dots]
    bars = [line(bar, "error") for dot in series.dots for bar in _error_bars(dot, canvas)]
    joined = line(points) if series.joined else ""
    return series_group(k, style, *bars, joined, *(shape(point, style) for point in points))


def _error_bars(dot: Dot, canvas: Canvas) -> Iterator[list[Point]]:
    if dot.x_range:
        yield [canvas.point(end, dot.y) for end in dot.x_range]
    if dot.y_range:
        yield [canvas.point(dot.x, end) for end in dot.y_range]


def _parts(series: Sequence[Dots], drawings: Sequence[str], x: Scale, y: Scale) -> Parts:
    found = [(k, one.name, dot) for k, one in enumerate(series) for dot in one.dots]
    return Parts(
        drawings=drawings,
        entries=[
            LegendEntry(one.name, style_of(k, one.style), "joined" if one.joined else "dot")
            for k, one in enumerate(series)
        ],
        by="xy",
        stops=[_stop(k, name, dot, x, y) for k, name, dot in found],
        head=["series", "point", x.axis.title, y.axis.title],
        rows=[[name, dot.label or "-", *_values(dot, x, y)] for _, name, dot in found],
        words=2,
    )


def _stop(k: int, name: str, dot: Dot, x: Scale, y: Scale) -> Stop:
    across, upwards = _values(dot, x, y)
    texts = (f"{x.axis.title}: {across}", f"{y.axis.title}: {upwards}")
    title = f"{name}, {dot.label}" if dot.label and dot.label != name else name
    height = y.fraction(dot.y)
    return Stop(x.fraction(dot.x), height, title, (Readout(k, height, texts),))


def _values(dot: Dot, x: Scale, y: Scale) -> tuple[str, str]:
    return _value(x, dot.x, dot.x_range), _value(y, dot.y, dot.y_range)


def _value(scale: Scale, value: float, around: Range | None) -> str:
    number = scale.number(value)
    return number if around is None else f"{number} ({scale.interval(*around)})"
