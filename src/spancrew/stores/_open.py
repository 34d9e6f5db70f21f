"""Stores by their address."""

from pathlib import Path
from typing import TYPE_CHECKING

from spancrew.errors import MissingPackageError, StoreError
from spancrew.stores._base import EventStore
from spancrew.stores._memory import MemoryStore

if TYPE_CHECKING:
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


def open_sql(address: str | Path) -> "SqlStore":
    """Open a store that is a database: SQLite or PostgreSQL, not memory."""
    text = str(address)
    scheme, _, rest = text.partition("://")
    try:
        if not rest and "://" not in text:
            return _sqlite(Path(text))
        if scheme == "sqlite":
            return _sqlite(_path_of(rest))
        if scheme in {"postgresql", "postgres", "postgresql+psycopg"}:
            return _postgres(text)
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"a store needs the package {error.name}: pip install 'spancrew[server]'"
        ) from None
    raise StoreError(f"a store of the kind {scheme!r} is not known; give {_FORMS}")


def _path_of(rest: str) -> Path:
    """Return the path of what follows ``sqlite://``."""
    path = rest.removeprefix("/")
    if not path or path == ":memory:":
        raise StoreError(f"sqlite://{rest} names no file; give {_FORMS}")
    return Path(path)


def _sqlite(path: Path) -> "SqlStore":
    from spancrew.stores._sql import SqlStore  # noqa: PLC0415  SQLAlchemy takes time to import
    from spancrew.stores._sqlite import SqliteDatabase  # noqa: PLC0415

    return SqlStore(SqliteDatabase(path).engine())


def _postgres(address: str) -> "SqlStore":
    from sqlalchemy import make_url  # noqa: PLC0415
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    from spancrew.stores._postgres import PostgresDatabase  # noqa: PLC0415
    from spancrew.stores._sql import SqlStore  # noqa: PLC0415

    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        # The address may hold a password: it is not repeated.
        raise StoreError(f"the address of the store cannot be read; give {_FORMS}") from None
    return SqlStore(PostgresDatabase(url).engine())
