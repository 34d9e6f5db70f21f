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
        return math.isfinite(value) and (value > 0 or not self.log)


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis with its ends; ``whole`` says that all of its values are whole numbers."""

    axis: Axis
    low: float
    high: float
    whole: bool

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
        resolution = 10.0 ** (math.ceil(math.log10(span)) - 3)
        return self._label(value, 1.0 if self.whole else resolution)

    def interval(self, low: float, high: float) -> str:
        """Return an interval for reading off."""
        return f"{self.number(low)} to {self.number(high)}"

    def _label(self, value: float, resolution: float) -> str:
        percent = self.axis.percent
        decimals = places(resolution * 100 if percent else resolution)
        return shown(value, decimals, percent=percent)


def scale_for(axis: Axis, values: Iterable[float], *, rounded: bool = False) -> Scale:
    """Return a scale that holds all of the values; ``rounded`` ends it at round numbers."""
    known = [bounded(float(v)) for v in values if axis.holds(float(v))]
    whole = not axis.percent and all(v.is_integer() for v in known)
    ends = known + [v for v in (axis.low, axis.high) if v is not None and axis.holds(v)]
    low, high = _apart(min(ends, default=1.0), max(ends, default=1.0), axis)
    if rounded and not axis.log:
        step = round_step(high - low, 6)
        low = step * math.floor(low / step + 1e-9)
        high = step * math.ceil(high / step - 1e-9)
    return Scale(axis, low, high, whole)


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
