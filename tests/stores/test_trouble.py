"""What a store says when something is wrong, and that it goes on afterwards."""

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from spancrew.campaign import Entry
from spancrew.errors import StoreError
from spancrew.stores import open_sql, open_store
from tests.conftest import ROOT
from tests.postgres import Postgres

ENTRY = Entry("Started", 1.0, "{}")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that every user of the machine can enter."""
    with tempfile.TemporaryDirectory(prefix="spancrew-") as folder:
        Path(folder).chmod(0o755)
        inner = Path(folder) / "store"
        inner.mkdir(mode=0o755)
        yield inner
        inner.chmod(0o755)


def troubled(trouble: str, path: Path) -> list[str]:
    """Return what a process prints whose store gets into trouble."""
    words = [sys.executable, "-m", "tests.stores.troubled", trouble, str(path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603  ours

    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """The store says so, and goes on when there is room."""
    refused, kept, counts, more = troubled("full", tmp_path / "store.db")
    safe, there = (int(part.split()[0]) for part in counts.split(", "))

    assert refused.startswith(f"{tmp_path / 'store.db'}: the disk")
    assert "make room" in refused
    assert "make room" in kept
    assert 3 < safe == there
    assert more == "5 more"


def test_a_file_that_goes_away_and_comes_back_is_noticed(tmp_path: Path) -> None:
    """No second, empty file is made in its place."""
    refused, kept, counts, more = troubled("gone", tmp_path / "store.db")

    assert refused == kept
    assert "the file has gone; put it back" in refused
    assert (counts, more) == ("3 safe, 3 there", "5 more")
    assert not (tmp_path / "away.db").exists()


def test_a_file_that_may_only_be_read_is_refused(open_folder: Path) -> None:
    """So is a new one in such a folder; both say what to allow."""
    old, new = troubled("read-only", open_folder / "store.db")

    assert f"{open_folder / 'store.db'} cannot be opened" in old
    assert f"nothing can be written to {open_folder}; allow it" in new


def test_another_file_in_the_same_place_is_not_written_to(tmp_path: Path) -> None:
    """Two stores must not become one by accident."""
    store = open_store(tmp_path / "store.db")
    store.append("a", [ENTRY], expected_version=0)
    (tmp_path / "store.db").rename(tmp_path / "old.db")
    open_store(tmp_path / "store.db").close()

    with pytest.raises(StoreError, match="another file has taken the place"):
        store.append("a", [ENTRY], expected_version=1)
    store.close()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With what to do."""
    with pytest.raises(StoreError, match=r"there is no folder .*none; create it first"):
        open_store(tmp_path / "none" / "store.db")


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    """A file in it can be."""
    with pytest.raises(
        StoreError, match=r"is a folder; name a file in it, such as .*spancrew\.db"
    ):
        open_store(tmp_path)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    """Say so, and change nothing."""
    path = tmp_path / "notes.txt"
    path.write_text("my notes " * 1_000)

    with pytest.raises(StoreError, match="this is not an SQLite database"):
        open_store(path)
    assert path.read_text() == "my notes " * 1_000


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """Even if it has a table with a name of ours."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE journal (page TEXT)")
    before = path.read_bytes()

    with pytest.raises(StoreError, match="database of another program"):
        open_store(path)
    assert path.read_bytes() == before


def test_a_damaged_database_says_what_to_do(tmp_path: Path) -> None:
    """A page of the journal was overwritten."""
    path = tmp_path / "store.db"
    store = open_store(path)
    big = Entry("Judged", 1.0, '{"text":"' + "x" * 3_000 + '"}')
    store.append("a", [big] * 50, expected_version=0)
    store.close()
    data = bytearray(path.read_bytes())
    data[4096 * 4 :] = b"\xff" * len(data[4096 * 4 :])
    path.write_bytes(data)

    with pytest.raises(StoreError, match=r"damaged; restore the last backup"):  # noqa: PT012  either
        store = open_store(path)
        list(store.read("a"))


@pytest.mark.parametrize(
    "address",
    [
        "mysql://root:topsecret@host/db",
        "sqlite://",
        "sqlite:///:memory:",
        "postgresql://u:p@h:x/d",
    ],
)
def test_an_address_that_cannot_be_used_shows_those_that_can(address: str) -> None:
    """Without repeating a password."""
    with pytest.raises(StoreError, match="give a path, sqlite:///PATH, postgresql://") as error:
        open_store(address)
    assert "topsecret" not in str(error.value)
    assert "goes on" not in str(error.value)


def test_a_postgresql_that_is_not_there_is_named_without_the_password() -> None:
    """Neither that of the user nor that of an option."""
    with pytest.raises(
        StoreError, match=r"//127\.0\.0\.1:9/db cannot be reached, so nothing was started"
    ) as error:
        open_store("postgresql://ann:topsecret@127.0.0.1:9/db?password=topsecret")
    assert "topsecret" not in str(error.value)
    assert error.value.__cause__ is None


def test_a_database_that_is_not_there_is_named(postgres: Postgres) -> None:
    """With what to do."""
    with pytest.raises(StoreError, match=r"there is no such database or user; create it"):
        open_store(postgres.address("nowhere"))


def test_a_postgresql_that_goes_away_and_comes_back_is_found_again(postgres: Postgres) -> None:
    """Also in the middle of a turn, of which nothing is left."""
    store = open_store(postgres.database())
    store.append("a", [ENTRY], expected_version=0)
    with pytest.raises(StoreError, match="once it is back"), store.turn("a") as t:  # noqa: PT012
        t.append([ENTRY])
        postgres.stop()
    with pytest.raises(StoreError, match="once it is back, the work goes on"):
        store.version("a")
    postgres.start()
    version = store.append("a", [ENTRY], expected_version=1)
    store.close()

    assert version == 2


def test_a_writer_who_waits_too_long_is_told_so(tmp_path: Path) -> None:
    """Somebody holds the file, in this process or in another."""
    from spancrew.stores._sql import SqlStore
    from spancrew.stores._sqlite import SqliteDatabase

    path = tmp_path / "store.db"
    store = SqlStore(SqliteDatabase(path, patience=0.2).engine())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process has been writing for too long"):
            store.append("a", [ENTRY], expected_version=0)
    assert store.append("a", [ENTRY], expected_version=0) == 1
    store.close()


def test_postgresql_keeps_what_it_confirms_whatever_its_settings(postgres: Postgres) -> None:
    """A server that was told to be quick and careless is told otherwise."""
    place = postgres.database(own=True)
    store = open_sql(place)
    with store.engine.begin() as connection:
        name = connection.exec_driver_sql("SELECT current_database()").scalar()
        connection.exec_driver_sql(f'ALTER DATABASE "{name}" SET synchronous_commit TO off')
    store.close()
    store = open_sql(place)
    with store.engine.connect() as connection:
        found = connection.exec_driver_sql("SHOW synchronous_commit").scalar()
    store.close()

    assert found == "on"


def test_sqlite_keeps_what_it_confirms(tmp_path: Path) -> None:
    """Written ahead, synchronous to the last byte, and not for everybody to read."""
    store = open_sql(tmp_path / "store.db")
    with store.engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        }
    store.close()

    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
    }
    assert (tmp_path / "store.db").stat().st_mode & 0o777 == 0o600
