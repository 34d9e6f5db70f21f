"""Events by kind, counted since this process began to look."""

from collections import Counter
from threading import Lock

from spancrew.stores import EventStore


class Tallies:
    """Counts the events of campaigns; every look reads only what is new."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._lock = Lock()
        self._versions: dict[str, int] = {}
        self._kinds: dict[str, Counter[str]] = {}

    def kinds(self, campaign: str) -> Counter[str]:
        """Return how many events of each kind there were since the first look."""
        with self._lock:
            if campaign not in self._versions:
                self._versions[campaign] = self._store.version(campaign)
            counts = self._kinds.setdefault(campaign, Counter())
            for version, entry in self._store.read(campaign, after=self._versions[campaign]):
                counts[entry.kind] += 1
                self._versions[campaign] = version
            return counts.copy()
