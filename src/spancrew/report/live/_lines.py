"""Curves with bands."""

from collections.abc import Sequence
from dataclasses import replace

from spancrew.core import FloatArray
from spancrew.report._html import tag
from spancrew.report.live._axis import Axis, Scale, scale_for
from spancrew.report.live._curve import Curve, cleaned, even, stops_along
from spancrew.report.live._frame import Entry, Parts, Stop, Zoom, frame
from spancrew.report.live._given import Mark, Series, Threshold
from spancrew.report.live._labels import Label, along, placed
from spancrew.report.live._sheet import Sheet
from spancrew.report.live._style import Style
from spancrew.report.live._svg import NARROW, WIDE, line, pips, shape, shortened

_MOST = {WIDE.name: 130, NARROW.name: 80}
"""More points than this on a curve cannot be told apart at that size."""

_MOST_ROWS = 40
"""So many rows of data are still read by people."""

_FEW = 26
"""So few points are drawn as points, too."""


def line_figure(
    title: str,
    caption: str,
    series: Sequence[Series],
    *,
    x: Axis,
    y: Axis,
    marks: Sequence[Mark] = (),
    threshold: Threshold | None = None,
) -> str:
    """Return curves with bands; the legend shows all values at the x nearest to the pointer.

    Long series are thinned evenly to about 130 points; between its points a curve is read off as
    drawn. At rest the legend shows the last values.
    """
    curves = [cleaned(k, one, x, y) for k, one in enumerate(series)]
    known = [mark for mark in marks if x.holds(mark.x) and y.holds(mark.y)]
    limit = threshold and threshold.on(x)
    across, upwards = _scales(curves, known, limit, (x, y))
    drawings = []
    for size in (WIDE, NARROW):
        sheet = Sheet.of(size, across, upwards, threshold=limit is not None)
        content = [_drawn(k, curve, sheet) for k, curve in enumerate(curves)]
        extras = (sheet.threshold(limit), _marks(known, curves, limit, sheet))
        drawings.append(sheet.draw(f"{title}. {caption}", *content, *extras))
    stops = stops_along(curves, across, upwards, _MOST[WIDE.name])
    marked = [
        f"{mark.label} ({across.number(mark.x)}, {upwards.number(mark.y)})" for mark in known
    ]
    # Marks would have to move with the curves, and a stretched logarithm needs other ticks.
    zoom = None if marked or y.log else _zoom(curves, upwards)
    parts = _parts(curves, drawings, stops, x, marked)
    return frame(title, caption, replace(parts, zoom=zoom))


def _zoom(curves: Sequence[Curve], y: Scale) -> Zoom:
    reach = []
    for curve in curves:
        heights = [*curve.points[:, 1].tolist(), *curve.band[:, 1:].ravel().tolist()]
        places = [y.fraction(v) for v in heights]
        reach.append((min(places), max(places)) if places else None)
    asked = [v for v in (y.axis.low, y.axis.high) if v is not None and y.axis.holds(v)]
    return Zoom(y.low, y.high, y.axis.percent, reach, [y.fraction(v) for v in asked])


def _scales(
    curves: Sequence[Curve],
    marks: Sequence[Mark],
    limit: Threshold | None,
    axes: tuple[Axis, Axis],
) -> tuple[Scale, Scale]:
    xs = [float(v) for c in curves for v in (*c.points[:, 0], *c.band[:, 0])]
    ys = [float(v) for c in curves for v in (*c.points[:, 1], *c.band[:, 1:].ravel())]
    limits = [] if limit is None else [limit.at]
    return (
        scale_for(axes[0], [*xs, *limits, *(mark.x for mark in marks)]),
        scale_for(axes[1], [*ys, *(mark.y for mark in marks)], rounded=True),
    )


def _drawn(k: int, curve: Curve, sheet: Sheet) -> str:
    points, band = _thinned(curve.points, sheet), _thinned(curve.band, sheet, 2)
    middle = [sheet.point(x, y) for x, y in points]
    lows = [sheet.point(x, low) for x, low, _ in band]
    highs = [sheet.point(x, high) for x, _, high in band]
    return tag(
        "g",
        line([*highs, *reversed(lows)], "band", "Z"),
        line(middle),
        pips(middle) if len(middle) <= _FEW else "",
        class_=f"series {curve.style.classes}",
        data_series=str(k),
    )


def _thinned(rows: FloatArray, sheet: Sheet, part: int = 1) -> list[list[float]]:
    chosen: list[list[float]] = rows[even(len(rows), _MOST[sheet.size.name] // part)].tolist()
    return chosen


def _marks(
    marks: Sequence[Mark], curves: Sequence[Curve], limit: Threshold | None, sheet: Sheet
) -> str:
    if not marks:
        return ""
    places = [sheet.point(mark.x, mark.y) for mark in marks]
    lines = [[sheet.point(x, y) for x, y in _thinned(c.points, sheet)] for c in curves]
    if limit is not None:
        lines.append([sheet.point(limit.at, y) for y in (sheet.y.low, sheet.y.high)])
    hidden = [*places, *(point for points in lines for point in along(points))]
    room = sheet.plot.right - sheet.plot.left
    names = [Label(p, shortened(mark.label, room)) for p, mark in zip(places, marks, strict=True)]
    # A label that hides a bit of a curve is better than none.
    text = [drawn for _, drawn in placed(names, sheet.plot, hidden, spare=len(hidden))]
    return tag("g", *(shape(p, Style(0, 3), 5) for p in places), *text, class_="marks")


def _parts(
    curves: Sequence[Curve],
    drawings: Sequence[str],
    stops: Sequence[Stop],
    x: Axis,
    marked: Sequence[str],
) -> Parts:
    last = {r.series: r.texts for r in stops[-1].readings} if stops else {}
    entries = [
        Entry(curve.name, curve.style, "line", *last.get(k, ())) for k, curve in enumerate(curves)
    ]
    chosen = [stops[k] for k in even(len(stops), _MOST_ROWS)]
    return Parts(
        drawings=drawings,
        entries=entries,
        by="x",
        stops=stops,
        head=[x.title, *(curve.name for curve in curves)],
        rows=[_row(stop, len(curves)) for stop in chosen],
        prefix=f"{x.title}: ",
        rest=stops[-1].title if stops else "",
        note=_note(len(chosen), curves, marked),
    )


def _note(chosen: int, curves: Sequence[Curve], marked: Sequence[str]) -> str:
    longest = max((len(curve.points) for curve in curves), default=0)
    few = [f"{chosen:,} of {longest:,} points, evenly chosen."] if longest > chosen else []
    return " ".join([*few, *([f"Marked: {'; '.join(marked)}."] if marked else [])])


def _row(stop: Stop, curves: int) -> list[str]:
    cells = {r.series: r.texts for r in stop.readings}
    return [stop.title, *(_cell(cells.get(k, ())) for k in range(curves))]


def _cell(texts: tuple[str, ...]) -> str:
    if not texts:
        return "-"
    return texts[0] if len(texts) == 1 else f"{texts[0]} ({texts[1]})"
