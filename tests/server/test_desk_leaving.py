"""Campaigns leave memory when nobody uses them, and come back as they were."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.campaign import Campaign
from spancrew.server.desk import queue as _queue
from spancrew.server.desk.background import Pace
from spancrew.server.desk.desk import Desk
from spancrew.server.desk.summary import status_in, status_of
from spancrew.stores import EventStore, MemoryStore, SqlStore, open_sql
from tests.server.desks import NAME, CountingStore, answer, join, kinds, opened
from tests.waiting import wait_until

SOON = Pace(tick=0.02, idle=0.0)
LONG = Pace(tick=600.0)


def is_empty(desk: Desk) -> bool:
    """Tell whether no campaign is in memory."""
    return not desk._queues


def seen(campaign: Campaign) -> tuple[object, ...]:
    """Look at all that must not change."""
    return campaign.status(), campaign.ledger(), campaign.standings()


def test_a_campaign_that_nobody_uses_leaves_memory_and_comes_back() -> None:
    """With a snapshot, if there is much to read again; and goes on where it was."""
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=SOON)
    left: list[str] = []
    desk.when_left(left.append)
    _near, _queue._NEAR = _queue._NEAR, 5
    try:
        asyncio.run(opened(desk))
        before = asyncio.run(desk.look(NAME, seen))
        wait_until(lambda: is_empty(desk))
    finally:
        _queue._NEAR = _near
    kept = store.kept(NAME, "snapshot")

    assert kept is not None
    assert kept.version == store.version(NAME)
    assert left
    assert set(left) == {NAME}
    assert asyncio.run(desk.look(NAME, seen)) == before
    assert asyncio.run(desk.do(NAME, join)) == 4
    desk.stop()


def test_a_desk_that_stops_leaves_little_to_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the first look after a restart is quick, however long the journal is."""
    monkeypatch.setattr(_queue, "_NEAR", 5)
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=LONG)
    asyncio.run(opened(desk))
    desk.stop()
    kept = store.kept(NAME, "snapshot")

    assert kept is not None
    assert kept.version == store.version(NAME)


def test_the_one_used_longest_ago_goes_where_there_are_too_many() -> None:
    """Those used lately stay."""
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=Pace(tick=0.02, loaded=2))
    for name in "abcd":
        asyncio.run(opened(desk, name))
    wait_until(lambda: len(desk._queues) == 2)

    assert set(desk._queues) == {"c", "d"}
    desk.stop()


def test_leases_end_though_the_campaign_is_not_in_memory() -> None:
    """It is loaded when the first of them does, by whoever runs then: after a restart, too."""
    now = [5.0]

    async def begin(desk: Desk) -> None:
        await opened(desk, lease=60.0)
        await desk.do(NAME, lambda campaign: campaign.next(0, range(4), 5.0))
        await desk.close()

    store = MemoryStore()
    asyncio.run(begin(Desk(store, lambda: 5.0, pace=LONG)))
    desk = Desk(store, lambda: now[0], pace=SOON)
    wait_until(lambda: is_empty(desk))
    before = kinds(store).count("Expired")
    now[0] = 70.0
    wait_until(lambda: "Expired" in kinds(store))
    wait_until(lambda: is_empty(desk), "it did not leave again")
    desk.stop()

    assert before == 0
    assert kinds(store).count("Expired") == 1
    assert store.due(1e9) == []


def test_a_campaign_that_cannot_be_read_is_left_alone_for_a_while() -> None:
    """Time does not read it again and again."""
    store = CountingStore()
    desk = Desk(store, lambda: 1e9, pace=Pace(tick=0.01, idle=0.0))
    asyncio.run(opened(desk, lease=60.0))
    store.broken = "before"
    with store.inner.turn(NAME) as turn:
        turn.summarise(1.0, "{}")
    wait_until(lambda: NAME in desk._troubled)
    turns = store.turns
    wait_until(lambda: is_empty(desk))
    looks = time.monotonic() + 0.2
    wait_until(lambda: time.monotonic() > looks)

    assert store.turns == turns
    desk.stop()


def test_summaries_that_are_missing_are_made_at_the_start() -> None:
    """A store of an older version has none; the campaigns do not stay in memory for that."""

    async def begin(desk: Desk) -> None:
        for name in "abc":
            await opened(desk, name)
        await desk.close()

    store = MemoryStore()
    asyncio.run(begin(Desk(store, lambda: 5.0, pace=LONG)))
    for shelf in store._shelves.values():
        shelf.summary = None
    desk = Desk(store, lambda: 5.0, pace=Pace(tick=600.0, loaded=1))
    wait_until(lambda: len(store.summaries()) == 3)
    wait_until(lambda: len(desk._queues) <= 1)
    desk.stop()

    for name in "abc":
        assert store.summaries()[name].version == store.version(name)


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[SqlStore]:
    """Return a store on the disk."""
    store = open_sql(tmp_path / "store.db")
    yield store
    store.close()


def test_a_snapshot_of_a_campaign_that_is_gone_is_not_kept(lasting: SqlStore) -> None:
    """It was made before, and kept after the campaign was deleted."""

    async def play(desk: Desk) -> None:
        await opened(desk)
        queue = desk._queues[NAME]
        await desk.delete(NAME)
        assert queue.campaign is not None
        queue.snapshot_at = -1_000
        queue.pack_up()
        await desk.close()

    asyncio.run(play(Desk(lasting, lambda: 5.0, pace=LONG)))

    assert lasting.kept(NAME, "snapshot") is None


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=12), st.booleans())
def test_a_summary_says_what_the_campaign_would(workers: list[int], paused: bool) -> None:
    """After every turn."""

    async def play(desk: Desk, store: EventStore) -> None:
        await opened(desk, lease=60.0)
        for place, worker in enumerate(workers):
            await desk.do(NAME, answer(worker, 2.0 + place))
        await desk.do(NAME, lambda campaign: campaign.next(0, range(4), 40.0))
        if paused:
            await desk.do(NAME, lambda campaign: campaign.pause(41.0))
        found, ends = await desk.look(
            NAME, lambda c: (status_of(c), [each.until for each in c.state.leases.values()])
        )
        summary = store.summaries()[NAME]

        assert status_in(summary) == found
        runs = found.status.phase == "running" and ends
        assert summary.due == (min(ends) if runs else None)
        await desk.close()

    store = MemoryStore()
    asyncio.run(play(Desk(store, lambda: 5.0, pace=LONG), store))
