"""A row for every name: an estimate with its interval, or a bar with its number."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spancrew.report._html import tag
from spancrew.report.live._axis import Axis, Scale, scale_for
from spancrew.report.live._canvas import clamped, ticks_across
from spancrew.report.live._frame import LegendEntry, Parts, Readout, Stop, frame
from spancrew.report.live._given import Interval
from spancrew.report.live._svg import (
    FONT,
    NARROW,
    WIDE,
    DrawingSize,
    Style,
    at,
    drawing,
    line,
    segment,
    series_group,
    shape,
    shortened,
    text_width,
    words,
)

_ROW, _HEAD = 22, 46
"""The height of a row, and of the axis above all rows."""

_FEW = 15
"""Up to this many names are written in full, if they leave half of the width to the plot."""

_ESTIMATE, _TRUTH = Style(0), Style(1)

_Cell = tuple[float, str] | None
"""Where a value stands on the axis, as a fraction, and how it is written."""

_Row = tuple[str, Sequence[_Cell]]


@dataclass(frozen=True, slots=True)
class _RowCanvas:
    """A drawing of one width: names to the left, the plot to the right."""

    width: int
    left: float
    right: float
    x: Scale

    @classmethod
    def of(cls, width: int, names: Sequence[str], x: Scale, spare: float) -> "_RowCanvas":
        """Return a canvas with ``spare`` room to the right of the plot.

        Of many names nine in ten fit, so that a single very long name costs no room.
        """
        widths = sorted(map(text_width, names)) or [0.0]
        last = len(widths) - 1
        usual = max(widths[math.ceil(0.9 * last)], min(widths[last], 0.25 * width))
        room, most = (widths[last], 0.5) if last < _FEW else (usual, 0.34)
        return cls(width, 14 + min(room, most * width), width - 12 - spare, x)

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

    def body(self, names: Sequence[str]) -> list[str]:
        """Return the grid and the names."""
        grid = [
            segment((x, 0), (x, _ROW * len(names)), "grid")
            for x, _ in ticks_across(self.x, self.left, self.right)
        ]
        return grid + [
            words((0, y + FONT * 0.35), shortened(name, self.left - 10), class_="name")
            for name, y in zip(names, _middles(names), strict=True)
        ]


def _middles(rows: Sequence[object]) -> list[float]:
    return [_ROW * (k + 0.5) for k in range(len(rows))]


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
    finite = (_cleaned(row) for row in rows if math.isfinite(row.value))
    known = sorted(finite, key=lambda row: -row.value)
    truths = [row.truth for row in known if row.truth is not None]
    ends = [v for row in known for v in (row.value, row.low, row.high)]
    scale = scale_for(x, [*ends, *truths])
    entries = [LegendEntry(value_name, _ESTIMATE, "interval")]
    if truths:
        entries.append(LegendEntry(truth_name, _TRUTH, "truth"))
    named = [(row.name, _cells(row, scale)[: len(entries)]) for row in known]
    label = f"{title}. {caption}"
    drawings = _drawings(label, named, scale, lambda canvas: _intervals(known, canvas))
    return frame(title, caption, _parts(drawings, entries, named))


def bar_figure(title: str, caption: str, rows: Sequence[tuple[str, float]], *, x: Axis) -> str:
    """Return a bar for every name in the order given, with its number beside it."""
    values = [value for _, value in rows]
    scale = scale_for(x, [0.0, *values])
    named = [(name, [(scale.fraction(value), scale.number(value))]) for name, value in rows]

    def bars(canvas: _RowCanvas) -> list[str]:
        drawn = []
        for value, y in zip(values, _middles(rows), strict=True):
            start, end, half = canvas.across(0), canvas.across(value), _ROW * 0.36
            corners = [(start, y - half), (end, y - half), (end, y + half), (start, y + half)]
            drawn.append(line(corners, "bar", "Z"))
            drawn.append(words((end + 6, y + FONT * 0.35), scale.number(value)))
        return [series_group(0, _ESTIMATE, *drawn)]

    room = max((text_width(scale.number(value)) for value in values), default=0.0)
    drawings = _drawings(f"{title}. {caption}", named, scale, bars, room)
    return frame(title, caption, _parts(drawings, [LegendEntry(x.title, _ESTIMATE, "bar")], named))


def _cleaned(row: Interval) -> Interval:
    """Return the row with the interval in order, and nothing that is not finite."""
    ends = (row.low, row.high)
    ends = ends if all(map(math.isfinite, ends)) else (row.value, row.value)
    truth = row.truth if row.truth is not None and math.isfinite(row.truth) else None
    return Interval(row.name, row.value, min(ends), max(ends), truth)


def _cells(row: Interval, x: Scale) -> list[_Cell]:
    value = x.number(row.value)
    around = f"{value} ({x.interval(row.low, row.high)})" if row.low < row.high else value
    truth = None if row.truth is None else (x.fraction(row.truth), x.number(row.truth))
    return [(x.fraction(row.value), around), truth]


def _intervals(rows: Sequence[Interval], canvas: _RowCanvas) -> list[str]:
    estimates, truths = [], []
    for row, y in zip(rows, _middles(rows), strict=True):
        low, value, high = (canvas.across(v) for v in (row.low, row.value, row.high))
        estimates += [segment((low, y), (high, y), "span"), shape((value, y), _ESTIMATE, 4)]
        if row.truth is not None:
            x = canvas.across(row.truth)
            truths.append(segment((x, y - 7), (x, y + 7), "truth"))
    return [series_group(0, _ESTIMATE, *estimates), series_group(1, _TRUTH, *truths)]


def _drawings(
    label: str,
    rows: Sequence[_Row],
    x: Scale,
    content: Callable[[_RowCanvas], Sequence[str]],
    spare: float = 0.0,
) -> list[str]:
    """Return the axis and the rows under it, in both sizes."""
    names = [name for name, _ in rows]
    drawn = []
    for size in (WIDE, NARROW):
        canvas = _RowCanvas.of(size.width, names, x, spare)
        body = size._replace(height=_ROW * len(rows))
        plot = " ".join(at(v) for v in (canvas.left, 0, canvas.right - canvas.left, body.height))
        guide = tag("g", class_="guide")
        head = DrawingSize(f"{size.name} head", size.width, _HEAD)
        drawn.append(drawing(head, x.axis.title, *canvas.axis()))
        parts = (*canvas.body(names), *content(canvas), guide)
        drawn.append(drawing(body, label, *parts, data_plot=plot))
    return drawn


def _parts(drawings: Sequence[str], entries: Sequence[LegendEntry], rows: Sequence[_Row]) -> Parts:
    stops = []
    for k, (name, cells) in enumerate(rows):
        readouts = (
            Readout(j, cell[0], (f"{entries[j].name}: {cell[1]}",))
            for j, cell in enumerate(cells)
            if cell is not None
        )
        stops.append(Stop(0.5, 1 - (k + 0.5) / len(rows), name, tuple(readouts)))
    return Parts(
        drawings=[tag("div", *drawings, class_="rows")],
        entries=entries,
        by="y",
        stops=stops,
        head=["name", *(entry.name for entry in entries)],
        rows=[
            [name, *("-" if cell is None else cell[1] for cell in cells)] for name, cells in rows
        ],
    )
