"""The desk: the only way from requests to campaigns.

Works that wait for a campaign share a turn, so that one write to the disk serves them all.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from math import inf
from threading import Condition
from typing import Any, TypeVar

from spancrew.campaign import Campaign, Material, Plan, entry_of
from spancrew.errors import ConflictError, PlanError, SpancrewError, StoreError
from spancrew.server.desk.background import Background, Pace
from spancrew.server.desk.queue import CampaignQueue, QueuedWork
from spancrew.server.desk.summary import summarised
from spancrew.server.settings import Clock
from spancrew.stores import Derived, EventStore, SentenceRow, material_bytes

T = TypeVar("T")

_ALONE = 60.0
"""Seconds after which a campaign is tried again whose time could not pass."""

_log = logging.getLogger("spancrew.desk")


class Desk:
    """Campaigns in memory, each in step with its journal, as long as somebody uses them.

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
        self._growers: list[Callable[[str, int], None]] = []
        self._leavers: list[Callable[[str], None]] = []
        # Campaigns whose time could not pass, and until when they are left alone.
        self._troubled: dict[str, float] = {}
        self._background = Background(self._pace, clock, self._put)
        self._background.start(self._catch_up, self._tick)

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

    def when_grown(self, grower: Callable[[str, int], None]) -> None:
        """Call somebody with every campaign whose journal has grown here, and its version.

        The call is made in a thread of the desk and must not wait.
        """
        self._growers.append(grower)

    def when_left(self, leaver: Callable[[str], None]) -> None:
        """Call somebody with the name of every campaign that leaves memory, or is deleted here.

        The call is made in any thread and must not wait.
        """
        self._leavers.append(leaver)

    async def do(self, campaign: str, work: Callable[[Campaign], T]) -> T:
        """Change a campaign; return what the work returns, once it is safe."""
        done: T = await asyncio.wrap_future(self._put(campaign, work))
        return done

    async def grow(
        self, campaign: str, work: Callable[[Campaign], T], rows: Sequence[SentenceRow]
    ) -> T:
        """Change a campaign by a work that may add these sentences, all or none."""
        done: T = await asyncio.wrap_future(self._put(campaign, work, rows=rows))
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
        await asyncio.to_thread(self._store.delete, campaign)
        with self._state:
            # What still waits in the old queue finds no journal and is refused. Who comes later
            # gets a new queue, in which nothing is known of the campaign that is gone.
            self._queues.pop(campaign, None)
        self._announce(campaign)
        self._leave(campaign)

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
        for queue in self._queues.values():
            queue.pack_up()

    def _put(
        self,
        campaign: str,
        work: Callable[[Campaign], Any],
        *,
        writes: bool = True,
        rows: Sequence[SentenceRow] = (),
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
            queue.waiting.append(QueuedWork(work, writes, future, rows))
            queue.used_at = time.monotonic()
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
                self._note_growth(queue)
            self._background.care_for(queue)
        finally:
            self._release(queue, is_over=queue.campaign is None)

    def _send_away(self, queue: CampaignQueue) -> None:
        """Let a campaign leave memory; it comes back as soon as somebody wants it."""
        try:
            queue.pack_up()
        finally:
            self._release(queue, is_over=True)

    def _release(self, queue: CampaignQueue, *, is_over: bool) -> None:
        """Let others serve a queue; drop it if it is over and nobody has come for it meanwhile."""
        with self._state:
            queue.scheduled = False
            self._schedule(queue)
            is_dropped = is_over and not queue.scheduled
            if is_dropped and self._queues.get(queue.name) is queue:
                del self._queues[queue.name]
            self._state.notify_all()
        if is_dropped:
            self._leave(queue.name)

    def _leave(self, campaign: str) -> None:
        for leaver in self._leavers:
            leaver(campaign)

    def _note_growth(self, queue: CampaignQueue) -> None:
        if queue.campaign is not None:
            for grower in self._growers:
                grower(queue.name, queue.campaign.version)

    def _announce(self, campaign: str) -> None:
        for listener in self._listeners:
            listener(campaign)

    def _tick(self) -> None:
        """Let the time pass for campaigns that it changes, whether they are in memory or not."""
        now = time.monotonic()
        self._troubled = {name: until for name, until in self._troubled.items() if until > now}
        for name in self._store.due(self._clock()):
            if name not in self._troubled:
                ticked = self._put(name, lambda campaign: campaign.tick(self._clock()))
                ticked.add_done_callback(partial(self._note_trouble, name))
        self._send_away_idle(now - self._pace.idle)

    def _note_trouble(self, name: str, ticked: "Future[Any]") -> None:
        """Leave a campaign alone for a while whose time cannot pass: each attempt reads it."""
        if ticked.exception() is not None:
            self._troubled[name] = time.monotonic() + _ALONE

    def _send_away_idle(self, long_ago: float) -> None:
        """Let campaigns leave memory that nobody has used for long, or that are too many."""
        with self._state:
            loaded = sorted(self._queues.values(), key=lambda each: each.used_at)
            beyond = len(loaded) - self._pace.loaded
            for place, queue in enumerate(loaded):
                is_idle = place < beyond or queue.used_at < long_ago
                if is_idle and not queue.scheduled and queue.fitting is None:
                    queue.scheduled = True
                    self._pool.submit(self._send_away, queue)

    def _catch_up(self) -> None:
        """Write the summaries that are missing: of older stores, or lost with a journal's end."""
        missing = set(self._store.campaigns()) - set(self._store.summaries())
        for name in sorted(missing):
            try:
                self._put(name, lambda _: None).result()
            except SpancrewError as error:
                _log.warning("campaign %s has no summary: %s", name, error)
            self._send_away_idle(-inf)

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
        # Last, so that a start that is cut short leaves no campaign.
        with self._store.turn(name) as turn:
            is_new = turn.version == 0
            if is_new:
                turn.append(entries)
                turn.summarise(*summarised(campaign))
        if not is_new:
            raise ConflictError(f"there is a campaign {name!r} already")
