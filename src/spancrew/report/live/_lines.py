"""Curves with bands, and what can be read off them."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spancrew.core import FloatArray
from spancrew.report.live._axis import Axis, Scale, bounded, scale_for
from spancrew.report.live._canvas import Canvas
from spancrew.report.live._frame import LegendEntry, Parts, Readout, Stop, Zoom, frame
from spancrew.report.live._given import Mark, Series, ThresholdLine
from spancrew.report.live._svg import (
    NARROW,
    WIDE,
    Point,
    line,
    pips,
    series_group,
    style_of,
)

_MOST = {WIDE.name: 130, NARROW.name: 80}
"""More points than this on a curve cannot be told apart at that size."""

_MOST_ROWS = 40
"""The table of a figure has at most this many rows."""

_FEW = 26
"""Up to this many points of a curve are drawn as points, too."""


def line_figure(
    title: str,
    caption: str,
    series: Sequence[Series],
    *,
    x: Axis,
    y: Axis,
    marks: Sequence[Mark] = (),
    threshold: ThresholdLine | None = None,
) -> str:
    """Return curves with bands; the legend shows all values at the x nearest to the pointer.

    Long series are thinned evenly to about 130 points; between its points a curve is read off as
    drawn. At rest the legend shows the last values.
    """
    curves = [_cleaned(one) for one in series]
    known = [mark for mark in marks if math.isfinite(mark.x) and math.isfinite(mark.y)]
    limit = threshold if threshold and math.isfinite(threshold.at) else None
    limits = [] if limit is None else [limit.at]
    rows = [row for curve in curves for row in (*curve.points, *curve.band)]
    across = scale_for(x, [*(row[0] for row in rows), *limits, *(mark.x for mark in known)])
    heights = [v for row in rows for v in row[1:]]
    upwards = scale_for(y, [*heights, *(mark.y for mark in known)], rounded=True)
    # Points on a line would look like those of a series that has points only.
    few = _FEW if all(curve.joined for curve in curves) else 0
    drawings = []
    for size in (WIDE, NARROW):
        canvas = Canvas.of(size, across, upwards, threshold=limit is not None)
        content = [_drawn(k, curve, canvas, few) for k, curve in enumerate(curves)]
        lines = [*(_points(curve.points, canvas) for curve in curves if curve.joined)]
        lines += [[canvas.point(v, end) for end in (upwards.low, upwards.high)] for v in limits]
        extras = (canvas.threshold(limit), canvas.marks(known, lines))
        drawings.append(canvas.draw(f"{title}. {caption}", *content, *extras))
    return frame(title, caption, _parts(curves, drawings, known, (across, upwards)))


def _cleaned(given: Series) -> Series:
    """Return the series without what is not finite, from left to right."""
    points = [tuple(map(bounded, row)) for row in given.points if all(map(math.isfinite, row))]
    band = [tuple(map(bounded, row)) for row in given.band if all(map(math.isfinite, row))]
    return replace(
        given,
        points=sorted(((x, y) for x, y in points), key=lambda row: row[0]),
        band=sorted(((x, min(ys), max(ys)) for x, *ys in band), key=lambda row: row[0]),
    )


def even(count: int, most: int) -> list[int]:
    """Return at most ``most`` positions out of ``count``, evenly spread from end to end.

    >>> even(3, 5), even(10, 4)
    ([0, 1, 2], [0, 3, 6, 9])
    """
    if count <= most:
        return list(range(count))
    return [round(k * (count - 1) / (most - 1)) for k in range(most)]


def _drawn(k: int, curve: Series, canvas: Canvas, few: int) -> str:
    middle = _points(curve.points, canvas)
    lows = _points([(x, low) for x, low, _ in curve.band], canvas, 2)
    highs = _points([(x, high) for x, _, high in curve.band], canvas, 2)
    return series_group(
        k,
        style_of(k, curve.style),
        line([*highs, *reversed(lows)], "band", "Z"),
        line(middle) if curve.joined else "",
        pips(middle) if len(middle) <= few or not curve.joined else "",
    )


def _points(rows: Sequence[tuple[float, float]], canvas: Canvas, part: int = 1) -> list[Point]:
    """Return where the rows are drawn, thinned to what can be told apart."""
    return [canvas.point(*rows[k]) for k in even(len(rows), _MOST[canvas.size.name] // part)]


def _parts(
    curves: Sequence[Series],
    drawings: Sequence[str],
    marks: Sequence[Mark],
    scales: tuple[Scale, Scale],
) -> Parts:
    x, y = scales
    stops = _stops(curves, x, y)
    last = {r.series: r.texts for r in stops[-1].readouts} if stops else {}
    chosen = [stops[k] for k in even(len(stops), _MOST_ROWS)]
    longest = max((len(curve.points) for curve in curves), default=0)
    notes = [f"{len(chosen):,} of {longest:,} points, evenly chosen."]
    marked = "; ".join(f"{m.label} ({x.number(m.x)}, {y.number(m.y)})" for m in marks)
    return Parts(
        drawings=drawings,
        entries=[
            LegendEntry(
                curve.name,
                style_of(k, curve.style),
                "line" if curve.joined else "pip",
                *last.get(k, ()),
            )
            for k, curve in enumerate(curves)
        ],
        by="x",
        stops=stops,
        head=[x.axis.title, *(curve.name for curve in curves)],
        rows=[_row(stop, len(curves)) for stop in chosen],
        prefix=f"{x.axis.title}: ",
        rest=stops[-1].title if stops else "",
        note=" ".join(
            [*(notes if longest > len(chosen) else []), *([f"Marked: {marked}."] if marks else [])]
        ),
        # Marks would have to move with the curves.
        zoom=None if marks else _zoom(curves, y),
    )


def _row(stop: Stop, curves: int) -> list[str]:
    cells = {r.series: r.texts for r in stop.readouts}
    filled = [cells.get(k, ("-",)) for k in range(curves)]
    return [stop.title, *(" ".join([v, *(f"({each})" for each in more)]) for v, *more in filled)]


def _zoom(curves: Sequence[Series], y: Scale) -> Zoom:
    reach = []
    for curve in curves:
        places = [y.fraction(v) for row in (*curve.points, *curve.band) for v in row[1:]]
        reach.append((min(places), max(places)) if places else None)
    asked = [y.fraction(v) for v in (y.axis.low, y.axis.high) if v is not None]
    return Zoom(y.low, y.high, y.axis.percent, reach, asked)


def _stops(curves: Sequence[Series], x: Scale, y: Scale) -> list[Stop]:
    """Return the places where a curve has a point, with what every curve says there."""
    most = _MOST[WIDE.name]
    places = {
        _place(x, curve.points[k][0]): curve.points[k][0]
        for curve in curves
        for k in even(len(curve.points), most)
    }
    chosen = sorted(places)
    chosen = [chosen[k] for k in even(len(chosen), most)]
    readouts = [_readouts(k, curve, chosen, x, y) for k, curve in enumerate(curves)]
    return [
        Stop(place, 0.5, x.number(places[place]), tuple(r for r in here if r is not None))
        for place, *here in zip(chosen, *readouts, strict=True)
    ]


def _place(x: Scale, value: float) -> float:
    # Rounded, so that points which fall together on paper are read off together.
    return round(x.fraction(value), 5)


def _readouts(
    k: int, curve: Series, places: list[float], x: Scale, y: Scale
) -> list[Readout | None]:
    values = _read_off(curve.points, 1, places, x)
    lows, highs = (_read_off(curve.band, column, places, x) for column in (1, 2))
    return [
        None
        if math.isnan(value)
        else Readout(
            k,
            y.fraction(value),
            (y.number(value), *(() if math.isnan(low) else (y.interval(low, high),))),
        )
        for value, low, high in zip(values, lows, highs, strict=True)
    ]


def _read_off(
    rows: Sequence[tuple[float, ...]], column: int, places: list[float], x: Scale
) -> list[float]:
    """Return the height of a line at places, NaN beyond its ends."""
    if not rows:
        return [math.nan] * len(places)
    own, first = np.unique([_place(x, row[0]) for row in rows], return_index=True)
    ys: FloatArray = np.array([row[column] for row in rows])[first]
    heights: list[float] = np.interp(places, own, ys, left=np.nan, right=np.nan).tolist()
    return heights
