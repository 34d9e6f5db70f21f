"""The tables of journals, and the steps that bring a database up to date when it is opened."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    func,
    insert,
    inspect,
    literal,
    select,
    table,
)
from sqlalchemy.exc import DBAPIError

from spancrew.errors import StoreError
from spancrew.stores._databases import database_of, reading, writing

# What makes these tables never changes, since there are databases that it has made: what is to be
# different later is a step of its own.
_tables = MetaData()

journal = Table(
    "journal",
    _tables,
    Column("campaign", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,  # in the order of the key: half the pages to write
)

kept = Table(
    "kept",
    _tables,
    Column("campaign", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

sentences = Table(
    "sentences",
    _tables,
    Column("campaign", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("bounds", Text, nullable=False),
    Column("gold", Text),
    Column("meta", Text, nullable=False),
    sqlite_with_rowid=False,
)


def create_journal(connection: Connection) -> None:
    """Create the tables of the journals; refuse to if one is there."""
    _tables.create_all(connection, checkfirst=False)


_summary_tables = MetaData()

summaries = Table(
    "summaries",
    _summary_tables,
    Column("campaign", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("due", Double),
    Column("body", Text, nullable=False),
)


def create_summaries(connection: Connection) -> None:
    """Create the table of summaries; those of campaigns that are there come with time."""
    _summary_tables.create_all(connection, checkfirst=False)


_sentence_tables = MetaData()

# Apart from what is long, so that a search reads little.
sentence_states = Table(
    "sentence_states",
    _sentence_tables,
    Column("campaign", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("confidence", Double),
    Column("doubt", Double),
    Column("disputed", Integer, nullable=False),
    Column("audit", Text, nullable=False),
    Column("corrections", Integer, nullable=False),
    Column("labels", Text, nullable=False),
    Column("workers", Text, nullable=False),
    sqlite_with_rowid=False,
)

sentence_labels = Table(
    "sentence_labels",
    _sentence_tables,
    Column("campaign", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("spans", Text, nullable=False),
    Column("said", Text, nullable=False),
    sqlite_with_rowid=False,
)

sentence_events = Table(
    "sentence_events",
    _sentence_tables,
    Column("campaign", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

sentence_marks = Table(
    "sentence_marks",
    _sentence_tables,
    Column("campaign", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("open", Text, nullable=False),
)


def create_sentence_index(connection: Connection) -> None:
    """Create the index of sentences; that of a campaign is filled at the first look."""
    _sentence_tables.create_all(connection, checkfirst=False)


class SchemaStep(NamedTuple):
    """A change of the schema; once released, it stays as it is.

    Other rooms keep tables of their own in the same database, and number their steps in one
    sequence with these: a number is never used twice.
    """

    number: int
    name: str
    apply: Callable[[Connection], None]


STEPS = (
    SchemaStep(1, "journals", create_journal),
    SchemaStep(7, "summaries", create_summaries),
    SchemaStep(8, "sentence index", create_sentence_index),
)
"""The steps of journals."""
LAST_STEP = 9
"""The last step that this release knows, of any room; a database with a later one is newer."""

_record = Table(
    "schema",
    MetaData(),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("applied_at", Text, nullable=False, server_default=func.current_timestamp()),
)


def migrate(engine: Engine, steps: Sequence[SchemaStep] = STEPS, *, last: int = LAST_STEP) -> None:
    """Apply the steps that a database lacks, all or none; wait for others who do the same.

    A database that holds something is copied before, where that can be done. One that a newer
    program has changed is refused.
    """
    database = database_of(engine)
    with writing(engine) as connection:
        database.lock(connection, "schema")
        applied = _applied(connection, database.place)
        newest = max(applied, default=0)
        if newest > last:
            raise StoreError(
                f"{database.place} was written by a newer spancrew (schema {newest}; this one "
                f"knows up to {last}); upgrade spancrew, nothing was changed"
            )
        lacking = [step for step in steps if step.number not in applied]
        if lacking and applied and filled_table(connection) is not None:
            # Another connection copies: it does not see what this one is about to change.
            database.keep_old(engine, newest)
        apply_steps(connection, lacking)


def apply_steps(connection: Connection, steps: Iterable[SchemaStep]) -> None:
    """Apply steps, and note that they were applied."""
    for step in steps:
        step.apply(connection)
        connection.execute(insert(_record).values(version=step.number, name=step.name))


def steps_of(engine: Engine) -> set[int]:
    """Return the numbers of the steps that were applied to a database of ours."""
    with reading(engine) as connection:
        return set(connection.execute(select(_record.c.version)).scalars())


def filled_table(connection: Connection) -> str | None:
    """Return the name of a table that holds something; None if nothing does."""
    for name in inspect(connection).get_table_names():
        rows = select(literal(1)).select_from(table(name)).limit(1)
        if name != _record.name and connection.execute(rows).first() is not None:
            return name
    return None


def _applied(connection: Connection, place: str) -> set[int]:
    """Return the numbers of the steps that were applied; none for an empty database."""
    tables = set(inspect(connection).get_table_names())
    if _record.name not in tables:
        if "journal" in tables:
            raise StoreError(
                f"{place} has a table 'journal' of another program; choose another database"
            )
        _record.create(connection)
        return set()
    try:
        return set(connection.execute(select(_record.c.version)).scalars())
    except DBAPIError:
        raise StoreError(
            f"{place} has a table 'schema' of another program; choose another database"
        ) from None
