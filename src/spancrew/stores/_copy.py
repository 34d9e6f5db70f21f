"""From one database to another: everything, journals and people alike."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, MetaData, Table, delete, insert, select, text

from spancrew.errors import StoreError
from spancrew.stores._databases import still, writing
from spancrew.stores._schema import STEPS, SchemaStep, apply_steps, filled_table, steps_of
from spancrew.stores._sql import SqlStore

_OWN = "schema"
_ROWS = 2_000


def copy_store(source: SqlStore, target: SqlStore, steps: Sequence[SchemaStep]) -> int:
    """Copy all that a store holds into an empty one, all or none; return the number of rows.

    It copies what was there when it began; what is written to the source later is not copied.
    ``steps`` are those of the server: the target gets the tables that the source has.
    """
    with still(source.engine) as from_, writing(target.engine) as to:
        if (name := filled_table(to)) is not None:
            raise StoreError(f"{target.place} is not empty (table {name}); give a new database")
        tables = _same_tables(source, target, to, steps)
        for table in tables:
            # A step may have put something there.
            to.execute(delete(table))
        total = sum(_copied(from_, to, table) for table in tables)
        if target.engine.dialect.name == "postgresql":
            _renumber(to, tables)
    return total


def _same_tables(
    source: SqlStore, target: SqlStore, to: Connection, steps: Sequence[SchemaStep]
) -> list[Table]:
    """Return the tables of the target, once it has exactly those of the source."""
    wanted, there = steps_of(source.engine), steps_of(target.engine)
    if not there <= wanted:
        raise StoreError(
            f"{source.place} has schema {max(wanted)}, {target.place} has {max(there)} already; "
            "give a new database"
        )
    lacking = wanted - there
    apply_steps(to, [step for step in (*STEPS, *steps) if step.number in lacking])
    tables = MetaData()
    tables.reflect(to)
    return [table for table in tables.sorted_tables if table.name != _OWN]


def _copied(source: Connection, target: Connection, table: Table) -> int:
    total = 0
    for rows in _chunks(source, table):
        target.execute(insert(table), rows)
        total += len(rows)
    return total


def _chunks(source: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    in_order = select(table).order_by(*table.primary_key)
    rows = source.execute(in_order, execution_options={"yield_per": _ROWS})
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
