"""Backups of any store, made while others write; what becomes of them again."""

import asyncio
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from spancrew.errors import StoreError
from spancrew.server import SCHEMA_STEPS, Directory
from spancrew.server.desk.desk import Desk
from spancrew.stores import (
    Recorded,
    SentenceRow,
    backup_store,
    check_store,
    last_backup,
    open_sql,
    restore_store,
    writing,
)
from tests.forked import started, whole_lines
from tests.postgres import Postgres
from tests.server.desk_player import play
from tests.server.desks import NAME, bodies, opened
from tests.spread import often
from tests.stores.conftest import Address
from tests.stores.writer import back_up
from tests.stores.written_stores import WRITTEN, written_store
from tests.waiting import wait_until

BACKUPS = often(6, 30)
SENTENCES = 400


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """Return a store with a campaign, as this version writes it."""
    return written_store(WRITTEN[-1], tmp_path)


@pytest.fixture
def backup(full: Path, tmp_path: Path) -> Path:
    """Return a backup of it."""
    with closing(open_sql(full)) as store:
        backup_store(store, tmp_path / "backup.db", 7.5, SCHEMA_STEPS)
    return tmp_path / "backup.db"


def journals(address: str | Path) -> dict[str, list[Recorded]]:
    """Return all journals of a store."""
    with closing(open_sql(address, make=False, upgrade=False)) as store:
        return {name: list(store.read(name)) for name in store.campaigns()}


def people(address: str | Path) -> list[str | None]:
    """Return the names of all workers."""
    with closing(open_sql(address)) as store:
        directory = Directory(store.engine)
        return [
            person.name
            for campaign in store.campaigns()
            for person in directory.people.of_campaign(campaign, "worker")
        ]


def test_a_backup_goes_from_any_store_to_any_store(
    full: Path, backup: Path, tmp_path: Path, postgres: Postgres
) -> None:
    """From SQLite to PostgreSQL, from there to a file, and from that to SQLite."""
    there, again = postgres.database(), tmp_path / "again.db"
    restore_store(backup, there, SCHEMA_STEPS)
    with closing(open_sql(there)) as store:
        backup_store(store, again, 9.5, SCHEMA_STEPS)
    found = restore_store(again, str(tmp_path / "last.db"), SCHEMA_STEPS)

    assert journals(there) == journals(again) == journals(tmp_path / "last.db") == journals(full)
    assert people(there) == people(tmp_path / "last.db") == ["Ann", "Bo"]
    assert [each.problem for each in found] == [None]


def test_both_know_when_the_backup_was_made(lasting: str, tmp_path: Path) -> None:
    """The last one counts; one that failed does not."""
    with closing(open_sql(lasting)) as store:
        never = last_backup(store.engine)
        for number in (5.5, 6.5):
            backup_store(store, tmp_path / f"{number}.db", number, SCHEMA_STEPS)
        with pytest.raises(StoreError, match="is there already"):
            backup_store(store, tmp_path / "6.5.db", 7.5, SCHEMA_STEPS)
        last = last_backup(store.engine)
        names = store.campaigns()
    with closing(open_sql(tmp_path / "5.5.db")) as first:
        carried = last_backup(first.engine)

    assert (never, last, carried) == (None, 6.5, 5.5)
    assert names == []


def test_a_backup_needs_no_file_beside_it(backup: Path) -> None:
    """It may lie where nothing can be written."""
    with closing(sqlite3.connect(f"file:{backup}?immutable=1", uri=True)) as raw:
        mode = raw.execute("PRAGMA journal_mode").fetchone()[0]

    assert mode == "delete"
    assert [path.name for path in backup.parent.glob("backup*")] == ["backup.db"]


def test_a_store_that_holds_something_is_not_overwritten(backup: Path, full: Path) -> None:
    """Unless it may be moved aside, and then it is kept."""
    with closing(open_sql(full)) as store:
        store.delete(store.campaigns()[0])
    with pytest.raises(StoreError, match=r"holds something; .*--replace"):
        restore_store(backup, str(full), SCHEMA_STEPS)
    restore_store(backup, str(full), SCHEMA_STEPS, aside="old")

    assert journals(full) == journals(backup) != {}
    assert journals(full.with_name("store-old.db")) == {}


def test_an_empty_store_may_be_overwritten(backup: Path, tmp_path: Path) -> None:
    """A server that was started once in the wrong folder is in nobody's way."""
    open_sql(tmp_path / "empty.db").close()
    restore_store(backup, str(tmp_path / "empty.db"), SCHEMA_STEPS)

    assert journals(tmp_path / "empty.db") == journals(backup)


def test_a_damaged_store_is_moved_aside_with_its_log(backup: Path, full: Path) -> None:
    """The log of the old file must not be taken for one of the new."""
    full.write_bytes(b"not a database")
    Path(f"{full}-wal").write_bytes(b"its log")
    restore_store(backup, str(full), SCHEMA_STEPS, aside="old")
    has_log = Path(f"{full}-wal").exists()

    assert not has_log
    assert journals(full) == journals(backup)
    assert full.with_name("store-old.db").read_bytes() == b"not a database"
    assert full.with_name("store-old.db-wal").read_bytes() == b"its log"


def test_a_store_in_use_is_refused(backup: Path, full: Path) -> None:
    """A server would go on writing to the file that was moved."""
    with closing(open_sql(full)) as store:
        store.campaigns()
        with pytest.raises(StoreError, match="is in use; stop the server first"):
            restore_store(backup, str(full), SCHEMA_STEPS, aside="old")
        assert store.campaigns() == list(journals(backup))


def test_a_database_that_is_not_empty_is_refused(backup: Path, postgres: Postgres) -> None:
    """PostgreSQL has no way to move it aside."""
    there = postgres.database()
    restore_store(backup, there, SCHEMA_STEPS)

    with pytest.raises(StoreError, match=r"is not empty \(table \w+\); give a new database"):
        restore_store(backup, there, SCHEMA_STEPS, aside="old")


DAMAGES = {
    "DELETE FROM journal WHERE version = 5": "its journal has no version 5; 6 comes next",
    "DELETE FROM journal WHERE version = 1": "its journal has no version 1",
    "DELETE FROM kept WHERE kind = 'material'": "its sentences are not in the store",
    "DELETE FROM sentences WHERE number = 2": "it has 6 sentences, the texts of 5 are there",
    "UPDATE journal SET kind = 'Teleported' WHERE version = 9": "which this version does not know",
    "UPDATE journal SET body = '{' WHERE version = 9": "cannot be read",
    "UPDATE journal SET body = replace(body, '\"assignment\":', '\"assignment\":7') "
    "WHERE kind = 'Answered'": "cannot be replayed (KeyError",
    'UPDATE journal SET body = replace(body, \'"policy":"\', \'"policy":"no-\') '
    "WHERE version = 1": "which is not installed",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_broken_is_named_and_not_restored(
    backup: Path, tmp_path: Path, damage: str
) -> None:
    """With the campaign in which it is; nothing is left of the attempt."""
    with closing(open_sql(backup)) as store:
        with writing(store.engine) as connection:
            connection.exec_driver_sql(damage)
        (problem,) = check_store(store).problems
        (campaign,) = store.campaigns()
    with pytest.raises(StoreError, match="is not in order, so nothing was restored"):
        restore_store(backup, str(tmp_path / "new.db"), SCHEMA_STEPS)

    assert problem.startswith(f"campaign {campaign}: ")
    assert DAMAGES[damage] in problem
    assert not list(tmp_path.glob("new.db*"))


def test_a_damaged_page_is_found(backup: Path) -> None:
    """By the database itself, which says where."""
    with closing(sqlite3.connect(backup)) as raw:
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'audit_log'")
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    with backup.open("r+b") as file:
        file.seek((page[0] - 1) * size)
        file.write(os.urandom(size))
    with closing(open_sql(backup, upgrade=False)) as store:
        problems = check_store(store).problems

    assert problems
    assert "campaign" not in problems[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_backups_during_load_hold_everything_that_was_acknowledged(
    kind: str, address: Address, tmp_path: Path
) -> None:
    """Each of several is restored and replayed; each is a beginning of the whole journal."""
    place = address(kind)
    asyncio.run(begin(place))
    notes = tmp_path / "notes"
    player = started(play, place, [0, 1, 2, 3], notes)
    known: list[set[int]] = []
    try:
        with closing(open_sql(place)) as store:
            for number in range(BACKUPS):
                known.append(answers(notes, least=10 * number))
                backup_store(store, tmp_path / f"{number}.db", 1.0, SCHEMA_STEPS)
    finally:
        player.kill()
        player.join()
    whole = journals(place)[NAME]

    for number in range(BACKUPS):
        target = str(tmp_path / f"restored-{number}.db")
        (found,) = restore_store(tmp_path / f"{number}.db", target, SCHEMA_STEPS)
        assert journals(target)[NAME] == whole[: found.events]
        assert known[number] <= answered(target)
        with closing(open_sql(target)) as store:
            assert NAME in store.summaries(), "it was written with the journal, and is as new"
    assert len(known[-1]) >= 10 * (BACKUPS - 1)


def answers(notes: Path, *, least: int) -> set[int]:
    """Return the answers that were noted, once there are so many."""
    wait_until(lambda: len(whole_lines(notes)) >= least, "nobody answers")
    return set(map(int, whole_lines(notes)))


async def begin(address: str) -> None:
    """Open a campaign with four workers."""
    store = open_sql(address)
    Directory(store.engine)
    desk = Desk(store, lambda: 1.0)
    await opened(desk, sentences=SENTENCES)
    await desk.close()
    store.close()


def answered(address: str) -> set[int]:
    """Return the assignments that were answered."""
    with closing(open_sql(address)) as store:
        return {json.loads(each.body)["assignment"] for each in bodies(store, "Answered")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_that_is_killed_leaves_no_half_file(
    kind: str, address: Address, tmp_path: Path
) -> None:
    """At its name there is a whole backup or none; what was begun ends in .part."""
    place, folder = address(kind), tmp_path / "backups"
    folder.mkdir()
    with closing(open_sql(place)) as store:
        Directory(store.engine)
        rows = (SentenceRow(str(n), "Ann sang in Rome. " * 20, ((0, 3),)) for n in range(4_000))
        store.add_sentences("names", rows)
    for life in range(6):
        process = started(back_up, place, folder, life)
        begun = folder / f"{life}-{life}.db.part"
        wait_until(begun.exists, "no backup has begun")
        process.kill()
        process.join()
    whole = list(folder.glob("*.db"))

    assert len(whole) >= 5 * 6 // 2, "each lived for one backup longer than the one before"
    assert all(".part" in path.name for path in set(folder.iterdir()) - set(whole))
    for path in whole:
        with closing(open_sql(path, upgrade=False)) as store:
            assert check_store(store).problems == []
            assert sum(1 for _ in store.sentences("names")) == 4_000
