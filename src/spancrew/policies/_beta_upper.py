"""The upper quantile of a Beta distribution, fast enough to be taken for every worker."""

import math

from spancrew.core import kernel, kernel_part

_HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)
_NEAR = 0.1
"""A tail this close to the wanted one (its logarithm) needs one more step, no more."""


@kernel
def beta_upper(a: float, b: float, log_tail: float, z: float) -> float:
    """Return the x that leaves a given tail of Beta(a, b) above it; a and b are at least 1.

    ``z`` is the normal number with the same tail, which is at most 1/2. Halley's method on the
    logarithm of the tail; within 2e-5.
    """
    gap = _start(a, b, z)
    constant = _log_constant(a, b) + log_tail
    for _ in range(10):
        fraction = _fraction(a, b, gap)
        if fraction <= 0.0:
            break
        log_density = a * math.log(1.0 - gap) + b * math.log(gap)
        excess = log_density + math.log(fraction) - constant
        gap = _halley(a, b, gap, fraction, excess)
        if abs(excess) < _NEAR:
            break
    return 1.0 - gap


@kernel_part
def _start(a: float, b: float, z: float) -> float:
    """Return a first guess of 1 - x: Cornish and Fisher's, near 1 rather Chernoff's bound."""
    both = a + b
    low, high = a / both, b / both
    away = z * math.sqrt(low * high / (both + 1.0))
    if high > 2.0 * away:
        return high - away - (z * z - 1.0) * (b - a) / (3.0 * both * (both + 2.0))
    bound = high * math.exp((low * math.log(low) - 0.5 * z * z / both) / high)
    return max(bound, high - away)


@kernel_part
def _halley(a: float, b: float, gap: float, fraction: float, excess: float) -> float:
    """Return the next gap to 1, always between 0 and 1."""
    rest = 1.0 - gap
    inverse = gap * rest * fraction / b
    step = excess * inverse
    bend = 0.5 * step * ((b - 1.0) / gap - (a - 1.0) / rest - 1.0 / inverse)
    if bend < 0.5:
        step /= 1.0 - bend
    moved = gap - step
    if moved <= 0.0:
        return 0.5 * gap
    return moved if moved < 1.0 else 0.5 * (1.0 + gap)


@kernel_part
def _fraction(a: float, b: float, gap: float) -> float:
    """Return the continued fraction of the tail (DLMF 8.17.22), seen from 1.

    It is 0 where it would take too long: with many more answers than steps, which no campaign
    has, and for which the first guess is good enough.
    """
    before, here = 1.0, 1.0
    below_before, below = 1.0, 1.0 - (a + b) * gap / (b + 1.0)
    n = b + 1.0
    for m in range(1, 60):
        k = m * (a - m) * gap / (n * (n + 1.0))
        before, below_before = here + k * before, below + k * below_before
        k = (b + m) * (a + b + m) * gap / ((n + 1.0) * (n + 2.0))
        here, below = before - k * here, below_before - k * below
        n += 2.0
        if abs(here * below_before - before * below) < 1e-6 * abs(below * below_before):
            return here / below
    return 0.0


@kernel_part
def _log_constant(a: float, b: float) -> float:
    """Return ln(b B(a, b)) by Stirling's formula."""
    both = a + b
    powers = a * math.log(a / both) + b * math.log(b / both)
    return (
        powers + 0.5 * math.log(both * b / a) + _HALF_LOG_2PI + _rest(a) + _rest(b) - _rest(both)
    )


@kernel_part
def _rest(x: float) -> float:
    """Return what Stirling's formula lacks to ln Gamma (Stieltjes' continued fraction)."""
    square = x * x
    inner = square + 1.5371294
    outer = square * inner + 0.25238095 * (square + 1.0115231)
    return outer / (12.0 * x * (outer + inner / 30.0))
