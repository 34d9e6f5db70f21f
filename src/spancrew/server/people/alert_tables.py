"""The tables of alerts, and of messages to webhooks that are no events of a journal."""

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

_tables = MetaData()

alerts = Table(
    "directory_alerts",
    _tables,
    Column("kind", String(20), primary_key=True),
    Column("campaign", String(40), primary_key=True),  # empty: the server as a whole
    Column("since", Float, nullable=False),
    Column("message", Text, nullable=False),
    Column("facts", Text, nullable=False),
)

watch = Table(
    "directory_watch",
    _tables,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("holder", String(64), nullable=False),
    Column("held_until", Float, nullable=False),
)

outbox = Table(
    "directory_outbox",
    _tables,
    Column(
        "id",
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    Column("webhook", BigInteger, nullable=False, index=True),
    Column("kind", String(40), nullable=False),
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_autoincrement=True,
)


def create_alerts(connection: Connection) -> None:
    """Create the tables of alerts and messages."""
    _tables.create_all(connection)
