"""SQLite: one file, every commit on the disk before it counts."""

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, QueuePool, create_engine

from spancrew.errors import StoreError
from spancrew.stores._databases import PATIENCE, Database, JournalListener, options_of
from spancrew.stores._whole_file import copy_pages, whole_file

_log = logging.getLogger("spancrew.stores")

_CAUSES = {
    "SQLITE_FULL": "the disk is full; make room, and the work goes on",
    "SQLITE_IOERR": "the disk does not take or give the data (it may be full, gone or broken); "
    "make room or repair it, and work continues",
    "SQLITE_READONLY": "the file or its folder may only be read; allow writing, and the work goes "
    "on",
    "SQLITE_PERM": "the file may not be used by this user; allow it",
    "SQLITE_BUSY": "another process has been writing for too long; try again soon",
    "SQLITE_LOCKED": "another process has been writing for too long; try again soon",
    "SQLITE_NOTADB": "this is not an SQLite database; choose another file for the store",
    "SQLITE_CORRUPT": "the database is damaged; restore the last backup",
}


def explained(path: Path, error: BaseException) -> str:
    """Return the place, the cause and the remedy of an error of SQLite."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_CANTOPEN"):
        return not_opened(path, error)
    # SQLITE_IOERR_WRITE is a kind of SQLITE_IOERR.
    cause = _CAUSES.get("_".join(name.split("_")[:2]))
    if cause is None:
        return f"{path}: {error}"
    return f"{path}: {cause} ({error})"


def not_opened(path: Path, error: BaseException) -> str:
    """Return why a file cannot be opened; SQLite itself does not say."""
    folder = path.absolute().parent
    if path.is_dir():
        return f"{path} is a folder; name a file in it, such as {path / 'spancrew.db'}"
    if not folder.is_dir():
        return f"{path} cannot be opened: there is no folder {folder}; create it first"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{path} cannot be opened: nothing can be written to {folder}; allow it"
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        return f"{path} cannot be opened: it may only be read, or not even that; allow writing"
    said = error.strerror if isinstance(error, OSError) else str(error)
    return f"{path} cannot be opened: {said}; is the disk full, or the folder gone?"


_PAUSE = 0.001
_MOMENT = 2.0
"""Seconds that emptying the log may wait for readers; they hardly ever take longer."""
_LOOK = 0.5
"""Seconds between two looks for what other processes wrote."""
_APPLICATION = 0x5350_4E43
"""Marks a file as ours ("SPNC"), for ``file`` and for us."""


class SqliteDatabase(Database):
    """A file with many readers and one writer at a time, in all processes together."""

    errors = sqlite3.Error

    def __init__(self, path: Path, *, patience: float = PATIENCE) -> None:
        self.place = str(path)
        self._path = path
        self._patience = patience
        self._writers = Lock()
        self._has_kept_old = False
        self._file = _prepare(path, patience)

    def engine(self) -> Engine:
        """Return an engine whose connections are set to full durability."""
        return create_engine(
            "sqlite://",
            creator=self._connect,
            poolclass=QueuePool,
            pool_size=8,
            max_overflow=24,
            pool_timeout=self._patience,
            hide_parameters=True,
            execution_options=options_of(self),
        )

    def _connect(self) -> sqlite3.Connection:
        self.check()
        return _connected(self._path, self._patience)

    def check(self) -> None:
        """Refuse to write into a file that has been moved, deleted or replaced."""
        try:
            found = _identity(self._path)
        except OSError:
            raise StoreError(
                f"{self.place}: the file has gone; put it back, and the work goes on"
            ) from None
        if found != self._file:
            raise StoreError(
                f"{self.place}: another file has taken the place of the one that was opened; put "
                "it back, or start again to use the new one"
            )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait for the other threads here, in the order in which they came, more or less."""
        if not self._writers.acquire(timeout=self._patience):
            raise StoreError(
                f"{self.place}: others have been writing for {self._patience:g} s; try again soon"
            )
        try:
            yield
        finally:
            self._writers.release()

    def begin(self, connection: Connection) -> None:
        """Begin to write; ask often, because SQLite itself would sleep ever longer."""
        raw: Any = connection.connection.dbapi_connection
        raw.execute("PRAGMA busy_timeout = 0")
        try:
            _until_free(raw, "BEGIN IMMEDIATE", self._patience)
        finally:
            raw.execute(f"PRAGMA busy_timeout = {int(self._patience * 1000)}")

    def insert_rows(self, connection: Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Add very many rows with all columns of a table, in order."""
        marks = ", ".join("?" * len(rows[0]))
        connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608  a name of ours

    def listen(self, engine: Engine, listener: JournalListener) -> None:  # noqa: ARG002  one of its own
        """Ask now and then whether anybody has written: a number in memory, no page is read."""
        with closing(self._connect()) as raw:
            before = None
            while not listener.over.wait(_LOOK):
                if not listener.is_wanted():
                    continue
                (now,) = raw.execute("PRAGMA data_version").fetchone()
                if now != before:
                    listener.heard(None)
                before = now

    def hold_still(self, connection: Connection) -> None:
        """Begin to read: a reader sees what was there at its first look."""
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")

    def empty_log(self) -> bool:
        """Move what is in the write-ahead log into the file; readers may hold it up."""
        deadline = time.monotonic() + _MOMENT
        try:
            with closing(self._connect()) as raw:
                raw.execute("PRAGMA busy_timeout = 0")
                while not self._has_emptied_log(raw):
                    if time.monotonic() > deadline:
                        _log.warning("%s: the write-ahead log stays: it is in use", self.place)
                        return False
                    time.sleep(_PAUSE)
        except (StoreError, sqlite3.Error) as error:
            _log.warning("%s: the write-ahead log stays: %s", self.place, error)
            return False
        return True

    def _has_emptied_log(self, raw: sqlite3.Connection) -> bool:
        with self.alone():
            busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def keep_old(self, engine: Engine, schema: int) -> None:
        """Write a copy beside the file, named after its schema; once for each start."""
        if self._has_kept_old:
            return
        copy = self._path.with_name(f"{self._path.stem}-schema-{schema}{self._path.suffix}")
        with whole_file(copy, replace=True) as draft:
            copy_pages(engine, draft)
        self._has_kept_old = True
        _log.warning("%s has schema %d and is upgraded; a copy is %s", self.place, schema, copy)

    def damages(self, connection: Connection) -> list[str]:
        """Return what SQLite finds when it looks at every page."""
        found = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
        return [each for each in found if each != "ok"]

    def explain(self, error: BaseException) -> str:
        """Return what is wrong with the file and what to do about it."""
        return explained(self._path, error)


def _prepare(path: Path, patience: float) -> tuple[int, int]:
    """Make the file if there is none, see that it is ours, and let readers read while we write."""
    try:
        # Only its owner may read what people have entered.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        with closing(_connected(path, patience)) as raw:
            _refuse_others(path, raw)
            _until_free(raw, "PRAGMA journal_mode = WAL", patience)
        return _identity(path)
    except OSError as error:
        raise StoreError(not_opened(path, error)) from None
    except sqlite3.Error as error:
        raise StoreError(explained(path, error)) from None


def _connected(path: Path, patience: float) -> sqlite3.Connection:
    """Connect to a file that is there; never make a new, empty one in its place."""
    raw = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode=rw",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("PRAGMA foreign_keys = ON")
        # What is deleted is overwritten: it may be about people.
        raw.execute("PRAGMA secure_delete = ON")
        raw.execute("PRAGMA cache_size = -16000")
    except sqlite3.Error:
        raw.close()
        raise
    return raw


def _refuse_others(path: Path, raw: sqlite3.Connection) -> None:
    """Refuse a database that another program made; mark a new one as ours."""
    (mark,) = raw.execute("PRAGMA application_id").fetchone()
    if mark == _APPLICATION:
        return
    (tables,) = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark or tables:
        raise StoreError(
            f"{path} is an SQLite database of another program; choose another file for the store"
        )
    raw.execute(f"PRAGMA application_id = {_APPLICATION}")


def _until_free(raw: sqlite3.Connection, command: str, patience: float) -> None:
    """Repeat a command until nobody else writes."""
    deadline = time.monotonic() + patience
    while True:
        try:
            raw.execute(command)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
