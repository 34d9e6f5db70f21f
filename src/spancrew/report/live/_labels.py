"""Labels beside points, where they hide neither the data nor each other."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from spancrew.report.live._svg import FONT, Point, text_width, words


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


class Label(NamedTuple):
    """Text that belongs to a point; ``series`` says which series it comes and goes with."""

    point: Point
    content: str
    series: int | None = None


def placed(
    wanted: Iterable[Label], area: Box, obstacles: Sequence[Point], *, spare: int = 0
) -> list[tuple[Label, str]]:
    """Return the labels that fit into the area, drawn.

    A label that would hide another label, or more than ``spare`` obstacles, is left out.
    """
    taken: list[Box] = []
    drawn = []
    for label in wanted:
        places = _free_places(label, area, taken)
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


def _free_places(label: Label, area: Box, taken: Sequence[Box]) -> list[Box]:
    boxes = _places(label.point, text_width(label.content), area)
    return [
        box for box in boxes if box.inside(area) and not any(box.meets(other) for other in taken)
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
