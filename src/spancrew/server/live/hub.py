"""What is new in campaigns that somebody watches: one look for all who watch the same one."""

import asyncio
import json
import re
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from spancrew.campaign import Campaign
from spancrew.errors import SpancrewError, UnknownCampaignError
from spancrew.server.desk.desk import Desk
from spancrew.server.desk.summary import LiveStatus, status_of
from spancrew.server.live.folds import SentenceCache
from spancrew.server.logs import Log, frames
from spancrew.server.processes import in_thread
from spancrew.server.refusals import too_many
from spancrew.stores import EventStore, Recorded

PAUSE = 0.2
"""Seconds between two looks: what changes in quick succession is shown together."""
FALL_BACK = 5.0
"""Seconds after which somebody looks without having heard of a change; one may get lost."""
_KEPT, _WEIGHT = 300, 500_000
"""Events that are kept for those who watch, and how many characters they may have in all."""
_FIRST = 100
"""Events that somebody gets who has seen none."""
_MOST = 500
"""Streams that are open at once in this process."""
_BUSY = 10.0
"""Seconds after which somebody may try again when there are too many."""


_SENTENCE = re.compile(r'"sentence":(\d+)[,}]')
"""Where an event says which sentence it is about; quotes inside of texts are escaped."""


class EventBatch(NamedTuple):
    """Events as JSON, the oldest first, and how many before them are left out."""

    events: list[str]
    skipped: int
    version: int


class Channel:
    """A campaign that is watched: its figures and a limited number of its last events."""

    def __init__(self, campaign: str) -> None:
        self.campaign = campaign
        self.figures: LiveStatus | None = None
        self.is_over = False
        self.watchers = 0
        self._kept: deque[tuple[int, str]] = deque()
        self._weight = 0
        self._news = asyncio.Event()
        self._changed = asyncio.Event()

    @property
    def version(self) -> int:
        """Return the version up to which everything is known here."""
        return 0 if self.figures is None else self.figures.status.version

    def publish(self, figures: LiveStatus, events: list[tuple[int, str]]) -> None:
        """Show what is new to everybody who watches."""
        self._kept.extend(events)
        self._weight += sum(len(text) for _, text in events)
        while len(self._kept) > _KEPT or (self._weight > _WEIGHT and len(self._kept) > 1):
            self._weight -= len(self._kept.popleft()[1])
        self.figures = figures
        self._wake()

    def end(self) -> None:
        """Tell everybody that there is nothing to watch any more."""
        self.is_over = True
        self._wake()

    def since(self, version: int | None) -> EventBatch:
        """Return the events after a version, as far as they are kept."""
        known = version if version is not None and version <= self.version else None
        first = max(self.version - _FIRST, 0) if known is None else known
        found = [(number, text) for number, text in self._kept if number > first]
        oldest = found[0][0] if found else self.version + 1
        skipped = 0 if known is None else max(oldest - known - 1, 0)
        return EventBatch([text for _, text in found], skipped, self.version)

    async def wait(self, seconds: float) -> None:
        """Wait for news, but not longer than some seconds."""
        await _wait(self._news, seconds)

    def change(self) -> None:
        """Note that the journal has changed, so that somebody looks soon."""
        self._changed.set()

    async def changed(self, seconds: float) -> None:
        """Wait until the journal changes after the last call, but not longer than some seconds."""
        await _wait(self._changed, seconds)
        self._changed.clear()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Hub:
    """The campaigns that are watched in this process.

    The desk says when a journal grows here, and a listener of the store when one does elsewhere;
    only then somebody looks. A slow reader gets the newest when they come for more; nothing piles
    up for them.
    """

    def __init__(self, desk: Desk, sentences: SentenceCache, log: Log) -> None:
        self._desk = desk
        self._sentences = sentences
        self._log = log
        self._channels: dict[str, Channel] = {}
        self._followers: dict[str, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        desk.subscribe(self.heard)

    @property
    def watchers(self) -> int:
        """Return how many watch."""
        return sum(channel.watchers for channel in self._channels.values())

    def heard(self, campaign: str | None) -> None:
        """Note, from any thread, that a journal has changed; None if any of them may have."""
        loop = self._loop
        if loop is None or not self._channels:
            return
        try:
            loop.call_soon_threadsafe(self._change, campaign)
        except RuntimeError:
            # The loop has ended, and with it all streams.
            self._loop = None

    def is_watched(self) -> bool:
        """Tell whether anybody watches anything."""
        return bool(self._channels)

    @asynccontextmanager
    async def watching(self, campaign: str) -> AsyncIterator[Channel]:
        """Watch a campaign; the first one starts the looking, the last one ends it."""
        self._loop = asyncio.get_running_loop()
        channel = self._channels.get(campaign)
        if channel is None:
            channel = self._channels[campaign] = Channel(campaign)
            self._followers[campaign] = asyncio.create_task(self._follow(channel))
        channel.watchers += 1
        try:
            yield channel
        finally:
            channel.watchers -= 1
            if not channel.watchers and self._channels.get(campaign) is channel:
                self._drop(campaign)

    def refuse_crowd(self) -> None:
        """Refuse one more where too many watch already."""
        if self.watchers >= _MOST:
            raise too_many(_BUSY)

    def _change(self, campaign: str | None) -> None:
        for name, channel in self._channels.items():
            if campaign in {None, name}:
                channel.change()

    def _drop(self, campaign: str) -> None:
        self._channels.pop(campaign).is_over = True
        self._followers.pop(campaign).cancel()

    async def _follow(self, channel: Channel) -> None:
        """Look whenever the journal changes, until there is nothing to watch any more."""
        while not channel.is_over:
            try:
                await self._look(channel)
            except UnknownCampaignError:
                channel.end()
            except SpancrewError as error:
                # The store does not answer now; those who watch see that nothing moves.
                self._log.warning("live waits", problem=type(error).__name__)
            except Exception as error:  # noqa: BLE001  logged; the next look may be better
                problem = type(error).__name__
                self._log.error("live failed", problem=problem, where=frames(error))
            await asyncio.sleep(PAUSE)
            await channel.changed(FALL_BACK)

    async def _look(self, channel: Channel) -> None:
        known = channel.figures and channel.version
        found = await self._desk.look(channel.campaign, lambda now: _figures(now, known))
        if found is None:
            return
        version = found.status.version
        after = max(channel.version, version - _KEPT, 0)
        if version < channel.version:
            after = max(version - _KEPT, 0)
        events = await in_thread(_some, self._desk.store, channel.campaign, after, version)
        texts = [(each.version, await self._text(channel.campaign, each)) for each in events]
        channel.publish(found, texts)

    async def _text(self, campaign: str, recorded: Recorded) -> str:
        """Return an event as JSON, with the id of its sentence; its body is JSON already."""
        version, entry = recorded
        number = _SENTENCE.search(entry.body)
        row = number and await self._sentences.sentence(campaign, int(number[1]))
        known = {"version": version, "kind": entry.kind, "at": entry.at}
        head = json.dumps({**known, "sentence": row.id if row else None})
        return f'{head[:-1]}, "body": {entry.body}}}'


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


def _figures(campaign: Campaign, known: int | None) -> LiveStatus | None:
    """Return the figures of a campaign; None if they are known."""
    if campaign.version == known:
        return None
    return status_of(campaign)


def _some(store: EventStore, campaign: str, after: int, until: int) -> list[Recorded]:
    """Return the events after a version, up to another."""
    found: list[Recorded] = []
    for recorded in store.read(campaign, after=after):
        if recorded.version > until:
            break
        found.append(recorded)
    return found
