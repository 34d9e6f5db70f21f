"""How far suggestions draw people to them."""

from math import sqrt

from spancrew.campaign._records import Agreements
from spancrew.campaign._values import Anchoring

_WIDE = 1.96
"""Standard errors on either side of a 95 % interval."""


def anchoring(seen: Agreements, unseen: Agreements) -> Anchoring | None:
    """Compare those who saw suggestions with those who did not; None without any suggestion."""
    if not (seen.count or unseen.count):
        return None
    more = low = high = None
    if seen.mean is not None and unseen.mean is not None:
        more = seen.mean - unseen.mean
        if seen.mean_variance is not None and unseen.mean_variance is not None:
            reach = _WIDE * sqrt(seen.mean_variance + unseen.mean_variance)
            low, high = more - reach, more + reach
    return Anchoring(seen.count, unseen.count, seen.mean, unseen.mean, more, low, high)
