"""One line of the table: our time, a peer's time, and the ratio."""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured; ``ours`` and ``peer`` are in ``unit``, ``ratio`` is peer / ours.

    ``load`` is that of the machine in the minute before, by us and by others.
    """

    name: str
    ours: float
    peer: float
    peer_name: str
    unit: str
    load: float = field(default_factory=lambda: round(os.getloadavg()[0], 2))

    @property
    def ratio(self) -> float:
        """Return how many times faster we are."""
        return self.peer / self.ours


def seconds(
    action: Callable[[], object],
    *,
    repeats: int = 5,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Return the shortest of several runs, after one that compiles and fills caches.

    It is the CPU that counts, in all threads, unless there is something else to wait for.
    """
    action()
    times = []
    for _ in range(repeats):
        start = clock()
        action()
        times.append(clock() - start)
    return min(times)


def peak_memory() -> float:
    """Return the most memory that this process has had since its program began, in MB.

    ``ru_maxrss`` would not do: a new process starts with the peak of the one that started it.
    """
    return memory_of("self", "VmHWM")


def memory_of(process: int | str, what: str = "VmRSS") -> float:
    """Return how much memory a process has, or has had at most, in MB."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024


def print_rows(rows: Iterable[Row]) -> None:
    """Print rows as they come."""
    for row in rows:
        print(f"{row.name:90} {row.ours:9.2f} {row.unit}  ({row.peer_name}: {row.peer:.2f})")
