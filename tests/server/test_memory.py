"""What a server holds in memory: nothing that nobody uses."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from spancrew.errors import UnknownSentenceError
from spancrew.server.desk.desk import Desk
from spancrew.server.live.folds import SentenceCache
from spancrew.server.people import presence as _presence
from spancrew.server.people.presence import Presence
from spancrew.server.people.values import PersonRow
from spancrew.server.rehearsal.run import RehearsalJob, keep_job, remove_left_behind
from spancrew.server.services import Services
from spancrew.stores import EventStore, SentenceRow
from tests.server.conftest import House, Visitor, create, invite


def services_of(house: House) -> Services:
    """Return what the routes of a server work with."""
    found: Services = house.app.state.services
    return found


def empty(desk: Desk) -> None:
    """Let all campaigns leave memory."""
    with desk._state:
        desk._queues.clear()


def test_lists_and_figures_load_no_campaign(house: House, admin: Visitor, tmp_path: Path) -> None:
    """Neither the page of campaigns nor Prometheus, and they say what the campaign would."""
    desk = services_of(house).desk
    names = [create(admin, tmp_path, sentences=4 + k) for k in range(3)]
    admin.ok("POST", f"/campaigns/{names[1]}/start")
    empty(desk)
    query = "&".join(f"campaign={name}" for name in names)
    listed = admin.ok("GET", "/campaigns")
    figures = admin.ok("GET", f"/figures?{query}")
    page = admin.call("GET", "/metrics").text

    assert desk._queues == {}
    assert {each["id"] for each in listed} == set(names)
    assert [each["phase"] for each in figures] == ["draft", "running", "draft"]
    assert [each["sentences"] for each in figures] == [4, 5, 6]
    for name in names:
        version = house.store.version(name)
        assert f'spancrew_journal_version{{campaign="{name}"}} {version}.0' in page


def sizes(root: object) -> Counter[str]:
    """Return how much is in every container that can be reached from an object of ours."""
    found: Counter[str] = Counter()
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [(type(root).__name__, root)]
    while waiting:
        place, each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, dict | list | set | frozenset | tuple | deque):
            found[place] += len(each)
            values = each.values() if isinstance(each, dict) else each
            waiting += [(f"{place}[]", value) for value in list(values)]
        elif type(each).__module__.startswith("spancrew."):
            waiting += [(f"{place}.{name}", value) for name, value in _parts(each)]
    return found


def _parts(each: object) -> Iterator[tuple[str, Any]]:
    yield from getattr(each, "__dict__", {}).items()
    for kind in type(each).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if hasattr(each, name):
                yield name, getattr(each, name)


def live_and_die(admin: Visitor, folder: Path) -> None:
    """Create a campaign, use everything that it has, and delete it."""
    campaign = create(admin, folder, sentences=4)
    worker, expert = invite(admin, campaign), invite(admin, campaign, "experts")
    admin.ok("POST", f"/campaigns/{campaign}/start")
    work = worker.ok("POST", f"/campaigns/{campaign}/next", json={})
    number = work["assignment"]["assignment"]
    worker.ok("POST", f"/campaigns/{campaign}/answers", json={"assignment": number, "spans": []})
    expert.call("POST", f"/campaigns/{campaign}/expert/next", json={})
    for look in ("status", "picture", "agreement", "threshold", "standings", "ledger"):
        admin.ok("GET", f"/campaigns/{campaign}/{look}")
    admin.ok("GET", f"/figures?campaign={campaign}")
    admin.call("GET", "/metrics")
    admin.ok("DELETE", f"/campaigns/{campaign}")
    worker.call("GET", f"/campaigns/{campaign}/progress")


def test_campaigns_that_come_and_go_leave_nothing_behind(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """In no container of the server, wherever it is."""
    services = services_of(house)
    for _ in range(3):
        live_and_die(admin, tmp_path)
    admin.call("GET", "/metrics")
    before = sizes(services)
    for _ in range(6):
        live_and_die(admin, tmp_path)
    admin.call("GET", "/metrics")
    after = sizes(services)
    # Who called lately, and what was looked at, is known up to a number.
    bounded = ("._levels", ".looks._times")
    grown = {place for place in after if after[place] > before[place]}
    grown = {place for place in grown if not any(each in place for each in bounded)}

    assert len(before) > 20
    assert grown == set()


def test_a_campaign_that_another_process_deleted_is_forgotten(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """As soon as anybody asks for it, or when it has been idle."""
    services = services_of(house)
    campaign = create(admin, tmp_path, sentences=4)
    worker = invite(admin, campaign)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    worker.ok("POST", f"/campaigns/{campaign}/next", json={})
    admin.ok("GET", f"/campaigns/{campaign}/picture")
    held = [
        services._windows,
        services._warm,
        services.presence._rooms,
        services.pictures._held,
        services.shown._rows,
        services.desk._queues,
    ]
    assert all(held)
    house.store.delete(campaign)

    assert admin.call("GET", f"/campaigns/{campaign}/status").status_code == 404
    assert not any(held)


def test_who_was_there_is_not_remembered_for_ever(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither workers who have gone, nor more campaigns than there can be at once."""
    monkeypatch.setattr(_presence, "_MOST", 3)
    presence = Presence(house.directory)
    assert house.client.portal is not None
    for number in range(50):
        presence.mark(_worker("a", number), 1000.0 + number)
    house.client.portal.call(presence.available, "a", 49, 10.0, 1050.0)
    room = presence._rooms["a"]
    for name in "bcda":
        presence.mark(_worker(name, 0), 1060.0)

    assert sorted(room.heard) == list(range(40, 50))
    assert len(room.written) < 20
    assert set(presence._rooms) == {"a", "c", "d"}


def _worker(campaign: str, number: int) -> PersonRow:
    return PersonRow(
        id=number,
        role="worker",
        campaign=campaign,
        number=number,
        name=None,
        login=None,
        platform=None,
        platform_id=None,
        created_at=0.0,
        seen_at=None,
        erased=False,
        is_owner=False,
        email=None,
    )


def test_rehearsals_of_a_server_that_was_killed_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of servers that run, and what is not ours, stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], check=True, capture_output=True
    )
    job = RehearsalJob("demo", None, {}, 1, None)
    names = (
        "spancrew-rehearsal-dead",
        "spancrew-rehearsal-runs",
        "spancrew-rehearsal-new",
        "other",
    )
    folders = [tmp_path / name for name in names]
    for folder in folders:
        folder.mkdir()
    for folder in folders[:2]:
        keep_job(job, folder)
    record = json.loads((folders[0] / "job.json").read_text())
    (folders[0] / "job.json").write_text(json.dumps({**record, "parent": int(ended.stdout)}))
    old = tmp_path / "spancrew-rehearsal-old"
    old.mkdir()
    os.utime(old, (0, 0))
    remove_left_behind()

    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(names[1:])


def test_those_who_get_a_sentence_at_once_wait_for_one_look(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """One who goes away takes nobody along, and what is not there is not remembered."""
    campaign = create(admin, tmp_path, sentences=4)
    looks: list[list[int]] = []

    class Slow:
        def sentences_at(self, name: str, numbers: list[int]) -> dict[int, SentenceRow]:
            looks.append(numbers)
            return house.store.sentences_at(name, numbers)

    async def together() -> list[object]:
        cache = SentenceCache(cast("EventStore", Slow()))
        waiting = [asyncio.ensure_future(cache.sentence(campaign, 1)) for _ in range(5)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        found: list[object] = [*await asyncio.gather(*waiting, return_exceptions=True)]
        with pytest.raises(UnknownSentenceError):
            await cache.sentence(campaign, 99)
        await cache.sentence(campaign, 1)
        several = (cache.sentence(campaign, number) for number in (0, 2, 98, 3))
        *_, unknown, last = await asyncio.gather(*several, return_exceptions=True)

        assert isinstance(unknown, UnknownSentenceError)
        assert last == house.store.sentence(campaign, 3)
        assert not cache._coming
        assert list(cache._rows) == [(campaign, number) for number in (1, 0, 2, 3)]
        return found

    first, *others = asyncio.run(together())

    assert looks == [[1], [99], [0, 2, 98, 3]]
    assert isinstance(first, asyncio.CancelledError)
    assert others == [house.store.sentence(campaign, 1)] * 4
