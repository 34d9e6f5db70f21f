"""The audit log in the database: append-only, chained, on SQLite and PostgreSQL."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, Executable, delete, insert, text, update
from sqlalchemy.exc import IntegrityError

from spancrew.cli import main
from spancrew.errors import StoreError
from spancrew.server import SCHEMA_STEPS, audit_problems
from spancrew.server.people.audit import MOST_DETAILS, AuditEntry, AuditFilter, AuditLog
from spancrew.server.people.audit_schema import audit_head, audit_log, audit_pending
from spancrew.server.people.directory import Directory
from spancrew.stores import copy_store, open_sql, writing
from tests.postgres import Postgres
from tests.spread import often

NOW = 1000.0
ENTRY = AuditEntry(NOW, 1, "admin", "session", "campaigns.start", campaign="a")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """Return a database of every kind with an empty log."""
    if request.param == "sqlite":
        address = str(tmp_path / "crew.db")
    else:
        address = request.getfixturevalue("postgres").database()
    store = open_sql(address)
    Directory(store.engine)
    yield store.engine
    store.close()


@pytest.fixture
def log(engine: Engine) -> AuditLog:
    """Return an empty log."""
    return AuditLog(engine)


def test_entries_come_back_as_they_were_added(log: AuditLog) -> None:
    """In both orders, and page by page."""
    added = [replace(ENTRY, at=NOW + n, after={"n": n, "ü": [1.5, None]}) for n in range(5)]
    for each in added:
        log.add(each)

    assert [row.entry for row in log.read()] == added
    assert [row.id for row in log.newest(2)] == [5, 4]
    assert [row.id for row in log.newest(2, before=4)] == [3, 2]
    assert [row.id for row in log.after(3)] == [4, 5]
    assert log.last() == 5
    assert log.verify() == (5, log.newest(1)[0].hash, None)


def test_entries_are_found_by_campaign_person_action_and_time(log: AuditLog) -> None:
    """A group of actions means all of them, and no others that begin with the same letters."""
    log.add(ENTRY)
    log.add(replace(ENTRY, person=2, action="campaigns.pause", at=NOW + 1))
    log.add(replace(ENTRY, campaign="b", action="campaigns_2.start", at=NOW + 2))

    def ids(wanted: AuditFilter) -> list[int]:
        return [row.id for row in log.read(wanted)]

    assert ids(AuditFilter(campaign="b")) == [3]
    assert ids(AuditFilter(person=2)) == [2]
    assert ids(AuditFilter(action="campaigns")) == [1, 2]
    assert ids(AuditFilter(action="campaigns.start")) == [1]
    assert ids(AuditFilter(since=NOW + 1)) == [2, 3]
    assert ids(AuditFilter(campaign="a", person=1, since=NOW + 1)) == []


def test_the_database_refuses_to_change_the_log(engine: Engine, log: AuditLog) -> None:
    """Whoever writes to it: neither change, nor removal, nor an insert in the place of another."""
    log.add(ENTRY)
    log.add(ENTRY)
    row = log.after(1)[0]
    again = {**asdict(row.entry), "id": 1, "hash": row.hash, "before": None, "after": None}
    attacks: list[Executable] = [
        update(audit_log).values(action="x"),
        delete(audit_log).where(audit_log.c.id == 2),
        insert(audit_log).values({**again, "id": 9}),
        insert(audit_log).prefix_with("OR REPLACE", dialect="sqlite").values(again),
    ]
    if engine.dialect.name == "postgresql":
        attacks.append(text("TRUNCATE audit_log"))
    for attack in attacks:
        with pytest.raises(IntegrityError), writing(engine) as connection:
            connection.execute(attack)

    assert log.verify().problem is None
    assert log.last() == 2


def _unprotected(engine: Engine) -> None:
    """Do as somebody does who has all rights in the database."""
    names = ("audit_log_update", "audit_log_delete", "audit_log_insert")
    with writing(engine) as connection:
        for name in names:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")


CHANGES = {
    "at": NOW + 0.5,
    "person": None,
    "role": "worker",
    "via": "token",
    "credential": 7,
    "action": "campaigns.pause",
    "campaign": "b",
    "target": "w1",
    "address": "10.0.0.1",
    "agent": "curl",
    "status": 200,
    "before": "{}",
    "after": '{"a":1}',
    "hash": "f" * 64,
    "id": 99,
}


@settings(max_examples=often(20, 60))
@given(
    size=st.integers(1, 6),
    place=st.integers(1, 6),
    change=st.sampled_from([*sorted(CHANGES), "removed"]),
)
def test_verify_finds_whatever_is_changed_or_removed(
    tmp_path_factory: pytest.TempPathFactory, size: int, place: int, change: str
) -> None:
    """Any column of any entry, and any entry, the first and the last among them."""
    place = min(place, size)
    store = open_sql(tmp_path_factory.mktemp("audit") / "crew.db")
    Directory(store.engine)
    log = AuditLog(store.engine)
    for _ in range(size):
        log.add(ENTRY)
    assert log.verify().problem is None
    _unprotected(store.engine)
    this = audit_log.c.id == place
    with writing(store.engine) as connection:
        if change == "removed":
            connection.execute(delete(audit_log).where(this))
        else:
            connection.execute(update(audit_log).where(this).values({change: CHANGES[change]}))
    found = log.verify()
    store.close()

    assert found.problem is not None
    assert found.entries == place - 1


def test_verify_finds_a_last_entry_that_was_written_anew(tmp_path: Path) -> None:
    """With a hash that fits, it does not fit to what the log knows of its end."""
    store = open_sql(tmp_path / "crew.db")
    Directory(store.engine)
    log = AuditLog(store.engine)
    log.add(ENTRY)
    true = log.newest(1)[0]
    with writing(store.engine) as connection:
        connection.execute(update(audit_head).values(hash="f" * 64))
    found = log.verify()
    store.close()

    assert found == (1, true.hash, "entry 1 was changed, and its hash, too")


def test_many_who_write_at_once_make_one_chain(engine: Engine) -> None:
    """Each with a log of its own, as processes have."""
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: AuditLog(engine).add(replace(ENTRY, at=NOW + n)), range(30)))

    assert AuditLog(engine).verify()[::2] == (30, None)


def test_what_never_ended_becomes_an_entry_without_an_outcome(log: AuditLog) -> None:
    """A server that dies in between leaves no action out."""
    log.begin(ENTRY)
    done = log.begin(replace(ENTRY, action="campaigns.pause"))
    log.end(done, replace(ENTRY, action="campaigns.pause", status=200))

    assert log.settle(NOW) == 0
    assert log.settle(NOW + 1) == 1
    assert log.settle(NOW + 1) == 0
    found = [(row.entry.action, row.entry.status) for row in log.read()]
    assert found == [("campaigns.pause", 200), ("campaigns.start", None)]


def test_only_one_of_many_makes_an_entry_of_what_never_ended(engine: Engine) -> None:
    """Every process looks for them when it starts."""
    log = AuditLog(engine)
    for _ in range(5):
        log.begin(ENTRY)
    with ThreadPoolExecutor(4) as pool:
        settled = list(pool.map(lambda _: AuditLog(engine).settle(NOW + 1), range(4)))

    assert sum(settled) == 5
    assert log.last() == 5


def test_an_entry_and_its_end_are_one_transaction(engine: Engine, log: AuditLog) -> None:
    """If the entry cannot be added, it still waits."""
    pending = log.begin(ENTRY)
    with writing(engine) as connection:
        connection.execute(update(audit_head).values(entries=7))
    with pytest.raises(StoreError, match="does not end at entry 7"):
        log.end(pending, ENTRY)
    with writing(engine) as connection:
        waiting = connection.execute(audit_pending.select()).all()

    assert len(waiting) == 1


def test_very_long_details_are_cut(log: AuditLog) -> None:
    """The log says how long they were."""
    log.add(replace(ENTRY, after={"reason": "x" * MOST_DETAILS}))

    assert log.after(0)[0].entry.after == {"characters": MOST_DETAILS + 13}
    assert log.verify().problem is None


def test_a_copy_of_a_store_has_the_log_and_goes_on_with_it(
    tmp_path: Path, postgres: Postgres
) -> None:
    """From SQLite to PostgreSQL and back."""
    first = open_sql(tmp_path / "crew.db")
    Directory(first.engine).audit.add(replace(ENTRY, after={"n": 0.1}))
    second, third = open_sql(postgres.database()), open_sql(tmp_path / "copy.db")
    for source, target in ((first, second), (second, third)):
        copy_store(source, target, SCHEMA_STEPS)
        AuditLog(target.engine).add(ENTRY)
    found = [AuditLog(each.engine).verify()[::2] for each in (first, second, third)]
    for each in (first, second, third):
        each.close()

    assert found == [(1, None), (2, None), (3, None)]


def test_the_check_of_a_store_finds_a_changed_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One without a log, of an older spancrew, is in order."""
    store = open_sql(tmp_path / "crew.db")
    before = audit_problems(store.engine)
    Directory(store.engine).audit.add(ENTRY)
    good = audit_problems(store.engine)
    _unprotected(store.engine)
    with writing(store.engine) as connection:
        connection.execute(update(audit_log).values(person=9))
    store.close()
    words = ["spancrew", "store", "check", "--store", str(tmp_path / "crew.db")]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()

    assert (before, good, ended.value.code) == ([], [], 1)
    assert "Wrong: audit log: entry 1 was changed" in capsys.readouterr().out


def test_the_name_of_a_person_is_looked_up_and_gone_when_they_are_erased(engine: Engine) -> None:
    """The entry itself stays as it is, and so does the chain."""
    directory = Directory(engine)
    person = directory.people.add("admin", NOW, name="Ada Lovelace")
    directory.audit.add(replace(ENTRY, person=person.id))
    before = directory.audit.newest(1)[0]
    directory.people.erase(person.id)
    after = directory.audit.newest(1)[0]

    assert before.name == "Ada Lovelace"
    assert after == before._replace(name=None)
    assert directory.audit.verify().problem is None
