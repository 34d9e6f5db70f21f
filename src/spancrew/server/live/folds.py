"""What is folded from journals and kept: a look reads only what is new since the last one."""

import asyncio
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Generic, Protocol, TypeVar

from spancrew.campaign import Entry
from spancrew.errors import StoreError
from spancrew.server.processes import in_thread
from spancrew.stores import EventStore, SentenceRow

_MOST = 50
"""Campaigns that are kept; the one that was looked at longest ago is read again."""


class Fold(Protocol):
    """What is made of a journal; ``version`` is that of the last entry that was taken."""

    version: int

    def take(self, version: int, entry: Entry) -> None:
        """Take an entry of the journal into account."""
        ...


F = TypeVar("F", bound=Fold)
T = TypeVar("T")


class Folds(Generic[F]):
    """A fold for every campaign that somebody looks at.

    A first look at a long journal takes seconds. It has a thread of its own, so that nobody else
    waits for it but those who look at the same campaign.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._kept: OrderedDict[str, F] = OrderedDict()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pool = ThreadPoolExecutor(2, "folds")
        self._over = Event()

    async def look(self, campaign: str, make: Callable[[], F], see: Callable[[F], T]) -> T:
        """Bring the fold of a campaign up to date and return what is seen in it."""
        async with self._turns[campaign]:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, self._look, campaign, make, see)

    def forget(self, campaign: str) -> None:
        """Drop what is known of a campaign."""
        self._kept.pop(campaign, None)
        self._turns.pop(campaign, None)

    def stop(self) -> None:
        """Read no further, so that nobody has to wait for the end of a journal."""
        self._over.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _look(self, campaign: str, make: Callable[[], F], see: Callable[[F], T]) -> T:
        fold = self._kept.pop(campaign, None)
        if fold is None or fold.version > self._store.version(campaign):
            # Nothing is known, or what is known was taken back by a restored backup.
            fold = make()
        for version, entry in self._store.read(campaign, after=fold.version):
            fold.take(version, entry)
            if self._over.is_set():
                raise StoreError("the server is stopping; try again in a moment")
        self._kept[campaign] = fold
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)
        return see(fold)


class Tallies:
    """Counts the events of campaigns; every look reads only what is new."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._lock = Lock()
        self._counts: dict[str, tuple[int, Counter[str]]] = {}

    def kinds(self, versions: Mapping[str, int]) -> dict[str, Counter[str]]:
        """Return how many events of each kind there were since the first look at a campaign.

        ``versions`` are those of all campaigns now; any others are forgotten.
        """
        with self._lock:
            self._counts = {
                name: self._counted(name, version) for name, version in versions.items()
            }
            return {name: counts.copy() for name, (_, counts) in self._counts.items()}

    def _counted(self, campaign: str, version: int) -> tuple[int, Counter[str]]:
        seen, counts = self._counts.get(campaign, (version, Counter[str]()))
        if version <= seen:
            # Nothing is new; or an older journal was put back, which counts from there.
            return version, counts
        for at, entry in self._store.read(campaign, after=seen):
            counts[entry.kind] += 1
            seen = at
        return seen, counts


MOST = 5_000
"""Sentences at hand; each is shown to several workers, one soon after the other."""


class SentenceCache:
    """The sentences of all campaigns, read once; they never change."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._rows: OrderedDict[tuple[str, int], SentenceRow] = OrderedDict()

    async def sentence(self, campaign: str, number: int) -> SentenceRow:
        """Return a sentence; only one that is not at hand costs a look into the store."""
        at = campaign, number
        row = self._rows.get(at)
        if row is None:
            row = await in_thread(self._store.sentence, campaign, number)
            self._rows[at] = row
            if len(self._rows) > MOST:
                self._rows.popitem(last=False)
        return row

    def forget(self, campaign: str) -> None:
        """Drop the sentences of a campaign."""
        for at in [each for each in self._rows if each[0] == campaign]:
            del self._rows[at]
