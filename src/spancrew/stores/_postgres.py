"""PostgreSQL: many writers on many machines, one at a time for each journal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import IntegrityError

from spancrew.errors import StoreError
from spancrew.stores._postgres_faults import explained
from spancrew.stores._work import options_of

PATIENCE = 30.0
"""Seconds that a writer waits for the others."""

_SETTINGS = """
SELECT set_config('lock_timeout', '{patience}', false),
       set_config('idle_in_transaction_session_timeout', '60000', false),
       set_config('synchronous_commit',
         CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
              ELSE current_setting('synchronous_commit') END, false)
"""


class PostgresDatabase:
    """A database that several server processes share."""

    errors = psycopg.Error

    def __init__(self, url: URL, *, patience: float = PATIENCE) -> None:
        self.place = _place(url)
        self._url = url
        self._patience = patience

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

    def check(self) -> None:
        """Do nothing: a connection that is lost shows by itself."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Do nothing: many can write at once."""
        yield

    def begin(self, connection: Connection) -> None:
        """Do nothing: the first statement begins."""

    def lock(self, connection: Connection, name: str) -> None:
        """Hold a lock of the transaction; it goes with its connection, come what may."""
        connection.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 6))"),
            {"name": f"spancrew {name}"},
        )

    def pour(self, connection: Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add very many rows with all columns of a table, in order."""
        raw: Any = connection.connection.dbapi_connection
        try:
            with raw.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.IntegrityError as error:
            raise IntegrityError("COPY", None, error) from None

    def backup(self, engine: Engine, path: Path) -> None:  # noqa: ARG002  there is a tool
        """Refuse: PostgreSQL has a tool of its own for this."""
        raise StoreError(
            f"{self.place}: a backup of PostgreSQL is made with its own tool: pg_dump --format=c "
            f"--file={path} and the name of the database"
        )

    def explain(self, error: BaseException) -> str:
        """Return what is wrong with the database and what to do about it."""
        return explained(self.place, error)


def _place(url: URL) -> str:
    """Return where the database is, without user, password and options."""
    port = f":{url.port}" if url.port else ""
    host = url.host or url.query.get("host", "")
    return f"postgresql://{host}{port}/{url.database or ''}"
