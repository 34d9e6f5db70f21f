"""An axis as asked for, the scale it becomes once the data is known, and its round ticks."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MINUS = "\N{MINUS SIGN}"
_LARGEST, _SMALLEST = 1e300, 1e-290
"""Beyond these the arithmetic of a scale would leave the range of floats."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis says, with its unit, and what it must at least reach from and to.

    The axis always holds all of the data; ``low`` and ``high`` only widen it. On a ``percent``
    axis 0.5 is written 50%. ``bins`` are names for the bins of a histogram, in place of edges.
    """

    title: str
    low: float | None = None
    high: float | None = None
    percent: bool = False
    bins: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis with its ends; ``exact`` is how many decimals show its values in full."""

    axis: Axis
    low: float
    high: float
    exact: int

    def fraction(self, value: float) -> float:
        """Return where the value lies between the ends: 0 to 1."""
        place = (bounded(value) - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, place))

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Return round values with their labels; whole numbers where all of the data is whole."""
        step = round_step(self.high - self.low, most)
        if self.exact == 0 and not self.axis.percent:
            step = max(step, 1.0)
        decimals = places(step * self._unit)
        return [
            (value, shown(value, decimals, percent=self.axis.percent))
            for value in multiples(step, self.low, self.high)
        ]

    def number(self, value: float) -> str:
        """Return the value for reading off: about a thousandth of the axis can be told apart."""
        span = (self.high - self.low) * self._unit
        fine = places(10.0 ** (round(math.log10(span)) - 3))
        return shown(bounded(value), min(fine, self.exact), percent=self.axis.percent)

    def interval(self, low: float, high: float) -> str:
        """Return an interval for reading off."""
        between = " to " if low < 0 else "\N{EN DASH}"
        return f"{self.number(low).removesuffix('%')}{between}{self.number(high)}"

    @property
    def _unit(self) -> float:
        return 100.0 if self.axis.percent else 1.0


def scale_for(axis: Axis, values: Iterable[float], *, rounded: bool = False) -> Scale:
    """Return a scale that holds all of the values; ``rounded`` moves it on to near round ends."""
    known = [bounded(float(v)) for v in values if math.isfinite(v)]
    ends = known + [v for v in (axis.low, axis.high) if v is not None]
    low, high = _apart(min(ends, default=1.0), max(ends, default=1.0))
    if rounded:
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


def _apart(low: float, high: float) -> tuple[float, float]:
    """Return two ends with room between them, also around a single value."""
    if high - low > max(_SMALLEST, 1e-9 * max(abs(low), abs(high))):
        return low, high
    room = max(abs(low), abs(high)) / 10
    room = room if room > _SMALLEST else 1.0
    return low - room, high + room


def bounded(value: float) -> float:
    """Return the value, held where a scale can still count with it."""
    sign = math.copysign(1.0, value)
    return sign * min(_LARGEST, abs(value)) if abs(value) > 1 / _LARGEST else 0.0


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most ``most + 1`` multiples of 1, 2 or 5 times a power of ten.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    >>> ticks(3, 23, 4)
    [5.0, 10.0, 15.0, 20.0]
    """
    return multiples(round_step(high - low, most), low, high)


def multiples(step: float, low: float, high: float) -> list[float]:
    """Return the multiples of a step between two ends."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def round_step(span: float, most: int) -> float:
    """Return the smallest round step that cuts ``span`` into at most ``most`` parts."""
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(m * power for m in (1, 2, 5, 10, 20) if m * power * most >= span * (1 - 1e-9))


def places(resolution: float) -> int:
    """Return how many decimals show a difference of ``resolution``.

    >>> places(0.05), places(0.5), places(20)
    (2, 1, 0)
    """
    return min(9, max(0, -math.floor(math.log10(resolution) + 1e-9)))


def shown(value: float, decimals: int, *, percent: bool = False) -> str:
    """Return a number with thousands separators; very large and small ones get an exponent.

    >>> shown(12345.678, 1), shown(0.3403, 1, percent=True)
    ('12,345.7', '34.0%')
    """
    scaled = value * 100 if percent else value
    plain = scaled == 0 or 1e-6 <= abs(scaled) < 1e9
    written = f"{scaled:,.{decimals}f}" if plain else f"{scaled:.3g}"
    if written.strip("-0.,") == "":
        written = written.lstrip("-")
    return written.replace("-", _MINUS) + ("%" if percent else "")
