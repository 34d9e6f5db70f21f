"""How a worker has been doing lately."""

import math
import statistics
from collections import deque
from typing import Literal

Trend = Literal["rising", "steady", "falling"]
RECENT = 40
"""Rewards and times that count as lately."""
_FEW = 10
"""Rewards without which no trend is told."""
_CLEAR = 2.0
"""Standard errors by which two halves must differ."""
_LEAST = 0.02
"""A difference that is worth a word."""


class WorkerPicture:
    """The last rewards and times of a worker, and how often final labels were theirs."""

    __slots__ = ("_shared", "rewards", "seconds", "settled")

    def __init__(self) -> None:
        self.rewards: deque[float] = deque(maxlen=RECENT)
        self.seconds: deque[float] = deque(maxlen=RECENT)
        self.settled = 0
        self._shared = 0.0

    def compare(self, same: int, spans: int) -> None:
        """Count a settled sentence: of the spans given and final, added up, two each are same."""
        self.settled += 1
        self._shared += 2 * same / spans if spans else 1.0

    @property
    def agreement(self) -> float | None:
        """Return the mean exact F1 of answers against final labels; empty on empty is 1."""
        return self._shared / self.settled if self.settled else None

    @property
    def speed(self) -> float | None:
        """Return the median time of the last answers in seconds."""
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def trend(self) -> Trend | None:
        """Tell whether the later half of the last rewards is clearly better than the earlier."""
        found = list(self.rewards)
        if len(found) < _FEW:
            return None
        early, late = found[: len(found) // 2], found[len(found) // 2 :]
        change = statistics.fmean(late) - statistics.fmean(early)
        noise = math.sqrt(sum(statistics.variance(half) / len(half) for half in (early, late)))
        if abs(change) < max(_CLEAR * noise, _LEAST):
            return "steady"
        return "rising" if change > 0 else "falling"
