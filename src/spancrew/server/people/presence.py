"""Who is there: workers who were heard of lately, by any process; and when experts were."""

import asyncio
from collections import defaultdict

from spancrew.server.people.directory import Directory
from spancrew.server.people.values import Person
from spancrew.server.processes import in_thread

_WRITE_EVERY = 15.0
_LOOK_EVERY = 1.0


class Presence:
    """Marks workers as present and tells who is; at most one write and one look a second.

    Workers of this process are known at once, those of others after a second or so. A worker is
    written down at most every 15 seconds; marks wait until somebody looks.
    """

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._written: dict[int, float] = {}
        self._marks: dict[int, float] = {}
        self._heard: defaultdict[str, dict[int, float]] = defaultdict(dict)
        self._looked: dict[str, float] = {}
        self._present: dict[str, frozenset[int]] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def mark(self, person: Person, now: float) -> None:
        """Note that a worker or an expert was heard of."""
        if person.campaign is None or person.number is None:
            return
        if person.role == "worker":
            self._heard[person.campaign][person.number] = now
        if now - self._written.get(person.id, -_WRITE_EVERY) >= _WRITE_EVERY:
            self._marks[person.id] = self._written[person.id] = now

    async def write(self) -> None:
        """Write down who was last seen when, for others to read."""
        marks, self._marks = self._marks, {}
        await in_thread(self._directory.people.see, marks)

    async def available(
        self, campaign: str, worker: int, window: float, now: float
    ) -> frozenset[int]:
        """Return the workers of a campaign who are there, the one who asks among them."""
        if self._is_due(campaign, now):
            async with self._turns[campaign]:
                if self._is_due(campaign, now):
                    await self._look(campaign, window, now)
        present = self._present[campaign]
        if worker not in present:
            # A new set: others may be looking at the old one in their threads.
            present = self._present[campaign] = present | {worker}
        return present

    def forget(self, person: Person) -> None:
        """Drop what is noted of a worker or an expert."""
        self._written.pop(person.id, None)
        self._marks.pop(person.id, None)
        if person.role == "worker" and person.campaign is not None and person.number is not None:
            self._heard[person.campaign].pop(person.number, None)
            self._looked.pop(person.campaign, None)

    def _is_due(self, campaign: str, now: float) -> bool:
        return now - self._looked.get(campaign, -_LOOK_EVERY) >= _LOOK_EVERY

    async def _look(self, campaign: str, window: float, now: float) -> None:
        await self.write()
        since = now - max(window, _WRITE_EVERY)
        found = await in_thread(self._directory.people.present, campaign, since)
        heard = self._heard[campaign]
        self._present[campaign] = found | {n for n, at in heard.items() if at >= now - window}
        self._looked[campaign] = now
