"""A series made fit for drawing, and what can be read off it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from spancrew.core import FloatArray
from spancrew.report.live._axis import Axis, Scale, bounded
from spancrew.report.live._frame import Reading, Stop
from spancrew.report.live._given import Series
from spancrew.report.live._style import Style, style_of


@dataclass(frozen=True, slots=True)
class Curve:
    """Rows of (x, y) and of (x, low, high), all finite, x ascending."""

    name: str
    style: Style
    points: FloatArray
    band: FloatArray


def cleaned(k: int, series: Series, x: Axis, y: Axis) -> Curve:
    """Return the k-th series without what has no place on the axes."""
    points = _rows(series.points, 2, x, y)
    band = _rows(series.band, 3, x, y)
    band[:, 1:].sort(axis=1)
    return Curve(series.name, style_of(k, series.style), points, band)


def _rows(given: Iterable[Sequence[float]], width: int, x: Axis, y: Axis) -> FloatArray:
    kept = [
        [bounded(float(v)) for v in row]
        for row in given
        if x.holds(float(row[0])) and all(y.holds(float(v)) for v in row[1:])
    ]
    rows = np.array(kept, np.float64).reshape(-1, width)
    return rows[np.argsort(rows[:, 0], kind="stable")]


def even(count: int, most: int) -> list[int]:
    """Return at most ``most`` positions out of ``count``, evenly spread from end to end.

    >>> even(3, 5), even(10, 4)
    ([0, 1, 2], [0, 3, 6, 9])
    """
    if count <= most:
        return list(range(count))
    return [round(k * (count - 1) / (most - 1)) for k in range(most)]


def stops_along(curves: Sequence[Curve], x: Scale, y: Scale, most: int) -> list[Stop]:
    """Return the places where a curve has a point, with what every curve says there."""
    places = {
        _place(x, v): v
        for curve in curves
        for v in curve.points[even(len(curve.points), most), 0].tolist()
    }
    chosen = sorted(places)
    chosen = [chosen[k] for k in even(len(chosen), most)]
    readings = [_readings(k, curve, chosen, x, y) for k, curve in enumerate(curves)]
    return [
        Stop(place, 0.5, x.number(places[place]), tuple(r for r in here if r is not None))
        for place, *here in zip(chosen, *readings, strict=True)
    ]


def _place(x: Scale, value: float) -> float:
    # Rounded, so that points which fall together on paper are read off together.
    return round(x.fraction(value), 5)


def _readings(
    k: int, curve: Curve, places: list[float], x: Scale, y: Scale
) -> list[Reading | None]:
    values = _read_off(curve.points[:, 0], curve.points[:, 1], places, x)
    lows = _read_off(curve.band[:, 0], curve.band[:, 1], places, x)
    highs = _read_off(curve.band[:, 0], curve.band[:, 2], places, x)
    return [
        None if np.isnan(value) else Reading(k, y.fraction(value), _texts(y, value, low, high))
        for value, low, high in zip(values, lows, highs, strict=True)
    ]


def _texts(y: Scale, value: float, low: float, high: float) -> tuple[str, ...]:
    around = () if np.isnan(low) else (y.interval(low, high),)
    return (y.number(value), *around)


def _read_off(xs: FloatArray, ys: FloatArray, places: list[float], x: Scale) -> list[float]:
    """Return the height of a line at places, NaN beyond its ends."""
    own = np.array([_place(x, v) for v in xs.tolist()])
    own, first = np.unique(own, return_index=True)
    if len(own) == 0:
        return [np.nan] * len(places)
    heights: list[float] = np.interp(places, own, ys[first], left=np.nan, right=np.nan).tolist()
    return heights
