"""A dashboard hears of a change when the journal grows: from the desk, or from the store."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from queue import Queue
from threading import Event
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from spancrew.campaign import Campaign, Entry
from spancrew.server.desk.background import Pace
from spancrew.server.desk.desk import Desk
from spancrew.server.live import hub as _hub
from spancrew.server.live.folds import SentenceCache
from spancrew.server.live.hub import Channel, Hub
from spancrew.server.logs import make_log
from spancrew.stores import JournalListener, MemoryStore, SqlStore, open_sql
from tests.postgres import Postgres
from tests.server.desks import NAME, join, opened

STUCK = 60.0
"""Seconds after which something never happens."""


@pytest.fixture(autouse=True)
def _no_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever hears of nothing looks at nothing."""
    monkeypatch.setattr(_hub, "FALL_BACK", 3600.0)
    monkeypatch.setattr(_hub, "PAUSE", 0.0)


class CountingDesk:
    """A desk that counts who looks, and fails when it is told to."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.store = desk.store
        self.subscribe = desk.subscribe
        self.looks = 0
        self.error: Exception | None = None
        self.has_failed = asyncio.Event()

    async def look(self, campaign: str, work: Callable[[Campaign], Any]) -> Any:
        """Look, or fail once."""
        self.looks += 1
        error, self.error = self.error, None
        if error is not None:
            self.has_failed.set()
            raise error
        return await self._desk.look(campaign, work)


@asynccontextmanager
async def watched(desk: Any, log: io.StringIO) -> AsyncIterator[tuple[Hub, Channel]]:
    """Watch a campaign that is open and has been looked at."""
    hub = Hub(desk, SentenceCache(desk.store), make_log(log))
    async with hub.watching(NAME) as channel:
        await reached(channel, 1)
        yield hub, channel


async def reached(channel: Channel, version: int) -> None:
    """Wait until a version is shown."""
    async with asyncio.timeout(STUCK):
        while channel.version < version:
            await channel.wait(STUCK)


def run(play: Callable[[Desk, CountingDesk, io.StringIO], Any]) -> None:
    """Play something at a desk in memory."""
    desk = Desk(MemoryStore(), lambda: 5.0, pace=Pace(tick=600.0))
    try:
        asyncio.run(play(desk, CountingDesk(desk), io.StringIO()))
    finally:
        desk.stop()


def test_a_change_in_this_process_is_shown_without_polling() -> None:
    """One look when somebody comes, and then none that nothing was heard before."""

    async def play(desk: Desk, counting: CountingDesk, log: io.StringIO) -> None:
        await opened(desk)
        async with watched(counting, log) as (_, channel):
            before = counting.looks
            for _ in range(3):
                await desk.do(NAME, join)
                await reached(channel, desk.store.version(NAME))

            assert before == 1
            assert before < counting.looks <= before + 4

    run(play)


def test_a_burst_of_changes_is_shown_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred turns are a few looks."""
    monkeypatch.setattr(_hub, "PAUSE", 0.05)

    async def play(desk: Desk, counting: CountingDesk, log: io.StringIO) -> None:
        await opened(desk)
        async with watched(counting, log) as (_, channel):
            for _ in range(100):
                await desk.do(NAME, join)
            await reached(channel, desk.store.version(NAME))

            assert counting.looks < 50

    run(play)


def test_a_change_that_is_not_heard_of_is_found_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page stands still because a notification was lost."""
    monkeypatch.setattr(_hub, "FALL_BACK", 0.01)

    async def play(desk: Desk, counting: CountingDesk, log: io.StringIO) -> None:
        await opened(desk)
        async with watched(counting, log) as (_, channel):
            version = desk.store.version(NAME)
            desk.store.append(NAME, [Entry("Paused", 6.0, "{}")], expected_version=version)
            await reached(channel, version + 1)

    run(play)


@pytest.mark.parametrize("error", [ZeroDivisionError("secret answer"), OSError("secret answer")])
def test_an_error_nobody_foresaw_does_not_end_the_looking(error: Exception) -> None:
    """It is in the log, without what it says, and the next change is shown."""

    async def play(desk: Desk, counting: CountingDesk, log: io.StringIO) -> None:
        await opened(desk)
        async with watched(counting, log) as (_, channel):
            counting.error = error
            await desk.do(NAME, join)
            async with asyncio.timeout(STUCK):
                await counting.has_failed.wait()
            await desk.do(NAME, join)
            await reached(channel, desk.store.version(NAME))

            assert type(error).__name__ in log.getvalue()
            assert "secret" not in log.getvalue()

    run(play)


def test_a_campaign_that_another_process_deletes_is_no_longer_shown() -> None:
    """Its stream ends, and a look says that there is none."""

    async def play(desk: Desk, counting: CountingDesk, log: io.StringIO) -> None:
        await opened(desk)
        async with watched(counting, log) as (hub, channel):
            desk.store.delete(NAME)
            hub.heard(NAME)
            async with asyncio.timeout(STUCK):
                while not channel.is_over:
                    await channel.wait(STUCK)

    run(play)


@contextmanager
def listening(store: SqlStore) -> Iterator["Queue[str | None]"]:
    """Listen to the journals of a store."""
    heard: Queue[str | None] = Queue()
    listener = JournalListener(store.engine, heard.put)
    listener.start()
    try:
        yield heard
    finally:
        listener.stop()


def undone(store: SqlStore) -> None:
    """Take a turn that fails."""
    with store.turn("undone") as turn:
        turn.append([Entry("Started", 1.0, "{}")])
        raise ZeroDivisionError


def test_postgresql_tells_other_connections(postgres: Postgres) -> None:
    """Which campaign has grown or is gone, once it is so; a turn that fails is not heard of."""
    address = postgres.database()
    here, there = open_sql(address), open_sql(address)
    with listening(here) as heard:
        assert heard.get(timeout=STUCK) is None, "from now on it listens"
        with pytest.raises(ZeroDivisionError):
            undone(there)
        there.append("names", [Entry("Started", 1.0, "{}")], expected_version=0)
        first = heard.get(timeout=STUCK)
        there.delete("names")
        second = heard.get(timeout=STUCK)
    here.close()
    there.close()

    assert (first, second) == ("names", "names")


def test_a_listener_whose_connection_is_killed_comes_back(postgres: Postgres) -> None:
    """Anything may have changed meanwhile; after that it hears as before."""
    store = open_sql(postgres.database())
    with listening(store) as heard:
        assert heard.get(timeout=STUCK) is None
        with psycopg.connect(postgres.address("postgres"), autocommit=True) as other:
            killed = other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()"
            ).fetchall()
        again = heard.get(timeout=STUCK)
        store.append("names", [Entry("Started", 1.0, "{}")], expected_version=0)
        after = heard.get(timeout=STUCK)
    store.close()

    assert killed
    assert (again, after) == (None, "names")


def test_a_name_that_is_too_long_for_a_notification_is_left_out(postgres: Postgres) -> None:
    """The journal is written all the same, and everybody looks."""
    store = open_sql(postgres.database())
    with listening(store) as heard:
        assert heard.get(timeout=STUCK) is None
        store.append("n" * 9_000, [Entry("Started", 1.0, "{}")], expected_version=0)
        found = heard.get(timeout=STUCK)
    store.close()

    assert found is None


def test_sqlite_is_asked_only_while_somebody_watches(tmp_path: Path) -> None:
    """Then what another connection wrote is heard of."""
    here, there = open_sql(tmp_path / "store.db"), open_sql(tmp_path / "store.db")
    heard: Queue[str | None] = Queue()
    asked, watched = Event(), Event()

    def is_wanted() -> bool:
        asked.set()
        return watched.is_set()

    listener = JournalListener(here.engine, heard.put, is_wanted)
    listener.start()
    there.append("names", [Entry("Started", 1.0, "{}")], expected_version=0)
    assert asked.wait(STUCK)
    assert heard.empty()
    watched.set()
    assert heard.get(timeout=STUCK) is None
    there.append("names", [Entry("Paused", 2.0, "{}")], expected_version=1)
    assert heard.get(timeout=STUCK) is None
    listener.stop()
    with here.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM journal")).scalar() == 2
    here.close()
    there.close()
