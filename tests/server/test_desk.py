"""The desk does works in shared turns, and nobody sees what is not safe."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from spancrew.campaign import Campaign
from spancrew.errors import (
    CampaignError,
    ConflictError,
    JournalError,
    PlanError,
    StoreError,
    UnknownCampaignError,
)
from spancrew.server.desk.background import Pace
from spancrew.server.desk.desk import Desk
from spancrew.stores import EventStore, MemoryStore
from tests.server.desks import (
    NAME,
    CountingStore,
    answer,
    bodies,
    join,
    kinds,
    material,
    opened,
    plan,
    rows,
)
from tests.waiting import PATIENCE

CALM = Pace(tick=600.0)
"""No time passes by itself."""


class Held:
    """A work that has begun and does not end before it may."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self, _: Campaign) -> None:
        """Begin, and wait."""
        self.begun.set()
        self.may_end.wait(PATIENCE)


@contextmanager
def desk_on(store: Any, pace: Pace = CALM) -> Iterator[Desk]:
    """Run a desk for the time of a block."""
    desk = Desk(cast("EventStore", store), lambda: 5.0, pace=pace)
    try:
        yield desk
    finally:
        desk.stop()


def version(campaign: Campaign) -> int:
    """Look at the version."""
    return campaign.version


def test_works_that_wait_together_share_a_turn() -> None:
    """A hundred joins take a handful of turns, and each gets its own number."""

    async def play(desk: Desk) -> list[int]:
        await opened(desk)
        return await asyncio.gather(*(desk.do(NAME, join) for _ in range(100)))

    store = CountingStore()
    with desk_on(store) as desk:
        numbers = asyncio.run(play(desk))

    assert numbers == list(range(4, 104))
    assert store.turns < 20
    assert kinds(store).count("Joined") == 104


def test_a_batch_is_never_larger_than_it_may_be() -> None:
    """A hundred joins in batches of ten take ten turns or more."""

    async def play(desk: Desk) -> None:
        await opened(desk)
        await asyncio.gather(*(desk.do(NAME, join) for _ in range(100)))

    store = CountingStore()
    with desk_on(store, Pace(batch=10, tick=600.0)) as desk:
        asyncio.run(play(desk))

    assert store.turns >= 10


def test_a_refused_work_hurts_nobody_else() -> None:
    """The refusal goes to who asked, the others are served in the same turn."""

    async def play(desk: Desk) -> list[Any]:
        await opened(desk)
        works = [join, lambda campaign: campaign.readmit(99, 4.0), join]
        return await asyncio.gather(*(desk.do(NAME, w) for w in works), return_exceptions=True)

    with desk_on(MemoryStore()) as desk:
        first, refused, last = asyncio.run(play(desk))

    assert (first, last) == (4, 5)
    assert isinstance(refused, CampaignError)


def test_a_work_with_a_mistake_hurts_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    """What it left half done is thrown away; the others are done again without it."""

    def half(campaign: Campaign) -> None:
        campaign.join(4.0)
        raise ZeroDivisionError

    async def play(desk: Desk) -> list[Any]:
        await opened(desk)
        works = [join, half, join]
        return await asyncio.gather(*(desk.do(NAME, w) for w in works), return_exceptions=True)

    store = MemoryStore()
    with desk_on(store) as desk:
        first, broken, last = asyncio.run(play(desk))

    assert (first, last) == (4, 5)
    assert isinstance(broken, ZeroDivisionError)
    assert kinds(store).count("Joined") == 6
    assert "a work on names failed" in caplog.text


def test_a_look_sees_what_was_done_before_it() -> None:
    """Without taking a turn."""

    async def play(desk: Desk) -> tuple[int, int]:
        await opened(desk)
        before = store.turns
        seen = await asyncio.gather(*(desk.look(NAME, version) for _ in range(20)))
        return max(seen), store.turns - before

    store = CountingStore()
    with desk_on(store) as desk:
        seen, turns = asyncio.run(play(desk))

    assert seen == store.version(NAME)
    assert turns == 0


def test_a_look_that_changes_something_is_undone(caplog: pytest.LogCaptureFixture) -> None:
    """It fails, and works done in the same batch are done once."""

    async def play(desk: Desk) -> list[Any]:
        await opened(desk)
        works = [desk.do(NAME, join), desk.look(NAME, join), desk.do(NAME, join)]
        return await asyncio.gather(*works, return_exceptions=True)

    store = MemoryStore()
    with desk_on(store) as desk:
        first, broken, last = asyncio.run(play(desk))

    assert (first, last) == (4, 5)
    assert isinstance(broken, TypeError)
    assert kinds(store).count("Joined") == 6
    assert "failed" in caplog.text


@pytest.mark.parametrize("where", ["before", "commit"])
def test_a_failing_store_shows_nothing_that_is_not_safe(where: str) -> None:
    """All who wait are told, the campaign is as the journal says, and later all goes on."""

    async def play(desk: Desk) -> tuple[list[Any], int, int]:
        await opened(desk)
        safe = store.version(NAME)
        store.broken = where
        works = [desk.do(NAME, join) for _ in range(5)]
        failed = await asyncio.gather(*works, return_exceptions=True)
        store.broken = ""
        return failed, await desk.look(NAME, version) - safe, await desk.do(NAME, join)

    store = CountingStore()
    with desk_on(store) as desk:
        failed, seen, number = asyncio.run(play(desk))

    assert all(isinstance(error, StoreError) for error in failed)
    assert len({id(error) for error in failed}) == 5
    assert (seen, number) == (0, 4)
    assert kinds(store).count("Joined") == 5


def test_a_store_that_cannot_be_read_fails_looks_only_while_it_lasts() -> None:
    """Nobody waits for ever."""

    async def play(desk: Desk) -> int:
        await opened(desk)
        store.broken = "read"
        with pytest.raises(StoreError, match="disk is full"):
            await desk.look(NAME, version)
        store.broken = ""
        return await desk.look(NAME, version)

    store = CountingStore()
    with desk_on(store) as desk:
        assert asyncio.run(play(desk)) == store.version(NAME)


def test_two_desks_on_one_store_see_each_other() -> None:
    """Works at both at once: no number is given twice, both end up the same."""

    async def play(one: Desk, other: Desk) -> tuple[list[int], list[int]]:
        await opened(one)
        desks = [one, other] * 30
        numbers = await asyncio.gather(*(desk.do(NAME, join) for desk in desks))
        answers = await asyncio.gather(*(one.do(NAME, answer(worker)) for worker in range(4)))
        assert None not in answers
        return numbers, [await desk.look(NAME, version) for desk in (one, other)]

    store = MemoryStore()
    with desk_on(store) as one, desk_on(store) as other:
        numbers, versions = asyncio.run(play(one, other))

    assert sorted(numbers) == list(range(4, 64))
    assert versions == [store.version(NAME)] * 2


def test_a_campaign_that_is_not_there_is_not_known() -> None:
    """And leaves nothing in memory."""

    async def play(desk: Desk) -> None:
        for work in (desk.do, desk.look):
            with pytest.raises(UnknownCampaignError, match="there is no campaign 'none'"):
                await work("none", version)

    with desk_on(MemoryStore()) as desk:
        asyncio.run(play(desk))

    assert desk._queues == {}


def test_a_deleted_campaign_is_gone_from_all_desks() -> None:
    """Also from one that has it in memory."""

    async def play(one: Desk, other: Desk) -> None:
        await opened(one)
        await other.look(NAME, version)
        await one.delete(NAME)
        with pytest.raises(UnknownCampaignError):
            await other.look(NAME, version)
        for desk in (one, other):
            with pytest.raises(UnknownCampaignError):
                await desk.do(NAME, join)

    store = MemoryStore()
    with desk_on(store) as one, desk_on(store) as other:
        asyncio.run(play(one, other))

    assert store.campaigns() == []


def test_a_name_is_given_once() -> None:
    """A second campaign of that name is refused; the first stays as it is."""

    async def play(desk: Desk) -> None:
        await opened(desk)
        with pytest.raises(ConflictError, match="there is a campaign 'names' already"):
            await desk.open(NAME, plan(), material(), rows())
        await desk.do(NAME, join)

    with desk_on(MemoryStore()) as desk:
        asyncio.run(play(desk))


def test_a_campaign_whose_sentences_do_not_fit_is_not_opened() -> None:
    """There is nothing of it that could be used."""

    async def play(desk: Desk) -> None:
        with pytest.raises(PlanError, match="3 sentences were given, the material has 12"):
            await desk.open(NAME, plan(), material(), rows(3))

    store = MemoryStore()
    with desk_on(store) as desk:
        asyncio.run(play(desk))

    assert store.campaigns() == []


def test_too_many_works_are_refused_rather_than_left_waiting() -> None:
    """Those who were in time are served."""
    held = Held()

    async def play(desk: Desk) -> list[Any]:
        await opened(desk)
        first = asyncio.ensure_future(desk.do(NAME, held))
        await asyncio.to_thread(held.begun.wait, PATIENCE)
        waiting = [asyncio.ensure_future(desk.do(NAME, join)) for _ in range(8)]
        await asyncio.sleep(0)
        held.may_end.set()
        return await asyncio.gather(first, *waiting, return_exceptions=True)

    with desk_on(MemoryStore(), Pace(waiting=5, tick=600.0)) as desk:
        _, *found = asyncio.run(play(desk))

    assert found[:5] == [4, 5, 6, 7, 8]
    assert all(isinstance(each, StoreError) and "busy" in str(each) for each in found[5:])


def test_a_work_that_nobody_waits_for_any_more_is_not_done() -> None:
    """Unless it has begun."""
    held = Held()

    async def play(desk: Desk) -> None:
        await opened(desk)
        first = asyncio.ensure_future(desk.do(NAME, held))
        await asyncio.to_thread(held.begun.wait, PATIENCE)
        left = asyncio.ensure_future(desk.do(NAME, join))
        await asyncio.sleep(0)
        left.cancel()
        await asyncio.wait([left])
        held.may_end.set()
        await first

    store = MemoryStore()
    with desk_on(store) as desk:
        asyncio.run(play(desk))

    assert kinds(store).count("Joined") == 4


def test_campaigns_do_not_wait_for_each_other() -> None:
    """One that takes long holds up only its own works."""
    held = Held()

    async def play(desk: Desk) -> int:
        for name in ("slow", "quick"):
            await opened(desk, name)
        slow = asyncio.ensure_future(desk.do("slow", held))
        await asyncio.to_thread(held.begun.wait, PATIENCE)
        number = await asyncio.wait_for(desk.do("quick", join), PATIENCE)
        held.may_end.set()
        await slow
        return number

    with desk_on(MemoryStore()) as desk:
        assert asyncio.run(play(desk)) == 4


def test_closing_does_what_waits_and_takes_nothing_new() -> None:
    """No thread is left."""
    before = threading.active_count()

    async def play(desk: Desk) -> list[int]:
        await opened(desk)
        works = [asyncio.ensure_future(desk.do(NAME, join)) for _ in range(20)]
        await asyncio.sleep(0)
        await desk.close()
        with pytest.raises(StoreError, match="stopping"):
            await desk.do(NAME, join)
        return await asyncio.gather(*works)

    numbers = asyncio.run(play(Desk(MemoryStore(), lambda: 5.0)))

    assert numbers == list(range(4, 24))
    assert threading.active_count() == before


def test_every_answer_is_in_the_journal_once() -> None:
    """A whole campaign, with all workers at once."""

    async def play(desk: Desk) -> None:
        await opened(desk)

        async def work(worker: int) -> None:
            while await desk.do(NAME, answer(worker)) is not None:
                pass

        await asyncio.gather(*(work(worker) for worker in range(4)))

    store = MemoryStore()
    with desk_on(store) as desk:
        asyncio.run(play(desk))

    assert len(bodies(store, "Answered")) == 24
    assert len(bodies(store, "Settled")) == 12
    assert kinds(store)[-1] == "Finished"


def test_a_deleted_campaign_is_forgotten_whoever_comes_after_it() -> None:
    """Another one of the same name, with more events, is not taken for it."""

    async def play(desk: Desk) -> list[int]:
        await opened(desk, answers=1)
        await desk.delete(NAME)
        assert desk._queues == {}, "nothing of it is in memory"
        await opened(desk, answers=2)
        for _ in range(3):
            await desk.do(NAME, join)
        return await desk.look(NAME, lambda found: [found.plan.answers, len(found.state.workers)])

    store = MemoryStore()
    with desk_on(store) as desk:
        found = asyncio.run(play(desk))

    assert found == [2, 7]
    assert kinds(store).count("Joined") == 7


def test_an_older_journal_that_is_put_back_is_read_again() -> None:
    """What is in memory and in the journal no longer does not count, whoever writes next."""

    async def play(desk: Desk) -> int:
        await opened(desk)
        entries, kept = [entry for _, entry in store.read(NAME)], store.kept(NAME, "material")
        assert kept is not None
        store.delete(NAME)
        store.keep(NAME, "material", kept)
        store.append(NAME, entries[:4], expected_version=0)
        return await desk.do(NAME, join)

    store = MemoryStore()
    with desk_on(store) as desk:
        assert asyncio.run(play(desk)) == 2, "two workers were there before"

    assert kinds(store) == ["Opened", "Started", "Joined", "Joined", "Joined"]


def test_those_who_listen_hear_of_every_change_and_of_the_end() -> None:
    """A look changes nothing, so nobody hears of it."""
    heard: list[str] = []

    async def play(desk: Desk) -> None:
        await opened(desk)
        await desk.look(NAME, version)
        await desk.delete(NAME)

    with desk_on(MemoryStore()) as desk:
        desk.subscribe(heard.append)
        asyncio.run(play(desk))

    assert heard == [NAME, NAME]


class ForgetfulStore(CountingStore):
    """A store in which an entry gets lost on the way to the journal."""

    @contextmanager
    def turn(self, campaign: str) -> Iterator[Any]:
        """Take a turn that writes one entry less than it is given, unless it is the first."""
        with super().turn(campaign) as turn:
            append, lost = turn.append, min(turn.version, 1)
            turn.append = lambda entries: append(entries[lost:])  # type: ignore[method-assign]
            yield turn


def test_a_journal_that_counts_otherwise_than_the_campaign_is_not_written() -> None:
    """Both count events; where they differ, something is wrong that must not be kept."""

    async def play(desk: Desk) -> None:
        await desk.open(NAME, plan(), material(), rows())
        with pytest.raises(JournalError, match="the campaign counts 2 events, its journal 1"):
            await desk.do(NAME, lambda found: found.start(1.0))

    store = ForgetfulStore()
    with desk_on(store) as desk:
        asyncio.run(play(desk))

    assert kinds(store) == ["Opened"]
