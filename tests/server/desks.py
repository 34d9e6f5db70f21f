"""Campaigns for the desk, and a store that fails when it is told to."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from spancrew.campaign import Campaign, Entry, Material, Plan, Submission, Waiting
from spancrew.core import Dataset
from spancrew.errors import StoreError
from spancrew.feedback import CrowdOnly
from spancrew.formats import read
from spancrew.server.desk.desk import Desk
from spancrew.stores import EventStore, MemoryStore, SentenceRow, Turn

NAME = "names"
WORKERS = 4


@cache
def demo() -> Dataset:
    """Return the bundled data set without answers."""
    return read("demo").dataset.without_answers()


@cache
def material(sentences: int = 12) -> Material:
    """Return the first sentences of the bundled data set."""
    return Material.of(demo().take(np.arange(sentences)), use_gold=False)


def plan(**given: Any) -> Plan:
    """Return a plan by which two workers agree on everything, without experts."""
    labels = tuple(demo().labels)
    usual: dict[str, Any] = {"crew": 4, "answers": 2, "warm_up": "none", "feedback": CrowdOnly()}
    return Plan(labels, **{**usual, **given})


def rows(sentences: int = 12) -> Iterator[SentenceRow]:
    """Yield as many sentences as there are in the material."""
    return (SentenceRow(str(number), "a", ((0, 1),)) for number in range(sentences))


async def opened(desk: Desk, name: str = NAME, *, sentences: int = 12, **given: Any) -> None:
    """Open a campaign, start it and let four workers join."""
    await desk.open(name, plan(**given), material(sentences), rows(sentences))
    await desk.do(name, begin)


def begin(campaign: Campaign) -> None:
    """Start a campaign with four workers."""
    campaign.start(1.0)
    for _ in range(WORKERS):
        campaign.join(1.0)


def answer(worker: int, now: float = 2.0) -> Callable[[Campaign], int | None]:
    """Return a work in which a worker takes a sentence and finds nothing in it."""

    def work(campaign: Campaign) -> int | None:
        found = campaign.next(worker, range(WORKERS), now)
        if isinstance(found, Waiting):
            return None
        campaign.tell(Submission(found.number, worker, ()), now)
        return found.number

    return work


def join(campaign: Campaign) -> int:
    """Let one more worker come."""
    return campaign.join(3.0)


class CountingStore:
    """A store in memory that counts its turns and fails when ``broken`` says where."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.turns = 0
        self.broken = ""

    def __getattr__(self, name: str) -> Any:
        """Do everything else as the store in memory does."""
        return getattr(self.inner, name)

    @contextmanager
    def turn(self, campaign: str) -> Iterator[Turn]:
        """Take a turn, and fail before it, in it, or at its end."""
        self.turns += 1
        self._fail_at("before")
        with self.inner.turn(campaign) as turn:
            yield turn
            self._fail_at("commit")

    def read(self, campaign: str, *, after: int = 0) -> Iterator[Any]:
        """Read, or fail."""
        self._fail_at("read")
        return self.inner.read(campaign, after=after)

    def _fail_at(self, where: str) -> None:
        if self.broken == where:
            raise StoreError(f"the disk is full ({where})")


def kinds(store: EventStore, name: str = NAME) -> Sequence[str]:
    """Return the kinds of all events in a journal."""
    return [recorded.entry.kind for recorded in store.read(name)]


def bodies(store: EventStore, kind: str, name: str = NAME) -> list[Entry]:
    """Return the entries of a kind."""
    return [recorded.entry for recorded in store.read(name) if recorded.entry.kind == kind]
