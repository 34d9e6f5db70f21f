"""An axis as asked for, and the scale it becomes once the data is known."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from spancrew.report.live._numbers import log_ticks, places, round_step, shown, ticks

_LARGEST, _SMALLEST = 1e300, 1e-290
"""Beyond these the arithmetic of a scale would leave the range of floats."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis says, with its unit, and what it must at least reach from and to.

    The axis always holds all of the data; ``low`` and ``high`` only widen it. On a ``percent``
    axis 0.5 is written 50%. On a ``log`` axis values that are not positive are left out.
    """

    title: str
    low: float | None = None
    high: float | None = None
    log: bool = False
    percent: bool = False

    def holds(self, value: float) -> bool:
        """Return whether the value has a place on the axis."""
        return math.isfinite(value) and (value > _SMALLEST or not self.log)


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis with its ends; ``exact`` is how many decimals show its values in full."""

    axis: Axis
    low: float
    high: float
    exact: int

    def fraction(self, value: float) -> float:
        """Return where the value lies between the ends: 0 to 1."""
        if self.axis.log:
            low, high = math.log(self.low), math.log(self.high)
            place = (math.log(bounded(value)) - low) / (high - low)
        else:
            place = (bounded(value) - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, place))

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Return round values with their labels."""
        if self.axis.log:
            return [(v, self._label(v, v)) for v in log_ticks(self.low, self.high, most)]
        step = round_step(self.high - self.low, most)
        return [(v, self._label(v, step)) for v in ticks(self.low, self.high, most)]

    def number(self, value: float) -> str:
        """Return the value for reading off: about a thousandth of the axis can be told apart."""
        span = value if self.axis.log else self.high - self.low
        fine = places(10.0 ** (round(math.log10(span * self._unit)) - 3))
        return shown(bounded(value), min(fine, self.exact), percent=self.axis.percent)

    def interval(self, low: float, high: float) -> str:
        """Return an interval for reading off."""
        between = " to " if low < 0 else "\N{EN DASH}"
        return f"{self.number(low).removesuffix('%')}{between}{self.number(high)}"

    @property
    def _unit(self) -> float:
        return 100.0 if self.axis.percent else 1.0

    def _label(self, value: float, step: float) -> str:
        return shown(value, places(step * self._unit), percent=self.axis.percent)


def scale_for(axis: Axis, values: Iterable[float], *, rounded: bool = False) -> Scale:
    """Return a scale that holds all of the values; ``rounded`` moves it on to near round ends."""
    known = [bounded(float(v)) for v in values if axis.holds(float(v))]
    ends = known + [v for v in (axis.low, axis.high) if v is not None and axis.holds(v)]
    low, high = _apart(min(ends, default=1.0), max(ends, default=1.0), axis)
    if rounded and not axis.log:
        step = round_step(high - low, 6)
        low, high = -_rounded_up(-low, step), _rounded_up(high, step)
    return Scale(axis, low, high, _exact(known, 100.0 if axis.percent else 1.0))


def _rounded_up(end: float, step: float) -> float:
    """Return the next multiple of the step, or the end itself where that would waste room."""
    further = step * math.ceil(end / step - 1e-9)
    return end if further - end > 0.7 * step else further


def _exact(values: Iterable[float], unit: float) -> int:
    """Return how many decimals show all of the values in full; 9 stands for many."""
    decimals = 0
    for value in values:
        while decimals < 9 and round(value * unit, decimals) != round(value * unit, 9):
            decimals += 1
    return decimals


def _apart(low: float, high: float, axis: Axis) -> tuple[float, float]:
    """Return two ends with room between them, also around a single value."""
    if axis.log:
        return (low, high) if high > low * (1 + 1e-9) else (low / 2, high * 2)
    if high - low > max(_SMALLEST, 1e-9 * max(abs(low), abs(high))):
        return low, high
    room = max(abs(low), abs(high)) / 10
    room = room if room > _SMALLEST else 1.0
    return low - room, high + room


def bounded(value: float) -> float:
    """Return the value, held where a scale can still count with it."""
    sign = math.copysign(1.0, value)
    return sign * min(_LARGEST, abs(value)) if abs(value) > 1 / _LARGEST else 0.0
