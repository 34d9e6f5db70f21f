"""One row per name: an estimate with its interval, and the truth beside it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spancrew.report._html import tag
from spancrew.report.live._axis import Axis, Scale, scale_for
from spancrew.report.live._frame import Entry, Parts, Reading, Stop, frame
from spancrew.report.live._given import Interval
from spancrew.report.live._sheet import clamped, ticks_across
from spancrew.report.live._style import Style
from spancrew.report.live._svg import (
    FONT,
    NARROW,
    WIDE,
    Size,
    at,
    drawing,
    segment,
    shape,
    shortened,
    text_width,
    words,
)

_ROW = 22
_ESTIMATE, _TRUTH = Style(0), Style(1)
_HEAD = 46


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A drawing of one width: names to the left, the plot to the right."""

    width: int
    left: float
    right: float
    x: Scale

    def across(self, value: float) -> float:
        """Return where a value is drawn."""
        return self.left + self.x.fraction(value) * (self.right - self.left)

    def axis(self) -> list[str]:
        """Return the title and the ticks."""
        parts = [words((self.left, FONT), shortened(self.x.axis.title, self.width - self.left))]
        for x, label in ticks_across(self.x, self.left, self.right):
            middle = clamped(x, text_width(label), self.width)
            parts.append(words((middle, _HEAD - 10), label, "middle"))
            parts.append(segment((x, _HEAD - 5), (x, _HEAD), "tick"))
        return parts

    def body(self, rows: Sequence[Interval]) -> list[str]:
        """Return the names, and a group for the estimates and one for the truths."""
        places = [_ROW * (k + 0.5) for k in range(len(rows))]
        grid = [
            segment((x, 0), (x, _ROW * len(rows)), "grid")
            for x, _ in ticks_across(self.x, self.left, self.right)
        ]
        names = [
            words((0, y + FONT * 0.35), shortened(row.name, self.left - 10), class_="name")
            for row, y in zip(rows, places, strict=True)
        ]
        pairs = list(zip(rows, places, strict=True))
        estimates = [part for row, y in pairs for part in self._estimate(row, y)]
        truths = [self._truth(row.truth, y) for row, y in pairs if row.truth is not None]
        return [
            *grid,
            *names,
            _group(0, _ESTIMATE, estimates),
            _group(1, _TRUTH, truths),
        ]

    def _estimate(self, row: Interval, y: float) -> tuple[str, str]:
        low, high = self.across(row.low), self.across(row.high)
        return segment((low, y), (high, y), "span"), shape(
            (self.across(row.value), y), _ESTIMATE, 4
        )

    def _truth(self, value: float, y: float) -> str:
        x = self.across(value)
        return segment((x, y - 7), (x, y + 7), "truth")


def _group(k: int, style: Style, content: Sequence[str]) -> str:
    return tag("g", *content, class_=f"series {style.classes}", data_series=str(k))


def interval_figure(
    title: str,
    caption: str,
    rows: Sequence[Interval],
    *,
    x: Axis,
    value_name: str = "estimate and interval",
    truth_name: str = "true value",
) -> str:
    """Return the rows, the largest estimate first; many rows scroll under their axis.

    A row whose estimate is not finite is left out.
    """
    known = sorted((_cleaned(r, x) for r in rows if x.holds(r.value)), key=lambda r: -r.value)
    scale = scale_for(x, (v for row in known for v in _values(row)))
    label = f"{title}. {caption}"
    drawings = [part for size in (WIDE, NARROW) for part in _drawn(size, known, scale, label)]
    entries = [Entry(value_name, _ESTIMATE, "interval")]
    if any(row.truth is not None for row in known):
        entries.append(Entry(truth_name, _TRUTH, "truth"))
    return frame(
        title,
        caption,
        Parts(
            drawings=[tag("div", *drawings, class_="rows")],
            entries=entries,
            by="y",
            stops=[_stop(k, row, known, scale, entries) for k, row in enumerate(known)],
            head=["name", *(entry.name for entry in entries)],
            rows=[[row.name, *_texts(row, scale)[: len(entries)]] for row in known],
        ),
    )


def _cleaned(row: Interval, x: Axis) -> Interval:
    """Return the row with the interval in order, and nothing that has no place on the axis."""
    ends = (row.low, row.high) if x.holds(row.low) and x.holds(row.high) else (row.value,) * 2
    truth = row.truth if row.truth is not None and x.holds(row.truth) else None
    return Interval(row.name, row.value, min(ends), max(ends), truth)


def _values(row: Interval) -> Iterable[float]:
    return (row.value, row.low, row.high, *(() if row.truth is None else (row.truth,)))


def _drawn(size: Size, rows: Sequence[Interval], x: Scale, label: str) -> tuple[str, str]:
    """Return the axis and the rows under it."""
    left = 14 + min(_usual_width(rows), size.width * 0.34)
    sheet = _Sheet(size.width, left, size.width - 12, x)
    head, body = (
        Size(f"{size.name} head", size.width, _HEAD),
        size._replace(height=_ROW * len(rows)),
    )
    plot = " ".join(at(v) for v in (left, 0, sheet.right - left, body.height))
    return (
        drawing(head, x.axis.title, *sheet.axis()),
        drawing(body, label, *sheet.body(rows), tag("g", class_="guide"), data_plot=plot),
    )


def _usual_width(rows: Sequence[Interval]) -> float:
    """Return a width that nine names of ten fit into, so that one long name costs no room."""
    widths = sorted(text_width(row.name) for row in rows)
    return widths[math.ceil(0.9 * (len(widths) - 1))] if widths else 0.0


def _stop(
    k: int, row: Interval, rows: Sequence[Interval], x: Scale, entries: Sequence[Entry]
) -> Stop:
    values = (row.value, row.truth)
    readings = [
        Reading(j, x.fraction(value), (f"{entry.name}: {words}",))
        for j, (entry, value, words) in enumerate(
            zip(entries, values, _texts(row, x), strict=False)
        )
        if value is not None
    ]
    return Stop(0.5, 1 - (k + 0.5) / len(rows), row.name, tuple(readings))


def _texts(row: Interval, x: Scale) -> tuple[str, str]:
    value = x.number(row.value)
    around = f"{value} ({x.interval(row.low, row.high)})" if row.low < row.high else value
    return around, "-" if row.truth is None else x.number(row.truth)
