"""Round numbers for axes, and numbers as a reader likes to see them."""

import math
from collections.abc import Iterable

_MINUS = "\N{MINUS SIGN}"


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most ``most + 1`` multiples of 1, 2 or 5 times a power of ten.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    >>> ticks(3, 23, 4)
    [5.0, 10.0, 15.0, 20.0]
    """
    step = round_step(high - low, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def round_step(span: float, most: int) -> float:
    """Return the smallest round step that cuts ``span`` into at most ``most`` parts."""
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(m * power for m in (1, 2, 5, 10, 20) if m * power * most >= span * (1 - 1e-9))


def log_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return powers of ten, with 2 and 5 times these where there is room.

    >>> log_ticks(1, 10_000)
    [1.0, 10.0, 100.0, 1000.0, 10000.0]
    >>> log_ticks(3, 60)
    [5.0, 10.0, 20.0, 50.0]
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = -(-(last - first) // most) or 1
    powers = [10.0**k for k in range(first, last + 1, every)]
    found = _inside((m * power for power in powers for m in (1, 2, 5)), low, high)
    if every > 1 or len(found) > most + 1:
        found = _inside(powers, low, high)
    return found if len(found) > 1 else ticks(low, high, most)


def _inside(values: Iterable[float], low: float, high: float) -> list[float]:
    return [v for v in values if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]


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
