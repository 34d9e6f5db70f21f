"""Round numbers for axes, and numbers as a reader likes them."""

import math

_SMALLEST, _LARGEST = 1e-6, 1e9
"""Outside these a number is written with an exponent."""


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most ``most + 1`` multiples of 1, 2 or 5 times a power of ten.

    >>> ticks(0, 1), ticks(3, 23, 4)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [5.0, 10.0, 15.0, 20.0])
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

    >>> log_ticks(1, 1000), log_ticks(3, 60)
    ([1.0, 2.0, 5.0, ... 100.0, 200.0, 500.0, 1000.0], [5.0, 10.0, 20.0, 50.0])
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = -(-(last - first) // most) or 1
    powers = [10.0**k for k in range(first, last + 1, every)]
    full = _inside((m * power for power in powers for m in (1, 2, 5)), low, high)
    if every == 1 and len(full) <= most + 1:
        return full if len(full) > 1 else ticks(low, high, most)
    return _inside(powers, low, high)


def _inside(values: Iterable[float], low: float, high: float) -> list[float]:
    return [v for v in values if low * (1 - 1e-9) <= v <= high * (1 + 1e-9)]
