"""PostgreSQL: many writers on many machines, one at a time for each journal."""

import logging
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import IntegrityError

from spancrew.stores._databases import PATIENCE, Database, JournalListener, options_of

_log = logging.getLogger("spancrew.stores")

_BY_STATE = {
    "42501": "this user lacks rights in the database; grant CREATE on its schema",
    "53100": "the disk of the database is full; make room, and the work goes on",
    "53300": "the database has no connection left; allow more, or start fewer processes",
    "55P03": "another process has been writing for too long; try again soon",
    "25006": "the database may only be read; is this a replica?",
}
_BY_WORDS = {
    # Before a connection stands there are words only, no states.
    "password authentication failed": "the password is wrong; correct the address of the store",
    "no password supplied": "a password is needed; put it into the address of the store, or into "
    "PGPASSWORD",
    "does not exist": "there is no such database or user; create it, or correct the address",
    "too many clients": _BY_STATE["53300"],
    "lock timeout": _BY_STATE["55P03"],
    "No space left": _BY_STATE["53100"],
}
_AWAY = {"57P01", "57P02", "57P03", "08000", "08003", "08006", None}


_CHANNEL = "spancrew_journal"
_LONGEST = 4_000
"""Bytes that a notification may surely have."""
_BREATH = 0.5
"""Seconds between two looks whether to go on listening."""

_SETTINGS = """
SELECT set_config('lock_timeout', '{patience}', false),
       set_config('idle_in_transaction_session_timeout', '60000', false),
       set_config('synchronous_commit',
         CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
              ELSE current_setting('synchronous_commit') END, false)
"""


class PostgresDatabase(Database):
    """A database that several server processes share."""

    errors = psycopg.Error

    def __init__(self, url: URL, *, patience: float = PATIENCE) -> None:
        self.place = _place(url)
        self._url = url
        self._patience = patience
        self._was_reached = False

    def engine(self) -> Engine:
        """Return an engine that finds its way back when the database was away."""
        given = {"connect_timeout": "5"} | dict(self._url.query)
        engine = create_engine(
            self._url.set(drivername="postgresql+psycopg", query=given),
            isolation_level="READ COMMITTED",
            pool_pre_ping=True,
            pool_size=8,
            max_overflow=8,
            pool_timeout=self._patience,
            hide_parameters=True,
            execution_options=options_of(self),
        )
        event.listen(engine, "connect", self._set_up)
        return engine

    def _set_up(self, raw: Any, _record: object) -> None:
        with raw.cursor() as cursor:
            cursor.execute(_SETTINGS.format(patience=int(self._patience * 1000)))
        raw.commit()
        self._was_reached = True

    def lock(self, connection: Connection, name: str) -> None:
        """Hold a lock of the transaction; the database frees it even if the connection breaks."""
        connection.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 6))"),
            {"name": f"spancrew {name}"},
        )

    def insert_rows(self, connection: Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add very many rows with all columns of a table, in order."""
        raw: Any = connection.connection.dbapi_connection
        try:
            with raw.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.IntegrityError as error:
            raise IntegrityError("COPY", None, error) from None

    def announce(self, connection: Connection, campaign: str) -> None:
        """Notify with the name of the campaign; without it where it is too long for that."""
        payload = campaign if len(campaign.encode()) < _LONGEST else ""
        connection.execute(
            text("SELECT pg_notify(:channel, :payload)"),
            {"channel": _CHANNEL, "payload": payload},
        )

    def listen(self, engine: Engine, listener: JournalListener) -> None:
        """Listen on a connection of its own, which is not one of the pool."""
        args, options = engine.dialect.create_connect_args(engine.url)
        with psycopg.connect(*args, **options, autocommit=True) as raw:
            raw.execute(f"LISTEN {_CHANNEL}")
            # What happened before this moment was not heard.
            listener.heard(None)
            while not listener.over.is_set():
                for notification in raw.notifies(timeout=_BREATH):
                    listener.heard(notification.payload or None)

    def hold_still(self, connection: Connection) -> None:
        """Begin to read in a transaction that sees one moment."""
        connection.execution_options(isolation_level="REPEATABLE READ")

    def keep_old(self, engine: Engine, schema: int) -> None:  # noqa: ARG002  no place for a file
        """Say that there is no copy: a server of PostgreSQL has no folder for one."""
        _log.warning(
            "%s has schema %d and is upgraded, all or nothing; for a way back to the old version, "
            "restore a backup that 'spancrew store backup' made before",
            self.place,
            schema,
        )

    def explain(self, error: BaseException) -> str:
        """Return the place, the cause and the remedy."""
        state: str | None = getattr(error, "sqlstate", None)
        said = str(error).strip().partition("\n")[0]
        if cause := _BY_STATE.get(state) if state else _by_words(str(error)):
            return f"{self.place}: {cause} ({said})"
        if state in _AWAY and self._was_reached:
            return (
                f"{self.place} cannot be reached now; once it is back, the work goes on ({said})"
            )
        if state in _AWAY:
            return (
                f"{self.place} cannot be reached, so nothing was started; start the database, or "
                f"correct the address of the store ({said})"
            )
        return f"{self.place}: {said}"


def _by_words(said: str) -> str | None:
    return next((cause for words, cause in _BY_WORDS.items() if words in said), None)


def _place(url: URL) -> str:
    """Return where the database is, without user, password and options."""
    port = f":{url.port}" if url.port else ""
    host = url.host or url.query.get("host", "")
    return f"postgresql://{host}{port}/{url.database or ''}"
