"""Backups while running, and the way from one database to another."""

from pathlib import Path
from threading import Event, Thread

import pytest

from spancrew.campaign import Entry
from spancrew.errors import StoreError
from spancrew.server import SCHEMA_STEPS, Directory
from spancrew.server.people.values import CampaignGuide, SolvedSentence
from spancrew.stores import (
    Derived,
    SentenceRow,
    SqlStore,
    backup_store,
    copy_store,
    open_sql,
    open_store,
)
from tests.postgres import Postgres

SOLVED = SolvedSentence("東京", ((0, 1), (1, 2)), ((0, 2, "LOC"),), "A place.")
PAIR = [Entry("Judged", 1.0, "{}"), Entry("Settled", 1.0, "{}")]


def filled(path: Path) -> SqlStore:
    """Return a store with something in every table."""
    store = open_sql(path)
    store.append("names", PAIR, expected_version=0)
    store.keep("names", "snapshot", Derived(2, b"\x00\xff"))
    store.add_sentences("names", [SentenceRow(str(n), "東京", ((0, 2),)) for n in range(5_001)])
    directory = Directory(store.engine)
    admin = directory.first_admin(5.0)
    directory.guides.put("names", CampaignGuide("Read.", (SOLVED,), (SOLVED,)), 5.0)
    directory.guides.practise(admin.id, "key", 6.0)
    return store


def same(one: SqlStore, other: SqlStore) -> bool:
    """Tell whether two stores hold the same."""
    return (
        one.campaigns() == other.campaigns()
        and list(one.read("names")) == list(other.read("names"))
        and one.kept("names", "snapshot") == other.kept("names", "snapshot")
        and list(one.sentences("names")) == list(other.sentences("names"))
        and Directory(one.engine).people.find(role="admin")
        == Directory(other.engine).people.find(role="admin")
        and Directory(one.engine).guides.of("names") == Directory(other.engine).guides.of("names")
        and Directory(other.engine).guides.of("names").practice == (SOLVED,)
        and Directory(other.engine).guides.practised(1) == {"key": 6.0}
    )


def test_a_backup_is_a_store(tmp_path: Path) -> None:
    """It opens like any other, and only its owner may read it."""
    store = filled(tmp_path / "store.db")
    backup_store(store, tmp_path / "backup.db", 7.5, SCHEMA_STEPS)
    backup = open_sql(tmp_path / "backup.db")

    assert same(store, backup)
    assert (tmp_path / "backup.db").stat().st_mode & 0o777 == 0o600
    store.close()
    backup.close()


def test_a_backup_during_work_has_whole_turns_only(tmp_path: Path) -> None:
    """Nobody has to stop for it."""
    store, done = open_sql(tmp_path / "store.db"), Event()

    def work() -> None:
        while not done.is_set():
            with store.turn("names") as turn:
                turn.append(PAIR[:1])
                turn.append(PAIR[1:])

    thread = Thread(target=work)
    thread.start()
    before = []
    for number in range(3):
        before.append(store.version("names"))
        backup_store(store, tmp_path / f"{number}.db", 7.5, SCHEMA_STEPS)
    done.set()
    thread.join()
    store.close()

    for number, version in enumerate(before):
        backup = open_store(tmp_path / f"{number}.db")
        kinds = [entry.kind for _, entry in backup.read("names")]
        backup.close()
        assert len(kinds) >= version
        assert kinds == ["Judged", "Settled"] * (len(kinds) // 2)


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    """Not even an older backup; a folder that is not there is named."""
    store = open_sql(tmp_path / "store.db")
    (tmp_path / "notes").write_text("mine")

    with pytest.raises(StoreError, match="is there already"):
        backup_store(store, tmp_path / "notes", 7.5, SCHEMA_STEPS)
    with pytest.raises(StoreError, match=r"backup.db cannot be written: .*No such file"):
        backup_store(store, tmp_path / "none" / "backup.db", 7.5, SCHEMA_STEPS)
    assert (tmp_path / "notes").read_text() == "mine"
    store.close()


def test_a_store_moves_from_sqlite_to_postgresql(tmp_path: Path, postgres: Postgres) -> None:
    """With people and all; counting goes on where it was."""
    source, target = filled(tmp_path / "store.db"), open_sql(postgres.database())
    rows = copy_store(source, target, SCHEMA_STEPS)
    added = Directory(target.engine).people.add("expert", 6.0, campaign="names", name="Eva")

    assert rows >= 2 + 1 + 5_001 + 1 + 1 + 1
    assert same(source, target)
    assert added.id == 2
    with pytest.raises(StoreError, match="is not empty"):
        copy_store(source, target, SCHEMA_STEPS)
    source.close()
    target.close()


def test_what_is_deleted_is_overwritten(tmp_path: Path) -> None:
    """Nobody finds it in the file."""
    store = open_sql(tmp_path / "store.db")
    store.add_sentences("names", [SentenceRow("1", "Ann Example was here", ((0, 3),))] * 200)
    store.delete("names")
    store.close()

    assert b"Ann Example" not in (tmp_path / "store.db").read_bytes()
