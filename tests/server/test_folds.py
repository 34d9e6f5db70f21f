"""Folds that are kept as the journal grows: whoever looks first need not read all of it."""

import asyncio
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import Campaign, Entry, Submission, Waiting, pack
from spancrew.errors import StoreError, UnknownCampaignError
from spancrew.feedback import AgreementGate
from spancrew.server.desk.background import Pace
from spancrew.server.desk.desk import Desk
from spancrew.server.live import folds as _folds
from spancrew.server.live import upkeep as _upkeep
from spancrew.server.live.figures import AgreementFold
from spancrew.server.live.folds import Fold, Folds
from spancrew.server.live.picture import PictureFold
from spancrew.server.live.upkeep import PART, Upkeep
from spancrew.stores import Derived, MemoryStore, Recorded
from tests.server.desks import NAME, WORKERS, material, opened
from tests.waiting import wait_until

QUIET = Pace(tick=600.0)


def answered(campaign: Campaign, worker: int, now: float) -> None:
    """Let a worker answer, each in a way of their own, and an expert decide in between."""
    found = campaign.next(worker, range(WORKERS), now)
    if not isinstance(found, Waiting):
        label = campaign.plan.labels[worker % 2]
        spans = ((0, 1, label),) if (worker + found.sentence) % 3 else ()
        campaign.tell(Submission(found.number, worker, spans, 1.5 * worker), now)
    sheet = campaign.next_expert("e0", now)
    if not isinstance(sheet, Waiting):
        campaign.tell_expert(sheet.sentence, "e0", (), now)


async def play(desk: Desk, rounds: int) -> None:
    """Let workers and an expert work."""
    await opened(desk, sentences=40, feedback=AgreementGate(0.5), answers=3)
    for step in range(rounds):
        for worker in range(WORKERS):
            await desk.do(NAME, lambda c, w=worker, s=step: answered(c, w, 2.0 + s))  # type: ignore[misc]
        if step == rounds // 2:
            await desk.do(NAME, lambda c: c.set_rule("gate:threshold=0.9", 50.0))


@cache
def journal() -> list[Recorded]:
    """Return the journal of a campaign in which everything happens that folds look at."""
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=QUIET)
    asyncio.run(play(desk, 40))
    desk.stop()
    return list(store.read(NAME))


def make(kind: str) -> Fold:
    """Return a new fold."""
    return PictureFold() if kind == "picture" else AgreementFold(material(40))


def taken(fold: Fold, entries: list[Recorded]) -> Fold:
    """Let a fold take entries."""
    for version, entry in entries:
        fold.take(version, entry)
    return fold


@pytest.mark.parametrize("kind", ["picture", "agreement"])
@given(st.floats(0, 1), st.floats(0, 1))
def test_a_fold_that_was_kept_goes_on_as_if_it_had_not_been(
    kind: str, first: float, second: float
) -> None:
    """Wherever it was kept, and however often."""
    entries = journal()
    whole = taken(make(kind), entries)
    fold, at = make(kind), 0
    for part in sorted((first, second)):
        end = int(part * len(entries))
        again = make(kind)
        again.resume(taken(fold, entries[at:end]).to_bytes())
        fold, at = again, end
    taken(fold, entries[at:])

    assert fold.to_bytes() == whole.to_bytes()
    assert {each.entry.kind for each in entries} >= {"Judged", "Settled", "RuleSet", "Joined"}


@pytest.mark.parametrize("make_up", ["whole", "part"])
def test_folds_are_kept_as_the_journal_grows(
    make_up: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nobody looks; who does then reads only what came after."""
    monkeypatch.setattr(_upkeep, "STEP", 50)
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=QUIET)
    folds = Folds(store, "picture", lambda _: PictureFold())
    desk.when_grown(folds.grown)
    asyncio.run(play(desk, 40))
    wait_until(lambda: _kept_version(store) > store.version(NAME) - 100)
    if make_up == "part":
        store.keep(NAME, "picture", Derived(store.version(NAME), b"nonsense"))
    folds.forget(NAME)
    found = asyncio.run(folds.look(NAME, lambda fold: fold))

    assert found.to_bytes() == taken(PictureFold(), list(store.read(NAME))).to_bytes()
    folds.stop()
    desk.stop()


def _kept_version(store: MemoryStore) -> int:
    kept = store.kept(NAME, "picture")
    return 0 if kept is None else kept.version


def test_what_is_kept_is_not_read_again() -> None:
    """The picture begins where it was kept, not at the first event."""
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=QUIET)
    asyncio.run(play(desk, 4))
    wrong = PictureFold()
    taken(wrong, list(store.read(NAME)))
    wrong.joined = 99
    store.keep(NAME, "picture", Derived(store.version(NAME), wrong.to_bytes()))
    folds = Folds(store, "picture", lambda _: PictureFold())
    found = asyncio.run(folds.look(NAME, lambda fold: fold.joined))
    folds.stop()
    desk.stop()

    assert found == 99


@pytest.mark.parametrize("kind", ["picture", "agreement"])
def test_what_another_version_kept_is_made_again(kind: str) -> None:
    """Its format says so."""
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=QUIET)
    asyncio.run(play(desk, 2))
    last = store.version(NAME)
    store.keep(NAME, kind, Derived(last, pack({"format": 99}, {})))
    folds: Folds[Fold] = Folds(store, kind, lambda _: make(kind))
    found = asyncio.run(folds.look(NAME, lambda fold: fold.to_bytes()))
    folds.stop()
    desk.stop()

    assert found == taken(make(kind), list(store.read(NAME))).to_bytes()


class Growing:
    """A fold that takes a byte for each event; ``kept`` counts all that were ever kept."""

    kept = 0

    def __init__(self) -> None:
        self.version = 0

    def take(self, version: int, entry: Entry) -> None:
        """Grow."""
        del entry
        self.version = version

    def to_bytes(self) -> bytes:
        """Return as many bytes as there were events."""
        Growing.kept += self.version
        return bytes(self.version)

    def resume(self, data: bytes) -> None:
        """Go on from what was kept."""
        del data


def test_what_is_kept_for_an_event_does_not_grow_with_the_journal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And whoever looks first never reads more than a part of it."""
    monkeypatch.setattr(_upkeep, "STEP", 100)
    monkeypatch.setattr(Growing, "kept", 0)
    store, written, unread = MemoryStore(), [], []
    folds = Folds(store, "picture", lambda _: Growing())
    for version in range(0, 40_000, 50):
        kept = store.kept(NAME, "picture")
        unread.append((version - (kept.version if kept else 0)) / max(version, 100 * PART))
        store.append(NAME, [Entry("Started", 0.0, "{}")] * 50, expected_version=version)
        folds._look(NAME, lambda _: None)
        written.append(Growing.kept / (version + 50))
    folds.stop()

    assert max(unread) <= 1 / PART
    assert max(written) <= PART
    assert written[-1] / written[len(written) // 2] == pytest.approx(1.0, abs=0.2)


def test_folds_that_nobody_looks_at_leave_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while; and a campaign that is gone has none."""
    store = MemoryStore()
    desk = Desk(store, lambda: 5.0, pace=QUIET)
    asyncio.run(opened(desk))
    folds = Folds(store, "picture", lambda _: PictureFold())
    asyncio.run(folds.look(NAME, lambda _: None))
    folds.sweep()
    stays = list(folds._held)
    monkeypatch.setattr(_folds, "_IDLE", -1.0)
    folds.sweep()
    asyncio.run(desk.delete(NAME))
    with pytest.raises(UnknownCampaignError):
        asyncio.run(folds.look(NAME, lambda _: None))
    folds.stop()
    desk.stop()

    assert stays == [NAME]
    assert not folds._held


def test_of_two_processes_one_follows_a_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other takes over when it has gone; neither does what the other has done."""
    monkeypatch.setattr(_upkeep, "STEP", 100)
    version, done = 0, {"quick": [0], "slow": [0]}

    def reached(_: str) -> int:
        return max(done["quick"][-1], done["slow"][-1])

    def process(name: str, patience: int) -> Upkeep:
        found = Upkeep(name, reached, lambda _: done[name].append(version))
        found._patience = patience
        return found

    quick, slow = process("quick", 10), process("slow", 60)
    for version in range(1, 1_001):
        for each in (quick, slow):
            each.grown(NAME, version)
            # What was begun is done before the journal grows further.
            each._pool.submit(lambda: None).result()
    quick.stop()
    before = len(done["slow"])
    for version in range(1_001, 2_001):
        slow.grown(NAME, version)
        slow._pool.submit(lambda: None).result()
    slow.stop()

    assert done["quick"] == [0, *range(110, 1_001, 110)]
    assert before == 1
    assert len(done["slow"]) == 7


def test_what_fails_to_follow_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    """After as many events as ever, with a warning."""
    tries: list[str] = []

    def fails(campaign: str) -> None:
        tries.append(campaign)
        raise StoreError("the disk is full")

    upkeep = Upkeep("picture", lambda _: 0, fails)
    for version in range(1_000, 31_000, 1_000):
        upkeep.grown(NAME, version)
        upkeep._pool.submit(lambda: None).result()
    upkeep.stop()

    assert 3 <= len(tries) <= 6
    assert f"the picture of {NAME} is not up to date: the disk is full" in caplog.text
