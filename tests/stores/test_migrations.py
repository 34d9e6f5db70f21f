"""The schema of a store is brought up to date, by one process at a time, and never back."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, insert, inspect, text

from spancrew.campaign import Entry
from spancrew.errors import StoreError
from spancrew.server import Directory
from spancrew.server.people.schema import STEPS as PEOPLE_STEPS
from spancrew.server.people.schema import create_directory, people
from spancrew.server.people.values import CampaignGuide
from spancrew.stores import SchemaStep, migrate, open_sql, reading, writing
from spancrew.stores._schema import LAST_STEP, STEPS
from tests.postgres import Postgres


def add_colour(connection: Connection) -> None:
    """Do what a step of a later version might do."""
    connection.execute(text("ALTER TABLE journal ADD COLUMN colour TEXT DEFAULT 'red'"))


COLOUR = SchemaStep(LAST_STEP + 1, "colour", add_colour)


def fail(connection: Connection) -> None:
    """Change something, then fail."""
    connection.execute(text("CREATE TABLE half (id INTEGER)"))
    raise ZeroDivisionError


def steps_of(engine: Engine) -> list[tuple[int, str]]:
    """Return the steps that a database has recorded."""
    with reading(engine) as connection:
        rows = connection.execute(text("SELECT version, name FROM schema ORDER BY version"))
        return [(row[0], row[1]) for row in rows]


def test_a_new_store_has_all_steps(lasting: str) -> None:
    """Journals when it is opened, people with their directory; a second start adds none."""
    own = [(step.number, step.name) for step in STEPS]
    every = sorted((step.number, step.name) for step in (*STEPS, *PEOPLE_STEPS))
    for before in (own, every):
        store = open_sql(lasting)
        assert steps_of(store.engine) == before
        Directory(store.engine)
        steps = steps_of(store.engine)
        store.close()

        assert steps == every


def test_no_two_steps_have_the_same_number() -> None:
    """Those of all rooms are one sequence, and stores knows where it ends."""
    numbers = [step.number for step in (*STEPS, *PEOPLE_STEPS)]

    assert len(numbers) == len(set(numbers))
    assert max(numbers) == LAST_STEP


def test_a_store_of_an_older_version_gets_the_steps_it_lacks(lasting: str) -> None:
    """What it holds stays."""
    store = open_sql(lasting)
    store.append("a", [Entry("Started", 1.0, "{}")], expected_version=0)
    migrate(store.engine, [*STEPS, COLOUR], last=COLOUR.number)
    with reading(store.engine) as connection:
        colour = connection.execute(text("SELECT colour FROM journal")).scalar()
    steps = steps_of(store.engine)
    store.close()

    assert colour == "red"
    assert steps[-1] == (COLOUR.number, "colour")


def test_a_store_from_before_guides_gets_their_tables(lasting: str) -> None:
    """The step before them makes none of them, and the people of that time stay."""
    store = open_sql(lasting)
    Directory(store.engine)
    with writing(store.engine) as connection:
        for name in ("directory_guides", "directory_training"):
            connection.execute(text(f"DROP TABLE {name}"))
        create_directory(connection)
        tables = set(inspect(connection).get_table_names())
        connection.execute(text("DELETE FROM schema WHERE version = 3"))
        row = {"role": "worker", "campaign": "a", "number": 0, "name": "Ann", "created_at": 1.0}
        connection.execute(insert(people).values(row))
    store.close()
    store = open_sql(lasting)
    directory = Directory(store.engine)
    worker = directory.people.of_campaign("a", "worker")[0]
    directory.guides.put("a", CampaignGuide("Read this."), 2.0)
    directory.guides.practise(worker.id, "key", 3.0)
    found = worker.name, directory.guides.of("a").instructions
    practised = directory.guides.practised(worker.id)
    store.close()

    assert tables.isdisjoint({"directory_guides", "directory_training"})
    assert found == ("Ann", "Read this.")
    assert practised == {"key": 3.0}


def test_a_store_of_a_newer_version_is_refused(lasting: str) -> None:
    """With both versions, and nothing is changed."""
    store = open_sql(lasting)
    migrate(store.engine, [*STEPS, COLOUR], last=COLOUR.number)
    store.close()

    with pytest.raises(StoreError, match=rf"\(schema {COLOUR.number}; .* up to {LAST_STEP}\)"):
        open_sql(lasting)


def test_a_step_that_fails_changes_nothing(lasting: str) -> None:
    """Not even by the steps before it."""
    store = open_sql(lasting)
    with pytest.raises(ZeroDivisionError):
        migrate(
            store.engine, [COLOUR, SchemaStep(LAST_STEP + 2, "half", fail)], last=LAST_STEP + 2
        )
    with reading(store.engine) as connection:
        tables = inspect(connection).get_table_names()
        columns = {column["name"] for column in inspect(connection).get_columns("journal")}
    steps = steps_of(store.engine)
    store.close()

    assert "half" not in tables
    assert columns == {"campaign", "version", "at", "kind", "body"}
    assert steps == [(step.number, step.name) for step in STEPS]


def test_those_who_start_together_do_not_trip_over_each_other(lasting: str) -> None:
    """All find a store that is ready; processes that do the same are in test_processes."""

    def start(_: int) -> int:
        store = open_sql(lasting)
        Directory(store.engine)
        steps = len(steps_of(store.engine))
        store.close()
        return steps

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(start, range(8)))

    assert found == [len(STEPS) + len(PEOPLE_STEPS)] * 8


@pytest.mark.parametrize("table", ["journal", "schema"])
def test_tables_of_another_program_are_left_alone(postgres: Postgres, table: str) -> None:
    """A database may be shared, names may not."""
    import psycopg

    place = postgres.database()
    with psycopg.connect(place) as other:
        other.execute(f"CREATE TABLE {table} (page TEXT)")

    with pytest.raises(StoreError, match=f"has a table '{table}' of another program"):
        open_sql(place)


def test_the_first_step_is_as_it_always_was(tmp_path: Path) -> None:
    """There are stores that it has made: what is to be different is a step of its own."""
    store = open_sql(tmp_path / "store.db")
    with writing(store.engine) as connection:
        found = connection.execute(
            text(
                "SELECT sql FROM sqlite_master WHERE name IN ('journal', 'kept', 'sentences') "
                "AND type = 'table' ORDER BY name"
            )
        )
        made = [" ".join(row[0].split()) for row in found]
    store.close()

    assert "; ".join(made) == (
        "CREATE TABLE journal ( campaign TEXT NOT NULL, version BIGINT NOT NULL, "
        "at DOUBLE NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, "
        "PRIMARY KEY (campaign, version) ) WITHOUT ROWID; "
        "CREATE TABLE kept ( campaign TEXT NOT NULL, kind TEXT NOT NULL, "
        "version BIGINT NOT NULL, data BLOB NOT NULL, "
        "PRIMARY KEY (campaign, kind, version) ); "
        "CREATE TABLE sentences ( campaign TEXT NOT NULL, number BIGINT NOT NULL, "
        "id TEXT NOT NULL, text TEXT NOT NULL, bounds TEXT NOT NULL, gold TEXT, "
        "meta TEXT NOT NULL, PRIMARY KEY (campaign, number) ) WITHOUT ROWID"
    )


def test_a_store_that_holds_something_is_copied_before(tmp_path: Path) -> None:
    """As it was, also if a step fails; an empty one is not."""
    path, copy = tmp_path / "store.db", tmp_path / f"store-schema-{LAST_STEP}.db"
    store = open_sql(path)
    migrate(store.engine, [SchemaStep(LAST_STEP, "as always", lambda _: None)])
    is_copied = copy.exists()
    store.append("a", [Entry("Started", 1.0, "{}")], expected_version=0)
    with pytest.raises(ZeroDivisionError):
        migrate(store.engine, [COLOUR, SchemaStep(99, "half", fail)], last=99)
    migrate(store.engine, [COLOUR], last=COLOUR.number)
    store.close()
    with closing(open_sql(copy)) as old:
        steps, version = steps_of(old.engine), old.version("a")

    assert not is_copied
    assert (COLOUR.number, "colour") not in steps
    assert version == 1


def test_a_store_that_cannot_be_copied_is_not_upgraded(tmp_path: Path) -> None:
    """The disk may be full: better the old version for a while than no way back."""
    store = open_sql(tmp_path / "store.db")
    store.append("a", [Entry("Started", 1.0, "{}")], expected_version=0)
    newest = steps_of(store.engine)[-1][0]
    (tmp_path / f"store-schema-{newest}.db").mkdir()
    with pytest.raises(StoreError, match=r"store-schema-\d.db cannot be written: .*nothing was"):
        migrate(store.engine, [COLOUR], last=COLOUR.number)
    steps = steps_of(store.engine)
    store.close()

    assert (COLOUR.number, "colour") not in steps
    assert not list(tmp_path.glob("*.part"))


def test_an_upgrade_of_postgresql_says_how_to_keep_a_way_back(
    postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    """In the log."""
    store = open_sql(postgres.database())
    store.append("a", [Entry("Started", 1.0, "{}")], expected_version=0)
    migrate(store.engine, [COLOUR], last=COLOUR.number)
    store.close()

    assert "restore a backup that 'spancrew store backup' made before" in caplog.text
