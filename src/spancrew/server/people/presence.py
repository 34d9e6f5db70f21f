"""Who is there: workers who were heard of lately, in this process and in others."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from math import inf

from spancrew.server.people.directory import Directory
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread

WRITTEN_EVERY, _LOOK_EVERY = 15.0, 1.0
"""Seconds between two writes about a worker, and between two looks at a campaign."""
_MOST = 500
"""Campaigns whose workers are known here; the one heard of longest ago is looked up again."""


@dataclass(slots=True)
class _Attendance:
    """The people of a campaign: ``heard`` by their numbers, ``written`` by their ids."""

    heard: dict[int, float] = field(default_factory=dict)
    written: dict[int, float] = field(default_factory=dict)
    present: frozenset[int] = frozenset()
    looked: float = -inf
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Presence:
    """Marks workers as present and tells who is; at most one write and one look a second.

    Workers of this process are known at once, those of others after a second or so. A worker is
    written down at most every 15 seconds; marks wait until somebody looks.
    """

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._marks: dict[int, float] = {}
        self._rooms: OrderedDict[str, _Attendance] = OrderedDict()

    def mark(self, person: PersonRow, now: float) -> None:
        """Note that a worker or an expert was heard of."""
        if person.campaign is None or person.number is None:
            return
        room = self._room(person.campaign)
        if person.role == "worker":
            room.heard[person.number] = now
        if abs(now - room.written.get(person.id, -inf)) >= WRITTEN_EVERY:
            self._marks[person.id] = room.written[person.id] = now

    async def write(self) -> None:
        """Write down who was last seen when, for others to read."""
        marks, self._marks = self._marks, {}
        if marks:
            await in_thread(self._directory.people.see, marks)

    async def available(
        self, campaign: str, worker: int, window: float, now: float
    ) -> frozenset[int]:
        """Return the workers of a campaign who are there, the one who asks among them."""
        room = self._room(campaign)
        # Where the clock was set back, the last look lies ahead.
        if abs(now - room.looked) >= _LOOK_EVERY:
            async with room.turn:
                if abs(now - room.looked) >= _LOOK_EVERY:
                    await self._look(campaign, room, window, now)
        if worker not in room.present:
            # A new set: others may be looking at the old one in their threads.
            room.present |= {worker}
        return room.present

    def forget(self, person: PersonRow) -> None:
        """Drop what is noted of a worker or an expert."""
        self._marks.pop(person.id, None)
        room = self._rooms.get(person.campaign or "")
        if room is None:
            return
        room.written.pop(person.id, None)
        if person.role == "worker" and person.number is not None:
            room.heard.pop(person.number, None)
            room.looked = -inf

    def forget_campaign(self, campaign: str) -> None:
        """Drop what is noted of a campaign; the database still has who was there lately."""
        self._rooms.pop(campaign, None)

    def _room(self, campaign: str) -> _Attendance:
        room = self._rooms.get(campaign)
        if room is None:
            room = self._rooms[campaign] = _Attendance()
            if len(self._rooms) > _MOST:
                self._rooms.popitem(last=False)
        self._rooms.move_to_end(campaign)
        return room

    async def _look(self, campaign: str, room: _Attendance, window: float, now: float) -> None:
        await self.write()
        lately = max(window, WRITTEN_EVERY)
        found = await in_thread(self._directory.people.present, campaign, now, lately)
        # Only those who are there are remembered: whoever has gone would stay for ever.
        room.heard = {n: at for n, at in room.heard.items() if abs(now - at) <= window}
        room.written = {n: at for n, at in room.written.items() if abs(now - at) < WRITTEN_EVERY}
        room.present = found | room.heard.keys()
        room.looked = now
