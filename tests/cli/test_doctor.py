"""`spancrew doctor` on stores that are well, and on each thing that can be wrong."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from spancrew.campaign import Entry
from spancrew.cli import _doctor_checks as checks
from spancrew.cli import _doctor_store as store_checks
from spancrew.cli._doctor import examine
from spancrew.cli._doctor_checks import Patient
from spancrew.server import AlertLimits, Directory, parsed_limits
from spancrew.stores import backup_store, open_sql
from tests.cli.conftest import Run
from tests.postgres import Postgres

NOW = 1_700_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store as a server leaves it, with one event."""
    path = tmp_path / "spancrew.db"
    opened = open_sql(path)
    Directory(opened.engine)
    opened.append("c", [Entry("Opened", NOW - 60, "{}")], expected_version=0)
    opened.close()
    return path


def patient(address: str | Path, **values: Any) -> Patient:
    """Return what is examined."""
    usual: dict[str, Any] = {"host": "127.0.0.1", "public_url": None, "proxies": ()}
    usual |= {"limits": AlertLimits(), "now": NOW}
    return Patient(str(address), **{**usual, **values})


def verdicts(address: str | Path, **values: Any) -> dict[str, str]:
    """Return the verdict of every check."""
    return {each.check: each.verdict for each in examine(patient(address, **values))}


def one(check: str, address: str | Path, **values: Any) -> checks.DoctorFinding:
    """Return what one check found."""
    (found,) = [each for each in examine(patient(address, **values)) if each.check == check]
    return found


def test_a_store_that_is_well_has_no_problem(store: Path) -> None:
    """Only a backup is missing; and nothing in the store has changed."""
    before = store.read_bytes()
    found = verdicts(store)

    assert found.pop("backup") == "warning"
    assert found.pop("disk") in {"ok", "warning"}
    assert set(found.values()) == {"ok"}
    assert set(found) >= {"python", "packages", "address", "proxies", "store", "rights"}
    assert set(found) >= {"schema", "pages", "clock"}
    assert store.read_bytes() == before


def test_the_command_prints_a_table_and_ends_with_a_code(
    run: Run, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zero with warnings, one with a problem; in 80 columns, and as JSON."""
    monkeypatch.setenv("COLUMNS", "80")
    folder = str(store.parent)
    well = run("doctor", "--folder", folder, "--json")
    store.chmod(0o644)
    ill = run("doctor", "--folder", folder)
    told = json.loads(run("doctor", "--folder", folder, "--json")[1])

    assert well[0] == 0
    assert json.loads(well[1])["problems"] == 0
    assert ill[0] == 1
    assert "chmod 600" in ill[1]
    assert "1 problem" in ill[1].splitlines()[-1]
    assert max(map(len, ill[1].splitlines())) <= 80
    assert run("doctor", "--folder", folder, "--alerts", "disk=much")[0] == 2
    assert told["problems"] == 1
    assert {"check", "verdict", "found", "remedy"} == set(told["checks"][0])


def test_files_that_others_can_read_are_a_problem(store: Path) -> None:
    """Also those beside the store, in which the newest changes are."""
    beside = store.with_name("spancrew.db-wal")
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("SELECT count(*) FROM journal").fetchone()
        assert beside.exists()
        beside.chmod(0o640)
        found = one("rights", store)

    assert found.verdict == "problem"
    assert found.remedy == f"chmod 600 {beside}"


def test_a_store_that_is_not_there_yet_is_no_problem(tmp_path: Path) -> None:
    """The server makes it; the doctor does not."""
    found = verdicts(tmp_path / "spancrew.db")

    assert found["store"] == "warning"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("mysql://host/db", "is not known"),
        ("postgresql://ana:secret@127.0.0.1:9/crew", "cannot be reached"),
    ],
)
def test_a_store_that_cannot_be_opened_is_a_problem(address: str, words: str) -> None:
    """With the remedy, and without the password."""
    found = one("store", address)

    assert found.verdict == "problem"
    assert words in found.found
    assert found.remedy
    assert "secret" not in found.found + found.remedy


def test_a_newer_store_and_one_of_another_program_are_problems(
    store: Path, tmp_path: Path
) -> None:
    """Neither can be served."""
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("INSERT INTO schema (version, name) VALUES (99, 'later')")
        raw.commit()
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as raw:
        raw.execute("CREATE TABLE mine (id)")
    other.chmod(0o600)

    assert "newer spancrew" in one("store", store).found
    assert "another program" in one("store", other).found


def test_an_older_store_is_upgraded_by_the_server_and_not_here(tmp_path: Path) -> None:
    """The doctor says what is missing."""
    path = tmp_path / "old.db"
    open_sql(path).close()
    before = path.read_bytes()
    found = one("schema", path)

    assert found.verdict == "warning"
    assert "directory" in found.found
    assert "backup" in found.remedy
    assert path.read_bytes() == before


def test_damaged_pages_are_a_problem(store: Path) -> None:
    """What SQLite says is passed on."""
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    data = bytearray(store.read_bytes())
    for page in range(2, len(data) // size):
        data[page * size : page * size + 40] = b"\xff" * 40
    store.write_bytes(data)
    found = verdicts(store)

    assert "problem" in {found.get("pages"), found["store"]}


@pytest.mark.parametrize(("seconds", "verdict"), [(0, "ok"), (30, "warning"), (3600, "problem")])
def test_a_clock_behind_the_newest_event_is_told_of(
    store: Path, seconds: float, verdict: str
) -> None:
    """Leases would end in the wrong order."""
    assert one("clock", store, now=NOW - 60 - seconds).verdict == verdict


def test_the_clock_of_the_database_counts_as_well() -> None:
    """Two machines must agree on the time."""
    assert store_checks.clock(NOW, None, NOW + 3).verdict == "ok"
    assert store_checks.clock(NOW, None, NOW - 20).verdict == "warning"
    assert store_checks.clock(NOW, None, NOW + 200).verdict == "problem"


def test_a_backup_that_is_too_old_is_told_of(store: Path, tmp_path: Path) -> None:
    """Not if nothing has happened since."""
    opened = open_sql(store)
    backup_store(opened, tmp_path / "copy.db", NOW, ())
    now = NOW + 100 * 3600
    idle = one("backup", store, now=now)
    opened.append("c", [Entry("Started", now, "{}")], expected_version=1)
    opened.close()

    assert idle.verdict == "ok"
    for limits, verdict in (("", "warning"), ("backup=5d", "ok"), ("backup=off", "ok")):
        assert one("backup", store, now=now + 1, limits=parsed_limits(limits)).verdict == verdict


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, "ok"),
        ({"host": "0.0.0.0"}, "warning"),  # noqa: S104  nobody listens
        ({"public_url": "https://crew.example"}, "ok"),
        ({"public_url": "http://127.0.0.1:8000"}, "ok"),
        ({"public_url": "http://crew.example"}, "warning"),
        ({"public_url": "crew.example"}, "problem"),
    ],
)
def test_the_address_for_browsers_is_looked_at(values: dict[str, Any], verdict: str) -> None:
    """Whoever can be reached from elsewhere should encrypt."""
    assert checks.public_address(patient("x", **values)).verdict == verdict


@pytest.mark.parametrize(
    ("proxies", "url", "verdict"),
    [
        ((), None, "ok"),
        ((), "https://crew.example", "warning"),
        (("127.0.0.1",), "https://crew.example", "ok"),
        (("10.0.0.0/8", "*"), None, "problem"),
        (("0.0.0.0/0",), None, "problem"),
    ],
)
def test_proxies_are_named_and_not_everybody(
    proxies: tuple[str, ...], url: str | None, verdict: str
) -> None:
    """Who is taken for a proxy can choose the address that limits are counted by."""
    (found,) = checks.trusted_proxies(patient("x", proxies=proxies, public_url=url))

    assert found.verdict == verdict


def test_a_missing_package_is_a_problem_and_the_store_is_left_alone(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not be opened."""
    version = checks._version
    monkeypatch.setattr(checks, "_version", lambda n: None if n == "sqlalchemy" else version(n))
    found = list(examine(patient(store)))
    (packages,) = [each for each in found if each.check == "packages"]

    assert packages.verdict == "problem"
    assert "sqlalchemy" in packages.found
    assert "spancrew[server]" in packages.remedy
    assert "store" not in {each.check for each in found}


def test_a_full_disk_is_a_problem(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little room is a warning, by the limit at which the server raises an alert."""
    seen = []
    for free, limits in ((50, ""), (9, ""), (1, ""), (9, "disk=0.05"), (1, "disk=off")):
        usage = shutil._ntuple_diskusage(100, 100 - free, free)
        monkeypatch.setattr(shutil, "disk_usage", lambda _path, usage=usage: usage)
        seen.append(store_checks.disk_space(store, parsed_limits(limits)).verdict)

    assert seen == ["ok", "warning", "problem", "ok", "ok"]


def test_a_store_in_postgresql_is_examined_too(postgres: Postgres) -> None:
    """Before the server has made its tables, and afterwards."""
    address = postgres.database()
    empty = verdicts(address)
    opened = open_sql(address)
    Directory(opened.engine)
    opened.close()
    whole = verdicts(address, now=checks_now())

    assert (empty["store"], empty["schema"]) == ("ok", "warning")
    assert (whole["schema"], whole["clock"], whole["backup"]) == ("ok", "ok", "ok")
    assert one("clock", address).verdict == "problem"


def checks_now() -> float:
    """Return the time of this machine, which is that of the database."""
    import time

    return time.time()  # noqa: TID251  compared with a real clock
