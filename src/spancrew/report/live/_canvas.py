"""The canvas that a figure is drawn on: where the plot lies, its axes, and room for labels."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from spancrew.report._html import tag
from spancrew.report.live._axis import Scale
from spancrew.report.live._given import Mark, ThresholdLine
from spancrew.report.live._svg import (
    FONT,
    DrawingSize,
    Point,
    Style,
    at,
    drawing,
    segment,
    shape,
    shortened,
    text_width,
    words,
)

_LINE = FONT * 1.5


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Return whether the two overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def near(self, point: Point, margin: float = 4) -> bool:
        """Return whether the point lies inside or close by."""
        across = self.left - margin < point[0] < self.right + margin
        return across and self.top - margin < point[1] < self.bottom + margin

    def inside(self, other: "Box") -> bool:
        """Return whether no part sticks out of the other one."""
        across = self.left >= other.left and self.right <= other.right
        return across and self.top >= other.top and self.bottom <= other.bottom


@dataclass(frozen=True, slots=True)
class Canvas:
    """A drawing of one size with the plot inside it."""

    size: DrawingSize
    plot: Box
    x: Scale
    y: Scale

    @classmethod
    def of(cls, size: DrawingSize, x: Scale, y: Scale, *, threshold: bool = False) -> "Canvas":
        """Leave room for the labels of the axes, and above the plot for a threshold."""
        widest = max((text_width(label) for _, label in y.ticks()), default=0)
        top = _LINE * (2.2 if threshold else 1.4)
        plot = Box(widest + 8, top, size.width - 12, size.height - 2.2 * _LINE)
        return cls(size, plot, x, y)

    def point(self, x: float, y: float) -> Point:
        """Return where a pair of values is drawn."""
        plot = self.plot
        across = plot.left + self.x.fraction(x) * (plot.right - plot.left)
        return across, plot.bottom - self.y.fraction(y) * (plot.bottom - plot.top)

    def draw(self, label: str, *content: str) -> str:
        """Return the drawing: axes, content, and room for what the script points out."""
        left, top, right, bottom = self.plot
        plot = " ".join(at(v) for v in (left, top, right - left, bottom - top))
        guide = tag("g", class_="guide")
        return drawing(self.size, label, *self._axes(), *content, guide, data_plot=plot)

    def threshold(self, given: ThresholdLine | None) -> str:
        """Return a vertical line with its label above the plot."""
        if given is None:
            return ""
        x, _ = self.point(given.at, self.y.low)
        name = shortened(given.label, self.size.width - 8)
        middle = clamped(x, text_width(name), self.size.width)
        return tag(
            "g",
            segment((x, self.plot.top - 4), (x, self.plot.bottom), "threshold"),
            words((middle, self.plot.top - 8), name, "middle", "callout"),
            class_="marks",
        )

    def marks(self, given: Sequence[Mark], lines: Iterable[Sequence[Point]]) -> str:
        """Return labelled points; a label is put where it hides little of the lines."""
        if not given:
            return ""
        points = [self.point(mark.x, mark.y) for mark in given]
        hidden = [*points, *(point for each in lines for point in along(each))]
        room = self.plot.right - self.plot.left
        labels = [
            Label(point, shortened(mark.label, room))
            for point, mark in zip(points, given, strict=True)
        ]
        # A label that hides a bit of a curve is better than none.
        text = [drawn for _, drawn in placed(labels, self.plot, hidden, spare=len(hidden))]
        return tag("g", *(shape(p, Style(0, 3), 5) for p in points), *text, class_="marks")

    def _axes(self) -> list[str]:
        left, _, right, bottom = self.plot
        parts = [words((0, FONT), shortened(self.y.axis.title, self.size.width)), self._ups()]
        for x, label in ticks_across(self.x, left, right):
            middle = clamped(x, text_width(label), self.size.width)
            parts.append(segment((x, bottom), (x, bottom + 5), "tick"))
            parts.append(words((middle, bottom + 5 + FONT), label, "middle"))
        parts.append(segment((left, bottom), (right, bottom), "tick"))
        title = shortened(self.x.axis.title, self.size.width)
        middle = clamped((left + right) / 2, text_width(title), self.size.width)
        return [*parts, words((middle, self.size.height - 4), title, "middle")]

    def _ups(self) -> str:
        """Return the lines and labels of the upright axis."""
        left, _, right, _ = self.plot
        parts = []
        for value, label in self.y.ticks():
            _, y = self.point(self.x.low, value)
            parts.append(segment((left, y), (right, y), "grid"))
            parts.append(words((left - 8, y + FONT * 0.35), label, "end"))
        return tag("g", *parts, class_="ups")


def ticks_across(scale: Scale, left: float, right: float) -> list[tuple[float, str]]:
    """Return as many ticks with labels as fit beside each other: where, and what."""
    for most in (8, 6, 5, 4, 3):
        ticks = scale.ticks(most)
        widest = max((text_width(label) for _, label in ticks), default=0)
        if len(ticks) * (widest + FONT) <= right - left:
            break
    return [(left + scale.fraction(value) * (right - left), label) for value, label in ticks]


def clamped(middle: float, width: float, room: float) -> float:
    """Move text of that width so that it stays on the drawing."""
    return min(max(middle, width / 2), max(room - width / 2, width / 2))


class Label(NamedTuple):
    """Text that belongs to a point; ``series`` says which series it comes and goes with."""

    point: Point
    content: str
    series: int = 0


def placed(
    wanted: Iterable[Label], area: Box, obstacles: Sequence[Point], *, spare: int = 0
) -> list[tuple[Label, str]]:
    """Return the labels that fit into the area, drawn.

    A label that would hide another label, or more than ``spare`` obstacles, is left out.
    """
    taken: list[Box] = []
    drawn = []
    for label in wanted:
        around = _places(label.point, text_width(label.content), area)
        places = [box for box in around if box.inside(area) and not any(map(box.meets, taken))]
        hidden = [sum(box.near(other) for other in obstacles) for box in places]
        if places and min(hidden) <= spare:
            box = places[hidden.index(min(hidden))]
            taken.append(box)
            corner = (box.left, box.bottom - FONT * 0.3)
            drawn.append((label, words(corner, label.content, class_="callout")))
    return drawn


def along(points: Iterable[Point]) -> list[Point]:
    """Return points close together on the line through the points, for labels to avoid."""
    return [
        (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)
        for a, b in pairwise(points)
        for steps in [1 + int(math.dist(a, b) / 5)]
        for k in range(steps + 1)
    ]


def _places(point: Point, width: float, area: Box) -> Iterable[Box]:
    """Return the places around a point, the most readable first."""
    x, y = point
    beside, corner, upright = 9.0, 5.0, FONT * 1.2
    for left, shift in (
        (x + beside, 0.0),
        (x - beside - width, 0.0),
        (x - width / 2, -upright),
        (x - width / 2, upright),
        (min(area.right - width, x + corner), -upright),
        (min(area.right - width, x + corner), upright),
        (max(area.left, x - corner - width), -upright),
        (max(area.left, x - corner - width), upright),
    ):
        top = y + shift - FONT * 0.65
        yield Box(left, top, left + width, top + FONT * 1.3)
