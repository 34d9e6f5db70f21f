"""How good the labels so far are expected to be, and how far that may be off."""

import math
from typing import NamedTuple

from spancrew.campaign._state import SettledCounts

_TWO_SIDED = 1.96
"""Standard deviations to either side that hold 95 % of a normal distribution."""


class Quality(NamedTuple):
    """An F1 with its 95 % interval; None where nothing is settled."""

    expected: float | None
    low: float | None
    high: float | None


def quality_of(tally: SettledCounts) -> Quality:
    """Return the F1 to be expected of the labels so far: experts' are right, the crowd's not all.

    Errors are wrong and missing spans; of spans found and expected, they are what F1 lacks. How
    many there really are spreads around those expected like a count of rare events.
    """
    if not tally.size:
        return Quality(None, None, None)
    fewest, most = count_interval(tally.errors) if tally.crowd else (0.0, 0.0)
    return Quality(
        *(max(0.0, 1.0 - errors / tally.size) for errors in (tally.errors, most, fewest))
    )


def count_interval(count: float) -> tuple[float, float]:
    """Return the 95 % interval of a Poisson mean by what was counted, as Garwood does.

    Its bounds are quantiles of chi-squared distributions, here by Wilson and Hilferty (1931,
    doi:10.1073/pnas.17.12.684): within 1 % above, a little too low below. No count is no proof
    that there is nothing.

    >>> [round(bound, 1) for bound in count_interval(0.0)]
    [0.0, 3.7]
    """
    low = _chi_squared(2 * count, -_TWO_SIDED) / 2 if count else 0.0
    return low, _chi_squared(2 * count + 2, _TWO_SIDED) / 2


def _chi_squared(freedom: float, deviations: float) -> float:
    """Return the quantile of a chi-squared distribution that a normal one has so far out."""
    spread = 2 / (9 * freedom)
    return float(freedom * max(0.0, 1 - spread + deviations * math.sqrt(spread)) ** 3)
