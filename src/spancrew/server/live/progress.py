"""What was settled and spent over time, in a number of points that stays small."""

from typing import NamedTuple

_MOST = 400
"""Points from which on every second one is dropped."""


class Point(NamedTuple):
    """So many sentences were settled and so much was spent by then."""

    at: float
    by_crowd: int
    by_expert: int
    spent: float


class Progress:
    """A line through time: exact at each of its points, of which the last is now."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._every = 1
        self._moves = 0
        self._settled = {"crowd": 0, "expert": 0, "gold": 0}
        self._spent = 0.0
        self._at: float | None = None

    def begin(self, at: float) -> None:
        """Begin with nothing."""
        self._move(at)

    def settle(self, at: float, by: str) -> None:
        """Count a sentence that was settled."""
        self._settled[by] += 1
        self._move(at)

    def pay(self, at: float, amount: float) -> None:
        """Count money that was spent."""
        self._spent = round(self._spent + amount, 9)
        self._move(at)

    @property
    def points(self) -> list[Point]:
        """Return the points, the last one as of the last move."""
        now = [] if self._at is None else [self._point(self._at)]
        kept = self._points[:-1] if self._points[-1:] == now else self._points
        return [*kept, *now]

    def _point(self, at: float) -> Point:
        return Point(at, self._settled["crowd"], self._settled["expert"], self._spent)

    def _move(self, at: float) -> None:
        self._at = at
        if self._moves % self._every == 0:
            self._points.append(self._point(at))
        self._moves += 1
        if len(self._points) >= _MOST:
            # The first point stays, so that the line begins where the campaign does.
            self._points = self._points[::2]
            self._every *= 2
