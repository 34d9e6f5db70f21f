"""How often somebody may call: buckets of tokens that fill by themselves."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls a second in the long run, and so many at once."""

    per_second: float
    burst: int


class Buckets:
    """A bucket per caller, in the memory of this process; those unused longest are forgotten."""

    def __init__(self, rate: Rate, *, most: int = 10_000) -> None:
        self._rate = rate
        self._most = most
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, who: Hashable, now: float) -> float:
        """Return 0 if the call may go on, else in how many seconds it may.

        >>> buckets = Buckets(Rate(per_second=0.5, burst=1))
        >>> buckets.take("me", now=0.0), buckets.take("me", now=0.0), buckets.take("me", now=2.0)
        (0.0, 2.0, 0.0)
        """
        rate = self._rate
        level, before = self._levels.pop(who, (float(rate.burst), now))
        level = min(rate.burst, level + max(now - before, 0.0) * rate.per_second)
        wait = 0.0 if level >= 1 else (1 - level) / rate.per_second
        self._levels[who] = (level if wait else level - 1, now)
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)
        return wait
