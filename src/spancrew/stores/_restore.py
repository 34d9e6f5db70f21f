"""A backup becomes a store again, and is known to be good before it is used."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from spancrew.errors import StoreError
from spancrew.stores._check import CampaignReport, check_store
from spancrew.stores._copy import copy_store
from spancrew.stores._databases import reading
from spancrew.stores._open import open_sql, path_of
from spancrew.stores._schema import SchemaStep, filled_table
from spancrew.stores._sql import SqlStore
from spancrew.stores._whole_file import copy_pages, whole_file

_MAGIC = b"SQLite format 3\0"


def restore_store(
    backup: Path, address: str, steps: Sequence[SchemaStep], *, aside: str | None = None
) -> tuple[CampaignReport, ...]:
    """Make a store of a backup, and replay every journal in it; return what it holds.

    A file that holds a store is refused; with ``aside``, a word for its new name, it is moved out
    of the way. Of PostgreSQL, only an empty database will do. A backup with anything wrong in it
    is refused before anything is changed. ``steps`` are those of the server.
    """
    path = path_of(address)
    with closing(open_sql(backup, make=False, upgrade=False)) as source:
        if path is not None and path.exists():
            _refuse_target(path, backup, may_replace=aside is not None)
        found = _sound(source)
        if path is None:
            with closing(open_sql(address, upgrade=False)) as target:
                copy_store(source, target, steps)
                _refuse_difference(found, target)
        else:
            _restore_file(source, path, found, aside)
    return found


def _refuse_target(path: Path, backup: Path, *, may_replace: bool) -> None:
    """Refuse a file that is in use, or that holds something and must not be moved."""
    if path.samefile(backup):
        raise StoreError(f"{path} is the store itself; give a backup of it")
    if not path.is_file():
        raise StoreError(f"{path} is a folder; name a file in it, such as {path / 'spancrew.db'}")
    if _is_in_use(path):
        raise StoreError(f"{path} is in use; stop the server first")
    if not may_replace and not _is_empty(path):
        raise StoreError(
            f"{path} holds something; restore to another place, or move it aside with --replace"
        )


def _is_in_use(path: Path) -> bool:
    """Tell whether another process has a store open; leave a file alone that is none any more."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            return False
    try:
        with closing(sqlite3.connect(path, timeout=1)) as raw:
            # SQLite leaves its write-ahead log only for one who is alone with the file.
            raw.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        # Any other error is a damage, and all the more reason to restore a backup.
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
    return False


def _is_empty(path: Path) -> bool:
    try:
        with closing(open_sql(path, upgrade=False)) as store, reading(store.engine) as connection:
            return filled_table(connection) is None
    except StoreError:
        return False


def _restore_file(
    source: SqlStore, path: Path, found: tuple[CampaignReport, ...], aside: str | None
) -> None:
    """Write a file that takes the place of the old one once it is known to be good."""
    with whole_file(path, replace=True) as draft:
        copy_pages(source.engine, draft)
        with closing(open_sql(draft, upgrade=False)) as made:
            _refuse_difference(found, made)
        if aside is not None:
            _move_aside(path, path.with_name(f"{path.stem}-{aside}{path.suffix}"))


def _move_aside(path: Path, aside: Path) -> None:
    """Give a file a second name, so that at no moment there is none in its place."""
    for end in ("", "-wal"):
        if (old := Path(f"{path}{end}")).exists():
            os.link(old, f"{aside}{end}")
    # A log that stayed would be taken for one of the new file.
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)


def _sound(store: SqlStore) -> tuple[CampaignReport, ...]:
    report = check_store(store)
    if report.problems:
        raise StoreError(
            f"{store.place} is not in order, so nothing was restored: "
            + "; ".join(report.problems)
        )
    return report.campaigns


def _refuse_difference(found: tuple[CampaignReport, ...], restored: SqlStore) -> None:
    if _sound(restored) != found:
        raise StoreError(f"{restored.place} differs from the backup; restore it again")
