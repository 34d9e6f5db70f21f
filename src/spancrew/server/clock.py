"""The clock on the wall; everything below is told the time."""

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Returns the time in seconds since 1970, UTC."""


def real_clock() -> float:
    """Return the time now."""
    return time.time()  # noqa: TID251  the real clock
