"""The first step of the schema: journals, what is kept beside them, and sentences."""

from sqlalchemy import BigInteger, Column, Connection, Double, LargeBinary, MetaData, Table, Text


def create_journal(connection: Connection) -> None:
    """Create the tables of the journals.

    This step never changes, since there are databases that it has made: what is to be different
    later is a step of its own.
    """
    tables = MetaData()
    Table(
        "journal",
        tables,
        Column("campaign", Text, primary_key=True),
        Column("version", BigInteger, primary_key=True, autoincrement=False),
        Column("at", Double, nullable=False),
        Column("kind", Text, nullable=False),
        Column("body", Text, nullable=False),
        sqlite_with_rowid=False,  # in the order of the key: half the pages to write
    )
    Table(
        "kept",
        tables,
        Column("campaign", Text, primary_key=True),
        Column("kind", Text, primary_key=True),
        Column("version", BigInteger, primary_key=True, autoincrement=False),
        Column("data", LargeBinary, nullable=False),
    )
    Table(
        "sentences",
        tables,
        Column("campaign", Text, primary_key=True),
        Column("number", BigInteger, primary_key=True, autoincrement=False),
        Column("id", Text, nullable=False),
        Column("text", Text, nullable=False),
        Column("bounds", Text, nullable=False),
        Column("gold", Text),
        Column("meta", Text, nullable=False),
        sqlite_with_rowid=False,
    )
    tables.create_all(connection, checkfirst=False)
