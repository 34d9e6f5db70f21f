"""Points with error bars, for example a frontier of quality against cost."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spancrew.report._html import tag
from spancrew.report.live._axis import Axis, Scale, scale_for
from spancrew.report.live._frame import Entry, Parts, Reading, Stop, frame
from spancrew.report.live._given import Dot, Dots, Mark, Range
from spancrew.report.live._labels import Label, along, placed
from spancrew.report.live._sheet import Sheet
from spancrew.report.live._style import Style, style_of
from spancrew.report.live._svg import NARROW, WIDE, Point, line, segment, shape


def scatter_figure(
    title: str,
    caption: str,
    series: Sequence[Dots],
    *,
    x: Axis,
    y: Axis,
    marks: Sequence[Mark] = (),
) -> str:
    """Return points with their intervals; a card shows the point nearest to the pointer.

    Labels are drawn where there is room for them; the card and the data have them all.
    """
    known = [_cleaned(k, one, x, y) for k, one in enumerate(series)]
    points = [mark for mark in marks if x.holds(mark.x) and y.holds(mark.y)]
    dots = [dot for one in known for dot in one.dots]
    across = scale_for(x, [*_reach(dots, "x"), *(mark.x for mark in points)], rounded=True)
    upwards = scale_for(y, [*_reach(dots, "y"), *(mark.y for mark in points)], rounded=True)
    drawings = [
        _drawn(Sheet.of(size, across, upwards), f"{title}. {caption}", known, points)
        for size in (WIDE, NARROW)
    ]
    return frame(title, caption, _parts(known, points, drawings, (across, upwards)))


def _cleaned(k: int, given: Dots, x: Axis, y: Axis) -> Dots:
    dots = [
        replace(dot, x_range=_known(dot.x_range, x), y_range=_known(dot.y_range, y))
        for dot in given.dots
        if x.holds(dot.x) and y.holds(dot.y)
    ]
    return replace(given, dots=dots, style=style_of(k, given.style))


def _known(given: Range | None, axis: Axis) -> Range | None:
    if given is None or not all(axis.holds(v) for v in given):
        return None
    return min(given), max(given)


def _reach(dots: Iterable[Dot], axis: str) -> list[float]:
    """Return all values on one axis, the ends of intervals included."""
    if axis == "x":
        return [v for dot in dots for v in (dot.x, *(dot.x_range or ()))]
    return [v for dot in dots for v in (dot.y, *(dot.y_range or ()))]


def _drawn(sheet: Sheet, label: str, series: Sequence[Dots], marks: Sequence[Mark]) -> str:
    groups = [_group(k, one, sheet) for k, one in enumerate(series)]
    places = [sheet.point(mark.x, mark.y) for mark in marks]
    names = [Label(p, mark.label) for p, mark in zip(places, marks, strict=True)]
    names += [
        Label(sheet.point(dot.x, dot.y), dot.label, k)
        for k, one in enumerate(series)
        for dot in one.dots
        if dot.label
    ]
    taken = [*places, *(p for one in series for p in _obstacles(one, sheet))]
    texts = [_with_series(*pair, series) for pair in placed(names, sheet.plot, taken)]
    drawn = [shape(place, Style(0, 3), 5) for place in places]
    return sheet.draw(label, *groups, tag("g", *drawn, class_="marks"), *texts)


def _with_series(label: Label, drawn: str, series: Sequence[Dots]) -> str:
    """Return the text in the colour of its series, to be hidden with it."""
    k = label.series
    if k is None:
        return drawn
    style = style_of(k, series[k].style)
    return tag("g", drawn, class_=f"series {style.classes}", data_series=str(k))


def _obstacles(series: Dots, sheet: Sheet) -> list[Point]:
    """Return the points and lines that a label should not hide."""
    points = [sheet.point(dot.x, dot.y) for dot in series.dots]
    bars = [bar for dot in series.dots for bar in _error_bars(dot, sheet)]
    lines = [points, *bars] if series.joined else bars
    return points + [point for one in lines for point in along(one)]


def _group(k: int, series: Dots, sheet: Sheet) -> str:
    style = style_of(k, series.style)
    points = [sheet.point(dot.x, dot.y) for dot in series.dots]
    bars = [segment(*bar, "error") for dot in series.dots for bar in _error_bars(dot, sheet)]
    return tag(
        "g",
        *bars,
        line(points) if series.joined else "",
        *(shape(point, style) for point in points),
        class_=f"series {style.classes}",
        data_series=str(k),
    )


def _error_bars(dot: Dot, sheet: Sheet) -> Iterable[tuple[Point, Point]]:
    if dot.x_range:
        low, high = dot.x_range
        yield sheet.point(low, dot.y), sheet.point(high, dot.y)
    if dot.y_range:
        low, high = dot.y_range
        yield sheet.point(dot.x, low), sheet.point(dot.x, high)


def _parts(
    series: Sequence[Dots],
    marks: Sequence[Mark],
    drawings: Sequence[str],
    scales: tuple[Scale, Scale],
) -> Parts:
    x, y = scales
    rows = [
        [one.name, dot.label or "-", *_values(dot, x, y)] for one in series for dot in one.dots
    ]
    rows += [["-", mark.label, x.number(mark.x), y.number(mark.y)] for mark in marks]
    return Parts(
        drawings=drawings,
        entries=[
            Entry(one.name, style_of(k, one.style), "joined" if one.joined else "dot")
            for k, one in enumerate(series)
        ],
        by="xy",
        stops=[_stop(k, one.name, dot, x, y) for k, one in enumerate(series) for dot in one.dots],
        head=["series", "point", x.axis.title, y.axis.title],
        rows=rows,
        words=2,
    )


def _stop(k: int, name: str, dot: Dot, x: Scale, y: Scale) -> Stop:
    across, upwards = _values(dot, x, y)
    texts = (f"{x.axis.title}: {across}", f"{y.axis.title}: {upwards}")
    title = f"{name}, {dot.label}" if dot.label and dot.label != name else name
    height = y.fraction(dot.y)
    return Stop(x.fraction(dot.x), height, title, (Reading(k, height, texts),))


def _values(dot: Dot, x: Scale, y: Scale) -> tuple[str, str]:
    return _value(x, dot.x, dot.x_range), _value(y, dot.y, dot.y_range)


def _value(scale: Scale, value: float, around: Range | None) -> str:
    number = scale.number(value)
    return number if around is None else f"{number} ({scale.interval(*around)})"
