"""What the desk does when nobody asks: snapshots, fits, the passing of time."""

import asyncio

import pytest

from spancrew.campaign import Campaign
from spancrew.consensus import DawidSkene
from spancrew.server.desk.background import Pace
from spancrew.server.desk.desk import Desk
from spancrew.stores import Derived, MemoryStore
from tests.server.desks import NAME, answer, bodies, join, kinds, opened
from tests.waiting import wait_until

RUNS = "another one, which runs"


async def play(desk: Desk, rounds: int) -> None:
    """Let four workers answer for some rounds."""
    for _ in range(rounds):
        await asyncio.gather(*(desk.do(NAME, answer(worker)) for worker in range(4)))


def seen(campaign: Campaign) -> tuple[object, ...]:
    """Look at all that a restart must not change."""
    return campaign.status(), campaign.ledger(), campaign.standings()


def test_a_restart_begins_with_the_last_snapshot() -> None:
    """And ends up where the journal does."""

    async def first(desk: Desk) -> tuple[object, ...]:
        await opened(desk)
        await play(desk, 4)
        found = await desk.look(NAME, seen)
        await desk.close()
        return found

    async def second(desk: Desk) -> tuple[object, ...]:
        found = await desk.look(NAME, seen)
        assert await desk.do(NAME, join) == 4
        await desk.close()
        return found

    store = MemoryStore()
    pace = Pace(snapshot=10, tick=600.0)
    before = asyncio.run(first(Desk(store, lambda: 5.0, pace=pace)))
    kept = store.kept(NAME, "snapshot")
    after = asyncio.run(second(Desk(store, lambda: 5.0, pace=pace)))

    assert kept is not None
    assert 10 <= kept.version <= store.version(NAME)
    assert after == before


@pytest.mark.parametrize("version", [5, 10_000])
def test_a_snapshot_that_cannot_be_used_is_left_aside(version: int) -> None:
    """Because it cannot be read, or is ahead of the journal; all is replayed instead."""

    async def resume(desk: Desk) -> int:
        number = await desk.do(NAME, join)
        await desk.close()
        return number

    async def begin(desk: Desk) -> None:
        await opened(desk)
        await desk.close()

    store = MemoryStore()
    asyncio.run(begin(Desk(store, lambda: 5.0)))
    store.keep(NAME, "snapshot", Derived(version, b"nonsense"))

    assert asyncio.run(resume(Desk(store, lambda: 5.0))) == 4


def test_leases_expire_though_nobody_asks() -> None:
    """The desk lets the time pass for campaigns that are running."""
    now, looks = [5.0], [0]

    def clock() -> float:
        looks[0] += 1
        return now[0]

    async def begin(desk: Desk) -> None:
        await opened(desk, lease=60.0)
        await desk.do(NAME, lambda campaign: campaign.next(0, range(4), 5.0))

    store = MemoryStore()
    desk = Desk(store, clock, pace=Pace(tick=0.02))
    asyncio.run(begin(desk))
    before = looks[0]
    wait_until(lambda: looks[0] > before + 3, "nobody looked at the clock")
    early = kinds(store).count("Expired")
    now[0] = 70.0
    wait_until(lambda: "Expired" in kinds(store))
    desk.stop()

    assert early == 0
    assert kinds(store).count("Expired") == 1


def test_a_campaign_that_does_not_run_takes_no_turns() -> None:
    """Nothing can expire by itself while it is paused and nobody has anything in hand."""

    async def begin(desk: Desk) -> int:
        await opened(desk)
        await desk.do(NAME, lambda campaign: campaign.pause(6.0))
        await opened(desk, RUNS, lease=60.0)
        await desk.do(RUNS, lambda campaign: campaign.next(0, range(4), 5.0))
        return store.version(NAME)

    store = MemoryStore()
    desk = Desk(store, lambda: 1e9, pace=Pace(tick=0.01))
    version = asyncio.run(begin(desk))
    wait_until(lambda: "Expired" in kinds(store, RUNS))
    desk.stop()

    assert store.version(NAME) == version


def test_fits_are_made_in_the_background() -> None:
    """Works go on meanwhile; a second start finds the model, and is where the first one was."""

    async def begin(desk: Desk) -> None:
        await opened(desk, sentences=70, consensus=DawidSkene())
        await play(desk, 30)

    async def finish(desk: Desk) -> tuple[object, ...]:
        await play(desk, 6)
        found = await desk.look(NAME, seen)
        await desk.close()
        return found

    async def look(desk: Desk) -> tuple[object, int | None]:
        found = await desk.look(NAME, seen), await desk.look(NAME, lambda c: c.lacks_model())
        await desk.close()
        return found

    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=Pace(fits=0))
    asyncio.run(begin(desk))
    wait_until(lambda: store.kept(NAME, "model") is not None)
    live = asyncio.run(finish(desk))

    assert len(bodies(store, "Fitted")) == 1
    assert asyncio.run(look(Desk(store, lambda: 5.0))) == (live, None)
    assert kinds(store)[-1] == "Finished"
