"""Which sentences a campaign has, by id, so that none is added twice."""

from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

from spancrew.stores import EventStore, SentenceRow


class KnownSentences(NamedTuple):
    """The place and a digest of the text of every sentence, by id; ``size`` is their number."""

    by_id: dict[str, tuple[int, bytes]]
    size: int

    def place(self, row: SentenceRow) -> int | None:
        """Return the place of a sentence with this id and this text; None if there is none."""
        found = self.by_id.get(row.id)
        return found[0] if found is not None and found[1] == _digest(row) else None


class SentenceIds:
    """The sentences of campaigns that grow; read once, and then only those that are new."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._found: dict[str, KnownSentences] = {}
        self._lock = Lock()

    def of(self, campaign: str) -> KnownSentences:
        """Return what a campaign has by now."""
        with self._lock:
            by_id, count = self._found.get(campaign, KnownSentences({}, 0))
            for row in self._store.sentences(campaign, first=count):
                by_id[row.id] = count, _digest(row)
                count += 1
            self._found[campaign] = known = KnownSentences(by_id, count)
        return known

    def forget(self, campaign: str) -> None:
        """Drop what is kept of a campaign."""
        self._found.pop(campaign, None)


def _digest(row: SentenceRow) -> bytes:
    return blake2b(repr((row.text, row.bounds, row.meta)).encode(), digest_size=12).digest()
