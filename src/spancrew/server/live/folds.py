"""What is folded from journals and kept: a look reads only what is new since the last one."""

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import Generic, Protocol, TypeVar

from spancrew.campaign import Entry
from spancrew.errors import (
    JournalError,
    StoreError,
    UnknownCampaignError,
    UnknownSentenceError,
)
from spancrew.server.desk.queue import keep_derived
from spancrew.server.live.upkeep import Upkeep, step_after
from spancrew.server.processes import in_thread
from spancrew.stores import Derived, EventStore, SentenceRow

_MOST = 20
"""Campaigns whose folds are in memory; the one that was looked at longest ago goes."""
_IDLE = 300.0
"""Seconds after which a fold leaves memory that nobody has looked at."""
_TURNS = 64
"""Those who look at the same campaign take turns; two campaigns rarely share theirs."""

_log = logging.getLogger("spancrew.live")


class Fold(Protocol):
    """What is made of a journal; ``version`` is that of the last entry that was taken."""

    version: int

    def take(self, version: int, entry: Entry) -> None:
        """Take an entry of the journal into account."""
        ...

    def to_bytes(self) -> bytes:
        """Return what was made so far, to be kept."""
        ...

    def resume(self, data: bytes) -> None:
        """Go on from what was kept; refuse other bytes with a JournalError."""
        ...


F = TypeVar("F", bound=Fold)
T = TypeVar("T")


@dataclass(slots=True)
class _Held(Generic[F]):
    """A fold in memory, and the version at which it is in the store."""

    fold: F
    kept_at: int = 0
    used_at: float = 0.0

    @property
    def due(self) -> int:
        """Return the version at which it is to be kept again."""
        return self.kept_at + step_after(self.kept_at)


class Folds(Generic[F]):
    """A fold for every campaign that somebody looks at, kept in the store as journals grow.

    What takes long has threads of its own, so that nobody waits for it but those who look at the
    same campaign.
    """

    def __init__(self, store: EventStore, kind: str, make: Callable[[str], F]) -> None:
        self._store = store
        self._kind = kind
        self._make = make
        self._held: OrderedDict[str, _Held[F]] = OrderedDict()
        self._lock = Lock()
        self._turns = [asyncio.Lock() for _ in range(_TURNS)]
        self._pool = ThreadPoolExecutor(2, f"{kind}-folds")
        self._over = Event()
        self._upkeep = Upkeep(kind, self._reached, lambda each: self._look(each, lambda _: None))

    async def look(self, campaign: str, see: Callable[[F], T]) -> T:
        """Bring the fold of a campaign up to date and return what is seen in it."""
        async with self._turns[hash(campaign) % _TURNS]:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, self._look, campaign, see)

    def grown(self, campaign: str, version: int) -> None:
        """Note, from any thread, how long a journal is now; fold it if it has grown much."""
        self._upkeep.grown(campaign, version)

    def forget(self, campaign: str) -> None:
        """Drop what is known of a campaign."""
        with self._lock:
            self._held.pop(campaign, None)
        self._upkeep.forget(campaign)

    def sweep(self) -> None:
        """Drop what nobody has looked at for long."""
        long_ago = time.monotonic() - _IDLE
        with self._lock:
            for name in [name for name, each in self._held.items() if each.used_at < long_ago]:
                del self._held[name]

    def stop(self) -> None:
        """Read no further, so that nobody has to wait for the end of a journal."""
        self._over.set()
        self._upkeep.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _reached(self, campaign: str) -> int:
        """Return the version at which the fold is in the store."""
        kept = self._store.kept(campaign, self._kind)
        return 0 if kept is None else kept.version

    def _look(self, campaign: str, see: Callable[[F], T]) -> T:
        # Whoever takes it out has it alone; a second one at the same time begins anew.
        with self._lock:
            held = self._held.pop(campaign, None)
        last = self._store.version(campaign)
        if last == 0:
            raise UnknownCampaignError(f"there is no campaign {campaign!r}")
        if held is None or held.fold.version > last:
            # Nothing is known, or what is known was taken back by a restored backup.
            held = self._resumed(campaign, last)
        for version, entry in self._store.read(campaign, after=held.fold.version):
            held.fold.take(version, entry)
            if self._over.is_set():
                raise StoreError("the server is stopping; try again in a moment")
        self._keep(campaign, held)
        seen = see(held.fold)
        self._hold(campaign, held)
        return seen

    def _resumed(self, campaign: str, last: int) -> _Held[F]:
        """Return the fold that was kept last, or a new one."""
        fold = self._make(campaign)
        kept = self._store.kept(campaign, self._kind)
        if kept is None or kept.version > last:
            return _Held(fold)
        try:
            fold.resume(kept.data)
        except (JournalError, KeyError, TypeError, ValueError):
            _log.warning("the kept %s of %s cannot be used; reading all", self._kind, campaign)
            return _Held(self._make(campaign))
        fold.version = kept.version
        return _Held(fold, kept.version)

    def _keep(self, campaign: str, held: _Held[F]) -> None:
        if held.fold.version >= held.due:
            kept = Derived(held.fold.version, held.fold.to_bytes())
            keep_derived(self._store, campaign, self._kind, kept)
            held.kept_at = held.fold.version

    def _hold(self, campaign: str, held: _Held[F]) -> None:
        held.used_at = time.monotonic()
        with self._lock:
            self._held[campaign] = held
            while len(self._held) > _MOST:
                self._held.popitem(last=False)


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


MOST, _WEIGHT = 5_000, 1_000_000
"""Sentences at hand, and how many tokens and characters they may have in all.

Each is shown to several workers, one soon after the other.
"""


class SentenceCache:
    """The sentences of all campaigns, read once; they never change."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._rows: OrderedDict[tuple[str, int], SentenceRow] = OrderedDict()
        self._weight = 0
        self._lock = Lock()
        # Several workers get the same sentence at the same moment, and wait for one look.
        self._coming: dict[tuple[str, int], asyncio.Future[SentenceRow]] = {}
        self._wanted: dict[str, list[int]] = {}

    async def sentence(self, campaign: str, number: int) -> SentenceRow:
        """Return a sentence; only one that is not at hand costs a look into the store."""
        at = campaign, number
        row = self._rows.get(at)
        if row is not None:
            return row
        coming = self._coming.get(at)
        if coming is None:
            loop = asyncio.get_running_loop()
            self._coming[at] = coming = loop.create_future()
            wanted = self._wanted.setdefault(campaign, [])
            wanted.append(number)
            if len(wanted) == 1:
                # Answers are told together, so the others want theirs before this is called.
                loop.call_soon(lambda: loop.create_task(self._fetch(campaign)))
        # Whoever goes away takes nobody else along.
        return await asyncio.shield(coming)

    async def _fetch(self, campaign: str) -> None:
        """Read all that is wanted of a campaign in one look."""
        numbers = self._wanted.pop(campaign)
        failure: Exception | None = None
        found: dict[int, SentenceRow] = {}
        try:
            found = await in_thread(self._store.sentences_at, campaign, numbers)
        except Exception as error:  # noqa: BLE001  whatever it is, nobody may wait for ever
            failure = error
        for number in numbers:
            coming, row = self._coming.pop((campaign, number)), found.get(number)
            if row is None:
                unknown = UnknownSentenceError(f"campaign {campaign!r} has no sentence {number}")
                coming.set_exception(failure or unknown)
            else:
                self._hold(campaign, number, row)
                coming.set_result(row)

    def _hold(self, campaign: str, number: int, row: SentenceRow) -> None:
        with self._lock:
            self._rows[campaign, number] = row
            self._weight += _weight(row)
            while len(self._rows) > MOST or (self._weight > _WEIGHT and len(self._rows) > 1):
                self._weight -= _weight(self._rows.popitem(last=False)[1])

    def forget(self, campaign: str) -> None:
        """Drop the sentences of a campaign, from any thread."""
        with self._lock:
            for at in [each for each in self._rows if each[0] == campaign]:
                self._weight -= _weight(self._rows.pop(at))


def _weight(row: SentenceRow) -> int:
    return len(row.bounds) + len(row.text) + len(row.meta)
