"""Stores by their address."""

from pathlib import Path
from typing import TYPE_CHECKING

from spancrew.errors import MissingPackageError, StoreError
from spancrew.stores._base import EventStore
from spancrew.stores._memory import MemoryStore

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from spancrew.stores._sql import SqlStore

_FORMS = "a path, sqlite:///PATH, postgresql://USER:PASSWORD@HOST/DATABASE or memory:"


def open_store(address: str | Path) -> EventStore:
    """Open the store at an address; a file that is not there is made.

    An address is a path, ``sqlite:///PATH``, ``postgresql://USER:PASSWORD@HOST/DATABASE`` or
    ``memory:``. The schema of a database is brought up to date.

    >>> open_store("memory:").version("names")
    0
    """
    if str(address) == "memory:":
        return MemoryStore()
    return open_sql(address)


def open_sql(address: str | Path, *, make: bool = True, upgrade: bool = True) -> "SqlStore":
    """Open a store that is a database: SQLite or PostgreSQL, not memory.

    Without ``make``, one that is not there is refused. Without ``upgrade``, the schema stays as
    it is: enough to read the journals, and to copy everything.
    """
    path = path_of(address)
    if path is not None and not make and not path.is_file():
        raise StoreError(f"there is no store {path}; give the path of its file, or its address")
    try:
        from spancrew.stores._schema import steps_of  # noqa: PLC0415  SQLAlchemy takes time to import
        from spancrew.stores._sql import SqlStore  # noqa: PLC0415

        engine = _postgres(str(address)) if path is None else _sqlite(path)
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"a store needs the package {error.name}: pip install 'spancrew[server]'"
        ) from None
    store = SqlStore(engine, upgrade=upgrade)
    if not make and not steps_of(engine):
        store.close()
        raise StoreError(f"{store.place} is empty; there is no store in it")
    return store


def path_of(address: str | Path) -> Path | None:
    """Return the file of a store; None for PostgreSQL. Refuse an address of any other kind."""
    text = str(address)
    scheme, mark, rest = text.partition("://")
    if not mark:
        return Path(text)
    if scheme in {"postgresql", "postgres", "postgresql+psycopg"}:
        return None
    if scheme != "sqlite":
        raise StoreError(f"a store of the kind {scheme!r} is not known; give {_FORMS}")
    name = rest.removeprefix("/")
    if not name or name == ":memory:":
        raise StoreError(f"{text} names no file; give {_FORMS}")
    return Path(name)


def _sqlite(path: Path) -> "Engine":
    from spancrew.stores._sqlite import SqliteDatabase  # noqa: PLC0415

    return SqliteDatabase(path).engine()


def _postgres(address: str) -> "Engine":
    from sqlalchemy import make_url  # noqa: PLC0415
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    from spancrew.stores._postgres import PostgresDatabase  # noqa: PLC0415

    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        # The address may hold a password: it is not repeated.
        raise StoreError(f"the address of the store cannot be read; give {_FORMS}") from None
    return PostgresDatabase(url).engine()
