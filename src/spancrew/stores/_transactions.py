"""Transactions on a database of ours: whole or not at all, with one error for all faults."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from spancrew.errors import StoreError

_OPTION = "spancrew_database"


class Database(Protocol):
    """What differs between SQLite and PostgreSQL; ``place`` is where it is, for messages."""

    place: str

    @property
    def errors(self) -> type[Exception]:
        """Return what its driver raises."""
        ...

    def check(self) -> None:
        """Refuse with a StoreError if the database has gone in a way that it would not notice."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """Wait for the other writers of this process, where only one can write at a time."""
        ...

    def begin(self, connection: Connection) -> None:
        """Begin a transaction that writes."""
        ...

    def lock(self, connection: Connection, name: str) -> None:
        """Wait until nobody else holds this name, then hold it until the transaction is over."""
        ...

    def insert_rows(self, connection: Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add very many rows with all columns of a table, in order."""
        ...

    def announce(self, connection: Connection, campaign: str) -> None:
        """Tell those who listen, when the transaction is over, that a journal has changed."""
        ...

    def listen(self, engine: Engine, listener: "Listener") -> None:
        """Pass on what other processes change, until the listener is over or the database away."""
        ...

    def backup(self, engine: Engine, path: Path) -> None:
        """Write a copy while others go on writing."""
        ...

    def explain(self, error: BaseException) -> str:
        """Return what is wrong and what to do about it, without secrets."""
        ...


class Listener(Protocol):
    """Who wants to know which journals change."""

    @property
    def over(self) -> Event:
        """Return what is set when nobody wants to know any more."""
        ...

    def is_wanted(self) -> bool:
        """Tell whether it is worth looking now."""
        ...

    def heard(self, campaign: str | None) -> None:
        """Take note of a journal that has changed; None if any of them may have."""
        ...


def options_of(database: Database) -> dict[str, Any]:
    """Return the execution options by which an engine knows its database."""
    return {_OPTION: database}


def database_of(engine: Engine) -> Database:
    """Return what differs between databases for an engine of ours."""
    database: Database = engine.get_execution_options()[_OPTION]
    return database


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Yield a connection to look things up with."""
    database = database_of(engine)
    with _explained(database):
        database.check()
        with engine.connect() as connection:
            yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Yield a connection whose changes are kept when the block ends; an error undoes them.

    An ``IntegrityError`` goes through as it is: what it means, only the caller knows.
    """
    database = database_of(engine)
    with _explained(database), database.alone():
        database.check()
        with engine.connect() as connection:
            connection.begin()
            database.begin(connection)
            yield connection
            connection.commit()


@contextmanager
def _explained(database: Database) -> Iterator[None]:
    """Turn what a database may raise into a StoreError; the cause stays out of tracebacks."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise StoreError(database.explain(error.orig or error)) from None
    except database.errors as error:
        raise StoreError(database.explain(error)) from None
    except NoConnectionError:
        raise StoreError(
            f"{database.place}: all connections of this process are in use; try again soon"
        ) from None
