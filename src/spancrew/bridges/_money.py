"""Amounts of money in whole cents: a sum of floats is no amount that can be paid."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from spancrew.errors import PlatformError

_MOST = Decimal(10) ** 9


def cents_of(amount: float | str) -> int:
    """Return an amount in cents, to the nearest.

    >>> cents_of(0.1 + 0.2), cents_of("1.5"), cents_of(0.125)
    (30, 150, 13)
    """
    try:
        exact = round(Decimal(str(amount)), 6)
    except (InvalidOperation, ValueError):
        exact = Decimal("NaN")
    if not exact.is_finite() or abs(exact) > _MOST:
        raise PlatformError(f"{amount!r} is no amount of money")
    return int((exact * 100).quantize(Decimal(1), ROUND_HALF_UP))


def money(cents: int) -> str:
    """Return cents as people and platforms write them.

    >>> money(1234), money(5), money(-5)
    ('12.34', '0.05', '-0.05')
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"
