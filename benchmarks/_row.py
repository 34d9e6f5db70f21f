"""One line of the table: our time, a peer's time, and the ratio."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured; ``ours`` and ``peer`` are in ``unit``, ``ratio`` is peer / ours."""

    name: str
    ours: float
    peer: float
    peer_name: str
    unit: str

    @property
    def ratio(self) -> float:
        """Return how many times faster we are."""
        return self.peer / self.ours


def seconds(action: Callable[[], object], *, repeats: int = 5) -> float:
    """Return the shortest of several runs, after one that compiles and fills caches."""
    action()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)
