"""The sheet a figure is drawn on: where the plot lies, and its axes."""

from dataclasses import dataclass

from spancrew.report._html import tag
from spancrew.report.live._axis import Scale
from spancrew.report.live._given import Threshold
from spancrew.report.live._labels import Box
from spancrew.report.live._svg import (
    FONT,
    Point,
    Size,
    at,
    drawing,
    segment,
    shortened,
    text_width,
    words,
)

_LINE = FONT * 1.5


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing of one size with the plot inside it."""

    size: Size
    plot: Box
    x: Scale
    y: Scale

    @classmethod
    def of(cls, size: Size, x: Scale, y: Scale, *, threshold: bool = False) -> "Sheet":
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

    def threshold(self, given: Threshold | None) -> str:
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
