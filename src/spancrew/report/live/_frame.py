"""The frame around every figure: caption, drawings, legend, what the script reads, the data."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from spancrew.report._html import table, tag, text
from spancrew.report.live._svg import Style, line, pips, segment, shape

Kind = Literal["line", "joined", "dot", "pip", "bar", "interval", "truth"]


class LegendEntry(NamedTuple):
    """A series in the legend; ``value`` and ``around`` are what it shows at rest."""

    name: str
    style: Style
    kind: Kind
    value: str = ""
    around: str = ""


class Readout(NamedTuple):
    """What one series says at a stop: where along the other axis, and the texts."""

    series: int
    place: float
    texts: tuple[str, ...]


class Stop(NamedTuple):
    """A place where values can be read off, in fractions of the plot from its lower left."""

    x: float
    y: float
    title: str
    readouts: tuple[Readout, ...]


class Zoom(NamedTuple):
    """What the script needs to stretch the curves that are left when some are hidden.

    ``low`` and ``high`` are the values at the ends; the reach of every series, and what must stay
    in sight, are fractions between them.
    """

    low: float
    high: float
    percent: bool
    reach: Sequence[tuple[float, float] | None]
    always: Sequence[float]


@dataclass(frozen=True, slots=True)
class Parts:
    """All that a kind of figure must provide.

    ``by`` says which stop answers the pointer: the nearest across, upwards, or both. ``prefix``
    goes before the title of each; ``rest`` is the title while nothing is pointed at.
    """

    drawings: Sequence[str]
    entries: Sequence[LegendEntry]
    by: Literal["x", "y", "xy"]
    stops: Sequence[Stop]
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    prefix: str = ""
    rest: str = ""
    note: str = ""
    words: int = 1
    zoom: Zoom | None = None


def frame(title: str, caption: str, parts: Parts) -> str:
    """Return the whole figure."""
    card = tag("div", class_="card", aria_hidden="true", hidden="")
    summary = tag("summary", text("Data"))
    left_out = tag("p", text(parts.note), class_="note") if parts.note else ""
    return tag(
        "figure",
        tag("figcaption", tag("b", text(title)), text(f" {caption}")),
        tag(
            "div",
            tag("div", *parts.drawings, card, class_="stage"),
            _legend(parts),
            class_="sides long" if _longest_name(parts) > 22 and parts.rest else "sides",
        ),
        _for_script(parts),
        tag("details", summary, left_out, table(parts.head, parts.rows, words=parts.words)),
        class_="chart live",
    )


def _legend(parts: Parts) -> str:
    entries = (_entry(k, entry) for k, entry in enumerate(parts.entries))
    if parts.by != "x":
        column = min(17.0, 3 + 0.5 * _longest_name(parts))
        return tag("div", tag("ul", *entries, style=f"--column:{column:g}rem"), class_="legend")
    rest = f"{parts.prefix}{parts.rest}" if parts.rest else "\N{NO-BREAK SPACE}"
    at = tag("p", text(rest), class_="at")
    return tag("div", at, tag("ul", *entries, style=_widths(parts)), class_="legend")


def _longest_name(parts: Parts) -> int:
    return max((len(entry.name) for entry in parts.entries), default=0)


def _widths(parts: Parts) -> str:
    """Reserve room for the longest values, so that nothing moves while they change."""
    shown = [reading.texts for stop in parts.stops for reading in stop.readouts]
    value = max((_digits(texts[0]) for texts in shown), default=0)
    around = max((_digits(texts[1]) for texts in shown if len(texts) > 1), default=0)
    return f"--value:{value:.1f}ch;--around:{around:.1f}ch"


def _digits(number: str) -> float:
    """Return how many digits wide a number is; points and commas are narrow, "%" is wide."""
    return len(number) - 0.5 * sum(map(number.count, ",.")) + 0.5 * number.count("%")


def _entry(k: int, entry: LegendEntry) -> str:
    name = tag("span", text(entry.name), class_="name")
    button = tag("button", _swatch(entry), name, type="button", aria_pressed="true")
    value = tag("span", text(entry.value), class_="value")
    around = tag("span", text(entry.around), class_="around")
    return tag("li", button, value, around, data_series=str(k))


def _swatch(entry: LegendEntry) -> str:
    middle = (14.0, 6.0)
    stroke = segment((1, 6), (27, 6), "line")
    bar = line([(4, 0), (24, 0), (24, 12), (4, 12)], "bar", "Z")
    drawn = {
        "line": stroke,
        "joined": stroke + shape(middle, entry.style, 4),
        "dot": shape(middle, entry.style),
        "pip": pips([middle]),
        "bar": bar,
        "interval": segment((3, 6), (25, 6), "span") + shape(middle, Style(0), 4),
        "truth": segment((14, 0), (14, 12), "truth"),
    }[entry.kind]
    box = {"viewBox": "0 0 28 12", "aria_hidden": "true"}
    return tag("svg", drawn, class_=f"swatch {entry.style.classes}", **box)


def _for_script(parts: Parts) -> str:
    stops = [
        [
            round(stop.x, 4),
            round(stop.y, 4),
            stop.title,
            [[r.series, round(r.place, 4), *r.texts] for r in stop.readouts],
        ]
        for stop in parts.stops
    ]
    zoom = None if parts.zoom is None else parts.zoom._asdict()
    record = json.dumps(
        {"by": parts.by, "prefix": parts.prefix, "stops": stops, "zoom": zoom},
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    # A "<" would end the element early if a name held "</script>".
    return tag("script", record.replace("<", "\\u003c"), type="application/json")
