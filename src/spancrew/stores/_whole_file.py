"""SQLite files that appear whole or not at all, however the program ends."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from spancrew.errors import StoreError

_BESIDE = ("", "-journal", "-wal", "-shm")
"""What SQLite may put beside a file while it is written."""


@contextmanager
def whole_file(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield a draft that only its owner can read; it gets its name if the block ends well.

    A program that is killed leaves a file that ends in ``.part``, and no other.
    """
    if path.exists() and not replace:
        raise StoreError(f"{path} is there already; choose another name")
    draft = path.with_name(f"{path.name}.part")
    try:
        _remove(draft)
        os.close(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
        yield draft
        _stand_alone(draft)
        draft.replace(path)
        _sync(path.absolute().parent)
    except (OSError, sqlite3.Error) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"{path} cannot be written: {said}; nothing was changed") from None
    finally:
        _remove(draft)


def copy_pages(engine: Engine, target: Path) -> None:
    """Copy an SQLite database as it is now; other writers need not wait."""
    with engine.connect() as source, closing(sqlite3.connect(target)) as raw:
        driver: Any = source.connection.dbapi_connection
        driver.backup(raw)


def _stand_alone(draft: Path) -> None:
    """Let a file need none beside it, and be on the disk."""
    with closing(sqlite3.connect(draft)) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
    _sync(draft)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(draft: Path) -> None:
    for end in _BESIDE:
        Path(f"{draft}{end}").unlink(missing_ok=True)
