"""How long something will still take, by its pace of late."""

import time
from bisect import bisect_right
from collections.abc import Callable

_LEAST_PART, _LEAST_SECONDS = 0.05, 2.0
"""What must have been done, and for how long, before anything is said."""

_LATELY = 0.5
"""The part of the time so far that counts: what was slow at first, such as compiling, is over."""


class TimeLeft:
    """Is told how much is done, and says how many seconds are left.

    The clock begins with the first call, at whatever part is done then: what came before it, such
    as reading, says nothing of the pace.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: list[float] = []
        self._parts: list[float] = []

    def __call__(self, part: float) -> float | None:
        """Return the seconds left after a part from 0 to 1; None while that cannot be told."""
        now = self._clock()
        self._times.append(now)
        self._parts.append(part)
        elapsed = now - self._times[0]
        if elapsed < _LEAST_SECONDS or part - self._parts[0] < _LEAST_PART:
            return None
        since = bisect_right(self._times, now - _LATELY * elapsed) - 1
        done = part - self._parts[since]
        return (now - self._times[since]) * (1 - part) / done if done > 0 else None
