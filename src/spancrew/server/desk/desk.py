"""The desk: the only way from requests to campaigns.

Works that wait for a campaign share a turn, so that one write to the disk serves them all.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition
from typing import Any, TypeVar

from spancrew.campaign import Campaign, Material, Plan, entry_of
from spancrew.errors import ConflictError, PlanError, StoreError, VersionError
from spancrew.server.desk.background import Background, Pace
from spancrew.server.desk.queue import CampaignQueue, Work
from spancrew.server.settings import Clock
from spancrew.stores import Derived, EventStore, SentenceRow, material_bytes

T = TypeVar("T")


class Desk:
    """Campaigns in memory, each in step with its journal.

    A work gets the campaign in a thread of the desk and must neither wait nor call the store. It
    may be done more than once, if others spoil the turn; its effects count once. What it returns,
    nobody hears before it is safe; if it cannot be made safe, there is a :class:`StoreError` and
    nothing has happened.
    """

    def __init__(self, store: EventStore, clock: Clock, *, pace: Pace | None = None) -> None:
        self._store = store
        self._clock = clock
        self._pace = pace or Pace()
        self._queues: dict[str, CampaignQueue] = {}
        self._waiting = 0
        self._closed = False
        self._state = Condition()
        self._pool = ThreadPoolExecutor(self._pace.threads, "desk")
        self._listeners: list[Callable[[str], None]] = []
        self._background = Background(self._pace, clock, self._put)
        self._background.start(self._tick)

    @property
    def store(self) -> EventStore:
        """Return the store, for reading journals and sentences."""
        return self._store

    @property
    def waiting(self) -> int:
        """Return how many works wait now."""
        return self._waiting

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Call somebody with the name of every campaign whose journal grows or goes, once it has.

        The call is made in a thread of the desk and must not wait.
        """
        self._listeners.append(listener)

    async def do(self, campaign: str, work: Callable[[Campaign], T]) -> T:
        """Change a campaign; return what the work returns, once it is safe."""
        done: T = await asyncio.wrap_future(self._put(campaign, work))
        return done

    async def look(self, campaign: str, work: Callable[[Campaign], T]) -> T:
        """Look at a campaign as it is now, with all that other processes wrote."""
        seen: T = await asyncio.wrap_future(self._put(campaign, work, writes=False))
        return seen

    async def open(
        self, campaign: str, plan: Plan, material: Material, rows: Iterable[SentenceRow]
    ) -> None:
        """Set up a campaign with its sentences; it is there once all of it is."""
        await asyncio.to_thread(self._open, campaign, plan, material, rows)

    async def delete(self, campaign: str) -> None:
        """Remove a campaign for good."""
        with self._state:
            queue = self._queues.get(campaign)
        if queue is not None and queue.snapshot_kept is not None:
            await asyncio.wrap_future(queue.snapshot_kept)
        await asyncio.to_thread(self._store.delete, campaign)
        with self._state:
            # What still waits in the old queue finds no journal and is refused. Who comes later
            # gets a new queue, in which nothing is known of the campaign that is gone.
            self._queues.pop(campaign, None)
        self._announce(campaign)

    async def close(self) -> None:
        """Take no more works, do those that wait, and stop all threads."""
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        """Do what :meth:`close` does, and wait for it."""
        with self._state:
            self._closed = True
        self._background.stop_ticking()
        with self._state:
            self._state.wait_for(lambda: not any(each.scheduled for each in self._queues.values()))
        self._pool.shutdown()
        self._background.stop()

    def _put(
        self, campaign: str, work: Callable[[Campaign], Any], *, writes: bool = True
    ) -> "Future[Any]":
        future: Future[Any] = Future()
        with self._state:
            if self._closed:
                raise StoreError("the server is stopping; try again in a moment")
            if self._waiting >= self._pace.waiting:
                raise StoreError(
                    f"the server is busy: {self._waiting} requests wait; try again in a moment"
                )
            queue = self._queues.get(campaign)
            if queue is None:
                queue = CampaignQueue(self._store, campaign, self._pace.fits)
                self._queues[campaign] = queue
            queue.waiting.append(Work(work, writes, future))
            self._waiting += 1
            self._schedule(queue)
        return future

    def _schedule(self, queue: CampaignQueue) -> None:
        """See that somebody serves a queue that has works; hold the lock."""
        if queue.waiting and not queue.scheduled:
            queue.scheduled = True
            self._pool.submit(self._serve, queue)

    def _serve(self, queue: CampaignQueue) -> None:
        """Serve one batch of a queue, then let the others have the thread."""
        with self._state:
            count = min(len(queue.waiting), self._pace.batch)
            works = [queue.waiting.popleft() for _ in range(count)]
            self._waiting -= count
        try:
            if queue.serve(works):
                self._announce(queue.name)
            self._background.care_for(queue)
        finally:
            with self._state:
                queue.scheduled = False
                self._schedule(queue)
                is_idle = not queue.scheduled and queue.campaign is None
                if is_idle and self._queues.get(queue.name) is queue:
                    del self._queues[queue.name]
                self._state.notify_all()

    def _announce(self, campaign: str) -> None:
        for listener in self._listeners:
            listener(campaign)

    def _tick(self) -> None:
        """Let the time pass for all campaigns that are running."""
        with self._state:
            idle = [queue for queue in self._queues.values() if not queue.waiting]
        for queue in idle:
            if queue.campaign is not None and queue.campaign.phase == "running":
                self._put(queue.name, lambda campaign: campaign.tick(self._clock()))

    def _open(
        self, name: str, plan: Plan, material: Material, rows: Iterable[SentenceRow]
    ) -> None:
        campaign = Campaign.open(plan, material, self._clock(), fits=self._pace.fits)
        if self._store.version(name):
            raise ConflictError(f"there is a campaign {name!r} already; choose another name")
        count = self._store.add_sentences(name, rows)
        if count != len(material):
            raise PlanError(f"{count} sentences were given, the material has {len(material)}")
        self._store.keep(name, "material", Derived(0, material_bytes(material)))
        entries = [entry_of(event) for event in campaign.news()]
        try:
            # Last, so that a start that is cut short leaves no campaign.
            self._store.append(name, entries, expected_version=0)
        except VersionError:
            raise ConflictError(f"there is a campaign {name!r} already") from None
