"""The schema of a database, brought up to date step by step when a store is opened."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    Table,
    Text,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import DBAPIError

from spancrew.errors import StoreError
from spancrew.stores._directory_schema import create_directory, create_guides
from spancrew.stores._journal_schema import create_journal
from spancrew.stores._work import database_of, writing


class Step(NamedTuple):
    """A change of the schema; once released, it stays as it is."""

    name: str
    apply: Callable[[Connection], None]


STEPS = (
    Step("journals", create_journal),
    Step("directory", create_directory),
    Step("guides", create_guides),
)
"""All steps, in order: the number of a step is its place, from 1."""

_record = Table(
    "schema",
    MetaData(),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("applied_at", Text, nullable=False, server_default=func.current_timestamp()),
)


def migrate(engine: Engine, steps: Sequence[Step] = STEPS) -> None:
    """Apply the steps that a database lacks, all or none; wait for others who do the same.

    A database that a newer program has changed is refused.
    """
    place = database_of(engine).place
    with writing(engine) as connection:
        database_of(engine).lock(connection, "schema")
        found = _found(connection, place)
        if found > len(steps):
            raise StoreError(
                f"{place} was written by a newer spancrew (schema {found}; this one knows up to "
                f"{len(steps)}); upgrade spancrew, nothing was changed"
            )
        for number, step in enumerate(steps[found:], found + 1):
            step.apply(connection)
            connection.execute(insert(_record).values(version=number, name=step.name))


def _found(connection: Connection, place: str) -> int:
    """Return the last step that was applied; 0 for an empty database."""
    tables = set(inspect(connection).get_table_names())
    if _record.name not in tables:
        if "journal" in tables:
            raise StoreError(
                f"{place} has a table 'journal' of another program; choose another database"
            )
        _record.create(connection)
        return 0
    try:
        return connection.execute(select(func.max(_record.c.version))).scalar() or 0
    except DBAPIError:
        raise StoreError(
            f"{place} has a table 'schema' of another program; choose another database"
        ) from None
