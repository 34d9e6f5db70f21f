"""A receiver of webhooks that dawdles, fails, and fails after it has taken what was sent."""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from threading import Event, Lock
from typing import Any

from tests.server.receiver import listening

_REFUSED, _LOST, _STUCK = 0.15, 0.25, 0.995
"""Draws below which a delivery is refused or its receipt lost, and above which it hangs."""
_TIMEOUT = 12.0


class StormReceiver:
    """Takes deliveries of many webhooks; ``versions`` has what arrived, repetitions included."""

    def __init__(self, dice: Random) -> None:
        self.versions: dict[int, list[int]] = defaultdict(list)
        self.refused = 0
        self.calm = Event()
        self._dice = dice
        self._lock = Lock()

    def take(self, body: bytes, _headers: dict[str, str]) -> int:
        """Take a delivery and return the status of the answer."""
        with self._lock:
            luck, pause = self._dice.random(), self._dice.expovariate(10.0)
        if self.calm.is_set():
            luck = 1.0
        else:
            self.calm.wait(_TIMEOUT if luck > _STUCK else pause)
        return self._answer(json.loads(body), luck)

    def _answer(self, sent: dict[str, Any], luck: float) -> int:
        with self._lock:
            self.refused += luck < _LOST
            if luck < _REFUSED:
                return 503
            self.versions[sent["webhook"]] += [each["version"] for each in sent["events"]]
        return 500 if luck < _LOST else 200

    def missing(self, webhook: int, first: int, last: int) -> list[int]:
        """Return the versions that have not arrived."""
        with self._lock:
            there = set(self.versions[webhook])
        return [version for version in range(first, last + 1) if version not in there]

    @property
    def repeated(self) -> int:
        """Return how many events arrived more than once."""
        with self._lock:
            return sum(len(each) - len(set(each)) for each in self.versions.values())


@contextmanager
def storm(dice: Random) -> Iterator[tuple[StormReceiver, str]]:
    """Run a receiver, and yield it with its address."""
    found = StormReceiver(dice)
    with listening(found.take) as url:
        try:
            yield found, url
        finally:
            found.calm.set()
