"""Labels beside points, where they hide neither the data nor each other."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from spancrew.report.live._svg import FONT, Point, text_width, words

_AWAY = 8
"""Distance between a point and its label."""


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

    def holds(self, point: Point) -> bool:
        """Return whether the point lies inside."""
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom

    def inside(self, other: "Box") -> bool:
        """Return whether no part sticks out of the other one."""
        across = self.left >= other.left and self.right <= other.right
        return across and self.top >= other.top and self.bottom <= other.bottom


def labels(
    wanted: Iterable[tuple[Point, str]],
    area: Box,
    obstacles: Sequence[Point],
    *,
    spare: int = 0,
) -> list[str]:
    """Return text for the labels that fit into the area.

    A label that would hide another label, or more than ``spare`` obstacles, is left out.
    """
    placed: list[Box] = []
    drawn = []
    for point, content in wanted:
        box = _best(point, content, area, [*placed], obstacles, spare)
        if box is not None:
            placed.append(box)
            drawn.append(words((box.left, box.bottom - FONT * 0.3), content, class_="callout"))
    return drawn


def _best(
    point: Point,
    content: str,
    area: Box,
    placed: list[Box],
    obstacles: Sequence[Point],
    spare: int,
) -> Box | None:
    free = [
        box
        for box in _places(point, text_width(content))
        if box.inside(area) and not any(box.meets(other) for other in placed)
    ]
    hidden = [sum(box.holds(other) for other in obstacles) for box in free]
    if not free or min(hidden) > spare:
        return None
    return free[hidden.index(min(hidden))]


def _places(point: Point, width: float) -> Iterable[Box]:
    """Return the places around a point, the most readable first."""
    x, y = point
    lefts = {"right": x + _AWAY, "middle": x - width / 2, "left": x - _AWAY - width}
    for away in (0.0, FONT * 1.2, FONT * 2.4):
        for side in ("right", "left", "middle"):
            for step in (-1, 1):
                shift = step * (away + (FONT * 1.1 if side == "middle" else 0))
                top = y + shift - FONT * 0.65
                yield Box(lefts[side], top, lefts[side] + width, top + FONT * 1.3)
