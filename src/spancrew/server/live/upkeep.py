"""What follows journals as they grow, though nobody looks, so that the first look is quick."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import inf
from secrets import randbelow
from threading import Event

from spancrew.errors import SpancrewError

STEP, PART = 5_000, 50
"""It follows after so many events, or after such a part of all if that is more: whoever looks
first need not read more than this, and what is written for an event stays the same however long
the journal gets."""

_log = logging.getLogger("spancrew.live")


def step_after(version: int) -> int:
    """Return how many events after a version it is time to follow."""
    return max(STEP, version // PART)


class Upkeep:
    """Lets something catch up with journals, in a thread of its own.

    ``reached`` says how far it has come in the store, ``catch_up`` brings it up to date. Of
    several processes the least patient does it; the others see that, and need not do it in vain.
    """

    def __init__(
        self, name: str, reached: Callable[[str], int], catch_up: Callable[[str], object]
    ) -> None:
        self._name = name
        self._reached = reached
        self._catch_up = catch_up
        # Processes are copies of one, so each has to draw its own.
        self._patience = randbelow(STEP)
        self._due: dict[str, float] = {}
        self._pool = ThreadPoolExecutor(1, f"{name}-upkeep")
        self._over = Event()

    def grown(self, campaign: str, version: int) -> None:
        """Note, from any thread, how long a journal is now; catch up if it has grown much."""
        due = self._due.get(campaign, STEP + self._patience)
        if version < due or self._over.is_set():
            return
        self._due[campaign] = inf
        self._pool.submit(self._follow, campaign, version)

    def forget(self, campaign: str) -> None:
        """Drop what is known of a campaign."""
        self._due.pop(campaign, None)

    def stop(self) -> None:
        """Begin nothing more."""
        self._over.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _follow(self, campaign: str, version: int) -> None:
        at = version
        try:
            reached = self._reached(campaign)
            if version - reached < step_after(reached):
                at = reached
            else:
                self._catch_up(campaign)
        except SpancrewError as error:
            _log.warning("the %s of %s is not up to date: %s", self._name, campaign, error)
        self._due[campaign] = at + step_after(at) + self._patience
