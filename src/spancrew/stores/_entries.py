"""A file to which entries are only added, and which survives a crash."""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from spancrew.errors import StoreError


class EntryFile:
    """An SQLite database with one table, to which JSON objects are added.

    Entries are on the disk before ``add`` returns, for which threads take turns. One process at a
    time can open the file, and only its owner can read it. Messages say ``what`` it is, and whose
    ``work`` another process may be at.
    """

    def __init__(self, path: str | Path, what: str, work: str) -> None:
        self.path = Path(path)
        self._lock = Lock()
        self._database = _opened(self.path, what, work)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield all entries in their order."""
        for (text,) in self._database.execute("SELECT body FROM entries ORDER BY number"):
            yield json.loads(text)

    def add(self, *entries: dict[str, Any]) -> None:
        """Add entries, all or none."""
        texts = [(json.dumps(entry),) for entry in entries]
        try:
            with self._lock, self._database:
                self._database.executemany("INSERT INTO entries (body) VALUES (?)", texts)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be written ({error})") from None

    def unknown(self, entry: dict[str, Any]) -> StoreError:
        """Return the error for an entry of a kind that is not known."""
        return StoreError(
            f"{self.path} has an entry {entry.get('entry')!r}, which this version does not know: "
            "it was written by a newer one"
        )

    def close(self) -> None:
        """Let others open it."""
        self._database.close()


def _opened(path: Path, what: str, work: str) -> sqlite3.Connection:
    """Open a file that only its owner can read, and keep others out until it is closed."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    database = sqlite3.connect(path, timeout=0.0, check_same_thread=False)
    try:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA synchronous = EXTRA")
        database.execute("BEGIN EXCLUSIVE")
        database.execute(
            "CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, body TEXT NOT NULL)"
        )
        database.commit()
    except sqlite3.Error as error:
        database.close()
        if "locked" in str(error):
            raise StoreError(f"another {work} is at work on {path}: wait until it ends") from None
        raise StoreError(f"{path} is no {what} ({error})") from None
    return database
