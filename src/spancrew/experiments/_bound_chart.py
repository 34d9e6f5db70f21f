"""Charts of Appendix B: the chance that the majority is right, and the bound on it."""

from collections.abc import Sequence
from typing import Any

from spancrew.experiments._bound import BoundPoint

Spec = dict[str, Any]

_INK, _SHADE = "#77797d", "#77797d22"
_KINDS = {"domain": ["exact", "the paper's bound"], "range": [[1, 0], [5, 4]]}
_LOW_RIGHT = {"align": "right", "baseline": "bottom", "dx": -4, "dy": -3}
_HIGH_LEFT = {"align": "left", "baseline": "top", "dx": 4, "dy": 4}
_COLOURS = ["#c4703b", "#8a63c9", "#3b78c4", "#2a9d8f"]


def bound_chart(
    points: Sequence[BoundPoint], chances: Sequence[float] = (0.6, 0.7, 0.8, 0.9)
) -> Spec:
    """Return a chart against the number of workers; below 1/2 the bound says nothing useful.

    Lines: exact and bound for a few chances; dots: simulated. The exact line goes up and down
    because a tie, which only an even number of workers can have, counts as right.
    """
    wanted = {round(chance, 6) for chance in chances}
    shown = [point for point in points if round(point.chance, 6) in wanted]
    lines, dots = _values(shown, "chance", "p = {:.3g}")
    x = {"field": "workers", "type": "quantitative", "title": "workers (N)"}
    shade = {"values": [{"low": 0, "high": 0.5, "says": "below 1/2 a bound is vacuous"}]}
    band = {
        "data": shade,
        "mark": {"type": "rect", "color": _SHADE},
        "encoding": {"y": _upright("low"), "y2": {"field": "high"}},
    }
    last = max((point.workers for point in shown), default=1)
    words = _words(shade, {"x": {"datum": last}, "y": {"datum": 0}}, _LOW_RIGHT)
    return _chart(lines, dots, x, [band, words])


def chance_chart(points: Sequence[BoundPoint], sizes: Sequence[int] = (4, 10)) -> Spec:
    """Return a chart against the workers' chance; below 1/2 the bound does not hold."""
    shown = [point for point in points if point.workers in set(sizes)]
    lines, dots = _values(shown, "workers", "N = {}")
    x = {"field": "chance", "type": "quantitative", "title": "chance of a worker (p)"}
    shade = {"values": [{"low": 0, "high": 0.5, "says": "below p = 1/2 it does not hold"}]}
    band = {
        "data": shade,
        "mark": {"type": "rect", "color": _SHADE},
        "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
    }
    words = _words(shade, {"x": {"datum": 0}, "y": {"datum": 1}}, _HIGH_LEFT)
    return _chart(lines, dots, x, [band, words])


def _values(points: Sequence[BoundPoint], series: str, name: str) -> tuple[list[Spec], list[Spec]]:
    lines, dots = [], []
    for point in points:
        place = {
            "workers": point.workers,
            "chance": point.chance,
            "series": name.format(getattr(point, series)),
        }
        lines.append(place | {"kind": "exact", "value": point.exact})
        lines.append(place | {"kind": "the paper's bound", "value": point.bound})
        dots.append(place | {"value": point.simulated})
    return lines, dots


def _chart(lines: list[Spec], dots: list[Spec], x: Spec, behind: list[Spec]) -> Spec:
    names = list(dict.fromkeys(value["series"] for value in lines))
    colour = {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": names, "range": _COLOURS},
        "legend": {"orient": "top", "title": None},
    }
    dash = {
        "field": "kind",
        "type": "nominal",
        "scale": _KINDS,
        "legend": {"orient": "bottom", "title": None},
    }
    place = {"x": x, "y": _upright("value"), "color": colour}
    line = {
        "data": {"values": lines},
        "mark": {"type": "line", "strokeWidth": 1.5},
        "encoding": place | {"strokeDash": dash},
    }
    dot = {
        "data": {"values": dots},
        "mark": {"type": "point", "filled": True, "size": 16},
        "encoding": place,
    }
    return {"layer": [*behind, line, dot], "height": 260}


def _upright(field: str) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "title": "P(majority right)",
        "scale": {"domain": [0, 1]},
    }


def _words(data: Spec, place: Spec, mark: Spec) -> Spec:
    return {
        "data": data,
        "mark": {"type": "text", "color": _INK} | mark,
        "encoding": place | {"text": {"field": "says"}},
    }
