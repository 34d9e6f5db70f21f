"""What is common to our databases: transactions, one error for all faults, and who listens."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Event, Thread
from typing import Any, ClassVar, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from spancrew.errors import StoreError

PATIENCE = 30.0
"""Seconds that a writer waits for the others."""

_OPTION = "spancrew_database"

_log = logging.getLogger("spancrew.stores")


class Database(Protocol):
    """What differs between SQLite and PostgreSQL; ``place`` is where it is, for messages.

    A method with a body here is one that only some databases need.
    """

    place: str
    errors: ClassVar[type[Exception]]
    """What the driver raises."""

    def check(self) -> None:
        """Refuse with a StoreError if the database has gone in a way that it would not notice."""
        return

    def alone(self) -> AbstractContextManager[None]:
        """Wait for the other writers of this process, where only one can write at a time."""
        return nullcontext()

    def begin(self, connection: Connection) -> None:  # noqa: ARG002  the first statement begins
        """Begin a transaction that writes."""
        return

    def lock(self, connection: Connection, name: str) -> None:  # noqa: ARG002  writers are alone
        """Wait until nobody else holds this name, then hold it until the transaction is over."""
        return

    def announce(self, connection: Connection, campaign: str) -> None:  # noqa: ARG002  not by all
        """Tell those who listen, when the transaction is over, that a journal has changed."""
        return

    def insert_rows(self, connection: Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add very many rows with all columns of a table, in order."""
        ...

    def listen(self, engine: Engine, listener: "JournalListener") -> None:
        """Pass on what other processes change, until the listener is over or the database away."""
        ...

    def hold_still(self, connection: Connection) -> None:
        """Show a reader the database as it is now, whatever others write meanwhile."""
        ...

    def empty_log(self) -> bool:
        """Leave everything in the main file and nothing in a log beside it; tell whether it is.

        What was deleted is then nowhere in the files. Others who are busy may prevent it.
        """
        return True

    def keep_old(self, engine: Engine, schema: int) -> None:
        """Keep a copy of a store whose schema is about to change."""
        ...

    def damages(self, connection: Connection) -> list[str]:  # noqa: ARG002  PostgreSQL has its own tools
        """Return what the database itself finds wrong with its files."""
        return []

    def explain(self, error: BaseException) -> str:
        """Return what is wrong and what to do about it, without secrets."""
        ...


def options_of(database: Database) -> dict[str, Any]:
    """Return the execution options by which an engine knows its database."""
    return {_OPTION: database}


def database_of(engine: Engine) -> Database:
    """Return what differs between databases for an engine of ours."""
    database: Database = engine.get_execution_options()[_OPTION]
    return database


def empty_log(engine: Engine) -> bool:
    """See that what was deleted is nowhere in the files of a store; tell whether that worked.

    It does not while somebody reads for longer than two seconds; the next call, or the end of the
    server, makes up for it.
    """
    return database_of(engine).empty_log()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Yield a connection to look things up with."""
    database = database_of(engine)
    with _explained(database):
        database.check()
        with engine.connect() as connection:
            yield connection


@contextmanager
def still(engine: Engine) -> Iterator[Connection]:
    """Yield a connection that sees the database as it is now, whatever others write meanwhile."""
    with reading(engine) as connection:
        database_of(engine).hold_still(connection)
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


_AGAIN = 1.0
"""Seconds after which a listener that lost the database tries again."""


class JournalListener:
    """Hears which journals of a database change, until it is stopped.

    PostgreSQL notifies; SQLite is asked every half second while ``is_wanted`` says so. Calls of
    ``heard`` come from a thread; None means that any journal may have changed. It never raises:
    while the database is away nothing is heard, and afterwards that anything may have changed.
    """

    def __init__(
        self,
        engine: Engine,
        heard: Callable[[str | None], None],
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        self.over = Event()
        self.heard = heard
        self.is_wanted = is_wanted
        self._engine = engine
        self._thread = Thread(target=self._run, name="spancrew-listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no longer, and wait for the thread."""
        self.over.set()
        self._thread.join()

    def _run(self) -> None:
        database = database_of(self._engine)
        while not self.over.is_set():
            try:
                database.listen(self._engine, self)
            except (StoreError, database.errors) as error:
                _log.warning("%s: not listening: %s", database.place, type(error).__name__)
                self.over.wait(_AGAIN)
