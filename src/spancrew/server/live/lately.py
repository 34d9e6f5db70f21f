"""How a worker has been doing lately."""

import math
import statistics
from collections import deque
from typing import Any, Literal

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

    def kept(self) -> list[Any]:
        """Return everything, to be kept."""
        return [list(self.rewards), list(self.seconds), self.settled, self._shared]

    def resume(
        self, rewards: list[float], seconds: list[float], settled: int, shared: float
    ) -> None:
        """Go on from what was kept."""
        self.rewards.extend(rewards)
        self.seconds.extend(seconds)
        self.settled, self._shared = settled, shared

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
        noise = math.sqrt(_variance(early) / len(early) + _variance(late) / len(late))
        if abs(change) < max(_CLEAR * noise, _LEAST):
            return "steady"
        return "rising" if change > 0 else "falling"


def _variance(values: list[float]) -> float:
    """Return the sample variance; that of the library is exact and takes twenty times as long."""
    mean = statistics.fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
