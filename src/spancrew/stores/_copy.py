"""From one database to another: everything, journals and people alike."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Table, func, insert, select, text

from spancrew.errors import StoreError
from spancrew.stores._databases import reading, writing
from spancrew.stores._sql import SqlStore

_OWN = "schema"
_ROWS = 2_000


def copy_store(source: SqlStore, target: SqlStore) -> int:
    """Copy all that a store holds into an empty one, all or none; return the number of rows.

    Nobody should write to the source meanwhile: stop the server first.
    """
    tables = _shared_tables(source, target)
    with writing(target.engine) as connection:
        for table in tables:
            if connection.execute(select(func.count()).select_from(table)).scalar():
                raise StoreError(
                    f"{target.place} is not empty (table {table.name}); give a new database"
                )
        total = sum(_copied(source.engine, connection, table) for table in tables)
        if target.engine.dialect.name == "postgresql":
            _renumber(connection, tables)
    return total


def _shared_tables(source: SqlStore, target: SqlStore) -> list[Table]:
    """Return the tables of the source as the target has them; refuse to leave any behind."""
    names = {table.name for table in _tables(source.engine)}
    found = [table for table in _tables(target.engine) if table.name in names]
    if missing := sorted(names - {table.name for table in found}):
        raise StoreError(
            f"{target.place} lacks the tables {', '.join(missing)}; open a Directory on its "
            "engine first, which makes those of people"
        )
    return found


def _tables(engine: Engine) -> list[Table]:
    found = MetaData()
    with reading(engine) as connection:
        found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != _OWN]


def _copied(source: Engine, target: Connection, table: Table) -> int:
    total = 0
    for rows in _chunks(source, table):
        target.execute(insert(table), rows)
        total += len(rows)
    return total


def _chunks(source: Engine, table: Table) -> Iterator[list[dict[str, Any]]]:
    with reading(source) as connection:
        rows = connection.execution_options(yield_per=_ROWS).execute(select(table))
        for part in rows.mappings().partitions():
            yield [dict(row) for row in part]


def _renumber(connection: Connection, tables: list[Table]) -> None:
    """Let PostgreSQL go on counting where the rows end."""
    for table in tables:
        for column in table.primary_key:
            if column.autoincrement is not True and column.server_default is None:
                continue
            connection.execute(
                text(
                    "SELECT setval(pg_get_serial_sequence(:table, :column), "  # noqa: S608  names of ours
                    f"(SELECT coalesce(max({column.name}), 0) + 1 FROM {table.name}), false)"
                ),
                {"table": table.name, "column": column.name},
            )
