"""The index of sentences is kept up as journals grow, so that the first look is quick."""

import logging
from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import Event

from spancrew.errors import SpancrewError
from spancrew.stores import SentenceIndex

_STEP = 5_000
"""Events after which the index takes in what is new, though nobody looks."""

_log = logging.getLogger("spancrew.live")


class IndexUpkeep:
    """Lets an index catch up in a thread of its own."""

    def __init__(self, index: SentenceIndex) -> None:
        self._index = index
        self._due: dict[str, float] = {}
        self._pool = ThreadPoolExecutor(1, "sentence-index")
        self._over = Event()

    def grown(self, campaign: str, version: int) -> None:
        """Note, from any thread, how long a journal is now; catch up if it has grown much."""
        if version < self._due.get(campaign, _STEP) or self._over.is_set():
            return
        self._due[campaign] = inf
        self._pool.submit(self._catch_up, campaign, version)

    def forget(self, campaign: str) -> None:
        """Drop what is known of a campaign."""
        self._due.pop(campaign, None)

    def stop(self) -> None:
        """Begin nothing more."""
        self._over.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _catch_up(self, campaign: str, version: int) -> None:
        try:
            self._index.catch_up(campaign)
        except SpancrewError as error:
            _log.warning("the sentences of %s were not indexed: %s", campaign, error)
        self._due[campaign] = version + _STEP
