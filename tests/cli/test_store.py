"""`spancrew store`: back up, restore, check and copy."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from spancrew.stores import open_sql
from tests.cli.conftest import Run
from tests.postgres import Postgres
from tests.stores.written_stores import WRITTEN, written_store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return the store of a server in the folder in which commands run."""
    return written_store(WRITTEN[-1], tmp_path, "spancrew.db")


def campaigns(address: str | Path) -> list[str]:
    """Return the campaigns of a store."""
    with closing(open_sql(address, make=False, upgrade=False)) as opened:
        return opened.campaigns()


def test_a_backup_is_checked_and_restored(run: Run, store: Path, tmp_path: Path) -> None:
    """The commands of a bad Monday, in their order."""
    before = campaigns(store)
    made, said, _ = run("store", "backup", "monday.db")
    _, record, _ = run("store", "backup", "tuesday.db", "--json")
    checked, report, _ = run("store", "check", "--store", "monday.db", "--json")
    store.write_bytes(b"")
    broken, _, problem = run("store", "check")
    restored, text, _ = run("store", "restore", "monday.db", "--replace")
    sound, facts, _ = run("store", "check")

    assert (made, checked, restored, sound) == (0, 0, 0, 0)
    assert said.startswith("The backup is monday.db (0.")
    assert json.loads(record)["bytes"] == (tmp_path / "tuesday.db").stat().st_size
    assert [each["id"] for each in json.loads(report)["campaigns"]] == before
    assert json.loads(report)["problems"] == []
    assert "Every journal was replayed. Start the server to go on." in text
    assert "What was there before is kept beside it, with replaced-" in text
    assert len(list(tmp_path.glob("spancrew-replaced-*.db"))) == 1
    assert campaigns(store) == before
    assert "Everything is in order." in facts
    assert "never" not in facts
    assert broken == 2
    assert "spancrew.db is empty; there is no store in it" in problem


def test_what_is_wrong_is_listed_and_ends_with_one(run: Run, store: Path) -> None:
    """As text and as JSON."""
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("DELETE FROM journal WHERE version = 5")
        raw.commit()
    code, said, _ = run("store", "check")
    also, record, _ = run("store", "check", "--json")
    backed_up, _, _ = run("store", "backup", "late.db")
    refused, _, problem = run("store", "restore", "late.db", "--folder", "..")

    assert (code, also, backed_up, refused) == (1, 1, 0, 2)
    assert "its journal has no version 5; 6 comes next" in " ".join(said.split())
    assert "broken" in said
    assert len(json.loads(record)["problems"]) == 1
    assert "late.db is not in order, so nothing was restored" in problem


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("check", "--store", "none.db"), "there is no store none.db"),
        (("backup", "b.db", "--folder", "none"), "there is no store none/spancrew.db"),
        (("backup", "spancrew.db"), "spancrew.db is there already; choose another name"),
        (("backup", "none/b.db"), "none/b.db cannot be written: No such file or directory"),
        (("restore", "none.db"), "there is no store none.db"),
        (("restore", "spancrew.db"), "spancrew.db is the store itself; give a backup of it"),
        (("copy", "none.db", "new.db"), "there is no store none.db"),
        (("copy", "spancrew.db", "spancrew.db"), "spancrew.db is not empty"),
        (("copy", "spancrew.db", "mysql://host/db"), "'mysql' is not known"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    run: Run, store: Path, words: tuple[str, ...], problem: str
) -> None:
    """And nothing is changed."""
    before = store.read_bytes()
    code, out, err = run("store", *words)

    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1
    assert store.parent.joinpath("spancrew.db").stat().st_size == len(before)


def test_a_store_moves_to_postgresql_and_back(run: Run, store: Path, postgres: Postgres) -> None:
    """And is backed up there; no password is printed."""
    there = postgres.database()
    codes, said = [], ""
    for words in (
        ("copy", store, there),
        ("check", "--store", there),
        ("backup", "from-there.db", "--store", there),
        ("copy", there, "back.db"),
    ):
        code, out, err = run("store", *words)
        codes.append(code)
        said += out + err
    back = store.with_name("back.db")

    assert codes == [0, 0, 0, 0]
    assert campaigns(back) == campaigns(store.with_name("from-there.db")) == campaigns(store)
    assert "secret-word" not in said
    assert "rows were copied to postgresql://" in said
