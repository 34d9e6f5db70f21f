"""From a level to a number: Student's t, and the most wrong sentences that a sample allows."""

import math
from functools import lru_cache

from spancrew.core import normal_quantile

_MANY = 60
"""Degrees of freedom from which an expansion is right to eight digits."""


@lru_cache(maxsize=1024)
def t_quantile(share: float, freedom: int) -> float:
    """Return the number below which a share, at least a half, of Student's t lies."""
    if freedom >= _MANY:
        return _expanded(float(normal_quantile(share)), freedom)
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _share_below(middle, freedom) < share else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _share_below(angle: float, freedom: int) -> float:
    """Return the share below ``sqrt(freedom) * tan(angle)`` (Abramowitz and Stegun 26.7.3-4)."""
    square = math.cos(angle) ** 2
    is_odd = freedom % 2
    term = math.cos(angle) if is_odd else 1.0
    total = 0.0
    for k in range(2 + is_odd, freedom + 1, 2):
        total += term
        term *= square * (k - 1) / k
    within = math.sin(angle) * total
    if is_odd:
        within = (angle + within) * 2 / math.pi
    return 0.5 + within / 2


def _expanded(z: float, freedom: int) -> float:
    """Return the quantile by its expansion around the normal one (26.7.5)."""
    square = z * z
    terms = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return z * (1 + math.fsum(term / freedom**k for k, term in enumerate(terms, start=1)))


def most_wrong(wrong: int, audited: int, sentences: int, level: float) -> int:
    """Return the most sentences that can be wrong, at this level, if so many audited ones are.

    The bound of Clopper and Pearson for a sample without replacement: with one more, ``wrong`` or
    fewer in the sample would have a probability of at most 1 - ``level``. Where all sentences are
    audited, it is the number of wrong ones.
    """
    low, high = wrong, sentences - audited + wrong
    while low < high:
        middle = (low + high + 1) // 2
        if _at_most(wrong, audited, middle, sentences) > 1 - level:
            low = middle
        else:
            high = middle - 1
    return low


def _at_most(wrong: int, audited: int, all_wrong: int, sentences: int) -> float:
    """Return the probability of so few wrong ones in the sample (hypergeometric)."""
    right = sentences - all_wrong
    least = max(0, audited - right)
    whole = _log_choose(sentences, audited)
    return math.fsum(
        math.exp(_log_choose(all_wrong, k) + _log_choose(right, audited - k) - whole)
        for k in range(least, min(wrong, all_wrong) + 1)
    )


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
