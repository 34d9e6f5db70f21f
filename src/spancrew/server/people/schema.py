"""The tables of people, secrets, campaigns, webhooks and guides: everything that can be erased."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Executable,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    insert,
    or_,
    text,
    true,
    update,
)
from sqlalchemy.schema import CreateColumn

from spancrew.campaign import latest_end
from spancrew.server.people.alert_tables import create_alerts
from spancrew.server.people.audit_schema import create_audit_log
from spancrew.server.people.pilots import create_pilots
from spancrew.stores import SchemaStep, reading, writing

_directory_tables = MetaData()
_guide_tables = MetaData()
_access_tables = MetaData()

MOST_CHARACTERS = 40
"""The longest id of a campaign that can be listed."""

_KEY = BigInteger().with_variant(Integer, "sqlite")

# sqlite_autoincrement: an id never comes back; who holds that of a row that is gone finds nothing.

campaigns = Table(
    "directory_campaigns",
    _directory_tables,
    Column("id", String(MOST_CHARACTERS), primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("sentences", BigInteger, nullable=False),
    Column("entry_key", String(64), unique=True),
    Column("platform", String(20)),
    Column("completion_code", Text),
    Column("completion_url", Text),
)

_first_people = Table(
    "directory_people",
    _directory_tables,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("role", String(10), nullable=False),
    Column("campaign", String(MOST_CHARACTERS), index=True),
    Column("number", BigInteger),
    Column("name", Text),
    Column("login", String(200), unique=True),
    Column("password", Text),
    Column("platform", String(20)),
    Column("platform_id", String(200)),
    Column("platform_details", Text),
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float),
    Column("erased", Boolean, nullable=False, default=False),
    UniqueConstraint("campaign", "role", "number", name="directory_people_number"),
    UniqueConstraint("campaign", "platform", "platform_id", name="directory_people_platform"),
    sqlite_autoincrement=True,
)
_seen = (_first_people.c[name] for name in ("campaign", "role", "seen_at"))
Index("directory_people_seen", *_seen)

_first_secrets = Table(
    "directory_secrets",
    _directory_tables,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("kind", String(10), nullable=False),
    Column("person", BigInteger, nullable=False, index=True),
    Column("name", Text),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("once", Boolean, nullable=False, default=False),
    sqlite_autoincrement=True,
)

webhooks = Table(
    "directory_webhooks",
    _directory_tables,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("campaign", String(MOST_CHARACTERS), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("kinds", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("cursor", BigInteger, nullable=False, default=0),
    Column("failures", Integer, nullable=False, default=0),
    Column("failing_since", Float),
    Column("try_at", Float, nullable=False, default=0.0),
    Column("stopped", Boolean, nullable=False, default=False),
    Column("holder", String(64)),
    Column("held_until", Float, nullable=False, default=0.0),
    sqlite_autoincrement=True,
)

deliveries = Table(
    "directory_deliveries",
    _directory_tables,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("webhook", BigInteger, nullable=False, index=True),
    Column("at", Float, nullable=False),
    Column("first_version", BigInteger, nullable=False),
    Column("last_version", BigInteger, nullable=False),
    Column("events", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("status", Integer),
    Column("problem", Text),
    Column("seconds", Float, nullable=False),
    sqlite_autoincrement=True,
)


def create_directory(connection: Connection) -> None:
    """Create the tables of the directory; those that are there stay as they are."""
    _directory_tables.create_all(connection)


guides = Table(
    "directory_guides",
    _guide_tables,
    Column("campaign", String(MOST_CHARACTERS), primary_key=True),
    Column("instructions", Text, nullable=False),
    Column("examples", Text, nullable=False),
    Column("practice", Text, nullable=False),
    Column("changed_at", Float, nullable=False),
)

training = Table(
    "directory_training",
    _guide_tables,
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("sentence", String(64), primary_key=True),
    Column("at", Float, nullable=False),
)


def create_guides(connection: Connection) -> None:
    """Create the tables of the guides."""
    _guide_tables.create_all(connection)


rights = Table(
    "directory_rights",
    _access_tables,
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("campaign", String(MOST_CHARACTERS), primary_key=True),
)

attempts = Table(
    "directory_attempts",
    _access_tables,
    Column("account", String(64), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

revocations = Table(
    "directory_revocations",
    _access_tables,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
)

REVOKED = update(revocations).values(count=revocations.c.count + 1)
"""Goes with every change that ends somebody's access, so that all processes hear of it."""


def _grown(table: Table, *columns: Column[Any]) -> Table:
    """Return a table with the columns that a later step adds; the given one stays as it was."""
    grown = table.to_metadata(MetaData())
    for column in columns:
        grown.append_column(column)
    return grown


people = _grown(
    _first_people,
    Column("is_owner", Boolean, nullable=False, server_default=false()),
    Column("email", String(200)),
    Column("subject", String(500)),
    Column("totp", Text),
    Column("totp_step", BigInteger),
)

secrets = _grown(
    _first_secrets,
    Column("scope", String(10)),
    Column("campaign", String(MOST_CHARACTERS)),
    Column("used_at", Float),
)


def add_access(connection: Connection) -> None:
    """Add scopes of tokens, rights of admins, second factors and what stops guessing."""
    _access_tables.create_all(connection)
    connection.execute(insert(revocations).values(id=1, count=0))
    _add_columns(connection, _first_people, people)
    _add_columns(connection, _first_secrets, secrets)
    admins = update(people).where(people.c.role == "admin")
    connection.execute(admins.values(is_owner=true()))


def _add_columns(connection: Connection, before: Table, after: Table) -> None:
    for column in after.columns:
        if column.name not in before.columns:
            added = CreateColumn(column).compile(dialect=connection.dialect)
            connection.execute(text(f"ALTER TABLE {after.name} ADD COLUMN {added}"))


STEPS = (
    SchemaStep(2, "directory", create_directory),
    SchemaStep(3, "guides", create_guides),
    SchemaStep(4, "access", add_access),
    SchemaStep(5, "audit log", create_audit_log),
    SchemaStep(6, "alerts", create_alerts),
    SchemaStep(9, "pilots", create_pilots),
)
"""The steps of these tables; step 1 makes the journals, which the room of stores keeps."""

SCHEMA_STEPS = STEPS
"""The steps of all parts of the server: what a copy of a store must have, too."""


def time_is_up(until: Column[float], now: float, lasts: float) -> ColumnElement[bool]:
    """Return the condition that :func:`spancrew.campaign.is_up` is for values."""
    return or_(until <= now, until > latest_end(now, lasts))


class Statements:
    """Runs statements on these tables; each call is a transaction of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def all(self, query: Executable) -> Sequence[Any]:
        """Return the rows that a query finds."""
        with reading(self._engine) as connection:
            return connection.execute(query).all()

    def first(self, query: Executable) -> Any:
        """Return the first row that a query finds; None if there is none."""
        return next(iter(self.all(query)), None)

    def change(self, *statements: Executable) -> int:
        """Make changes, all or none; return how many rows the last one has changed."""
        with writing(self._engine) as connection:
            counts = [connection.execute(each).rowcount for each in statements]
        return counts[-1]

    def hold(self, table: Table, id_: int, holder: str, now: float, until: float) -> bool:
        """Take a row until a time; tell whether it is ours, as one holder at a time has it."""
        free = or_(time_is_up(table.c.held_until, now, until - now), table.c.holder == holder)
        ours = {"holder": holder, "held_until": until}
        return self.change(update(table).where(table.c.id == id_, free).values(ours)) > 0

    def add(self, table: Table, values: dict[str, Any]) -> int:
        """Add a row and return its id."""
        with writing(self._engine) as connection:
            return added(connection, table, values)


def added(connection: Connection, table: Table, values: dict[str, Any]) -> int:
    """Add a row in a transaction that is open, and return its id."""
    key = connection.execute(insert(table).values(values)).inserted_primary_key
    assert key is not None  # noqa: S101  a single row was inserted
    return int(key[0])
