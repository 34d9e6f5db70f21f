"""Who is there: known at once in this process, and soon in others."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.server.people.directory import Directory
from spancrew.server.people.presence import Presence
from spancrew.server.people.values import PersonRow
from spancrew.server.settings import Buckets, Rate
from spancrew.stores import open_sql

WINDOW = 120.0


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Directory]:
    """Return a directory."""
    store = open_sql(tmp_path / "crew.db")
    yield Directory(store.engine)
    store.close()


def workers(directory: Directory, count: int) -> list[PersonRow]:
    """Add workers to a campaign."""
    add = directory.people.add
    return [add("worker", 0.0, campaign="c", number=n) for n in range(count)]


def look(presence: Presence, worker: int, now: float) -> frozenset[int]:
    """Return who is there for a worker who asks."""
    return asyncio.run(presence.available("c", worker, WINDOW, now))


def test_a_worker_who_asks_is_there(directory: Directory) -> None:
    """And those who were heard of in this process."""
    people = workers(directory, 3)
    presence = Presence(directory)
    presence.mark(people[0], 1000.0)

    assert look(presence, 0, 1000.0) == {0}

    presence.mark(people[1], 1000.1)

    assert look(presence, 1, 1000.1) == {0, 1}
    assert look(presence, 0, 1000.2) == {0, 1}


def test_workers_of_other_processes_are_seen_after_a_second(directory: Directory) -> None:
    """Through the database."""
    people = workers(directory, 2)
    here, there = Presence(directory), Presence(directory)
    for presence, worker in ((here, people[0]), (there, people[1])):
        presence.mark(worker, 1000.0)
        look(presence, worker.number or 0, 1000.0)

    assert look(here, 0, 1000.5) == {0}
    assert look(here, 0, 1001.0) == {0, 1}


def test_a_worker_who_is_silent_is_gone_after_a_while(directory: Directory) -> None:
    """As long as the plan says."""
    people = workers(directory, 2)
    presence = Presence(directory)
    for worker in people:
        presence.mark(worker, 1000.0)

    assert look(presence, 0, 1000.0 + WINDOW) == {0, 1}
    assert look(presence, 0, 1001.1 + WINDOW) == {0}


def test_a_worker_is_written_down_now_and_then_only(directory: Directory) -> None:
    """Not at every call."""
    (worker,) = workers(directory, 1)
    presence = Presence(directory)
    for now in (1000.0, 1005.0, 1014.0):
        presence.mark(worker, now)
        look(presence, 0, now)

    assert directory.people.one(worker.id).seen_at == 1000.0

    presence.mark(worker, 1015.0)
    look(presence, 0, 1015.0)

    assert directory.people.one(worker.id).seen_at == 1015.0


def test_an_erased_worker_is_not_there(directory: Directory) -> None:
    """Not for a second."""
    people = workers(directory, 2)
    presence = Presence(directory)
    for worker in people:
        presence.mark(worker, 1000.0)
    look(presence, 0, 1000.0)
    presence.forget(people[1])
    directory.people.erase(people[1].id)

    assert look(presence, 0, 1000.1) == {0}


def test_buckets_forget_those_who_called_longest_ago() -> None:
    """Memory is bounded, whoever calls."""
    buckets = Buckets(Rate(1.0, 1), most=2)
    for who in ("a", "b", "c"):
        assert buckets.take(who, 0.0) == 0.0

    assert buckets.take("c", 0.0) > 0
    assert buckets.take("a", 0.0) == 0.0


def test_buckets_hold_no_more_than_a_burst() -> None:
    """Whoever was away for a week may not call for a week at once."""
    buckets = Buckets(Rate(1.0, 3))
    buckets.take("a", 0.0)
    waits = [buckets.take("a", 600_000.0) for _ in range(4)]

    assert waits[:3] == [0.0] * 3
    assert waits[3] > 0


def test_an_older_time_does_not_replace_a_newer_one(directory: Directory) -> None:
    """Processes write when they get to it, not in the order of the clock."""
    (worker,) = workers(directory, 1)
    for at in (1000.0, 2000.0, 1990.0):
        directory.people.see({worker.id: at})

    assert directory.people.one(worker.id).seen_at == 2000.0


def test_a_clock_that_is_set_back_keeps_nobody_there(directory: Directory) -> None:
    """Who left before is gone; who is heard of now is there, also for other processes."""
    people = workers(directory, 3)
    here, there = Presence(directory), Presence(directory)
    for worker in people:
        here.mark(worker, 90_000.0)
    assert look(here, 0, 90_000.0) == {0, 1, 2}

    here.mark(people[0], 3_600.0)
    assert look(here, 0, 3_600.0) == {0}
    there.mark(people[1], 3_601.0)
    assert look(there, 1, 3_601.0) == {0, 1}
    assert look(here, 0, 3_602.0) == {0, 1}
