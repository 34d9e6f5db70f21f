"""Where the journal of a campaign is kept: memory, SQLite, PostgreSQL.

Other rooms may keep tables of their own in the same database: ``migrate`` makes them, ``reading``
and ``writing`` open transactions. May import campaign, crowds and what lies below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spancrew.stores._base import Derived, EventStore, Recorded, SentenceRow, Summary, Turn
from spancrew.stores._material_bytes import material_bytes, material_of
from spancrew.stores._memory import MemoryStore
from spancrew.stores._open import open_sql, open_store

if TYPE_CHECKING:
    from spancrew.stores._copy import copy_store
    from spancrew.stores._databases import JournalListener, database_of, reading, writing
    from spancrew.stores._schema import SchemaStep, migrate
    from spancrew.stores._sql import SqlStore

__all__ = [
    "Derived",
    "EventStore",
    "JournalListener",
    "MemoryStore",
    "Recorded",
    "SchemaStep",
    "SentenceRow",
    "SqlStore",
    "Summary",
    "Turn",
    "copy_store",
    "database_of",
    "material_bytes",
    "material_of",
    "migrate",
    "open_sql",
    "open_store",
    "reading",
    "writing",
]

_FILE = {
    "JournalListener": "_databases",
    "SchemaStep": "_schema",
    "SqlStore": "_sql",
    "copy_store": "_copy",
    "database_of": "_databases",
    "migrate": "_schema",
    "reading": "_databases",
    "writing": "_databases",
}


def __getattr__(name: str) -> Any:
    """Import what needs SQLAlchemy when it is first used."""
    if name not in _FILE:
        raise AttributeError(f"module 'spancrew.stores' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.stores.{_FILE[name]}"), name)
