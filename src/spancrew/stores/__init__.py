"""Where the journal of a campaign is kept: memory, SQLite, PostgreSQL.

Other rooms may keep tables of their own in the same database: ``migrate`` makes them, ``reading``
and ``writing`` open transactions. May import campaign, crowds and what lies below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spancrew.stores._base import EventStore, Kept, Recorded, SentenceRow, Turn
from spancrew.stores._material_bytes import material_bytes, material_of
from spancrew.stores._memory import MemoryStore
from spancrew.stores._open import open_sql, open_store

if TYPE_CHECKING:
    from spancrew.stores._copy import copy_store
    from spancrew.stores._listening import JournalListener
    from spancrew.stores._schema import SchemaStep, migrate
    from spancrew.stores._sql import SqlStore
    from spancrew.stores._transactions import database_of, reading, writing

__all__ = [
    "EventStore",
    "JournalListener",
    "Kept",
    "MemoryStore",
    "Recorded",
    "SchemaStep",
    "SentenceRow",
    "SqlStore",
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
    "JournalListener": "_listening",
    "SchemaStep": "_schema",
    "SqlStore": "_sql",
    "copy_store": "_copy",
    "database_of": "_transactions",
    "migrate": "_schema",
    "reading": "_transactions",
    "writing": "_transactions",
}


def __getattr__(name: str) -> Any:
    """Import what needs SQLAlchemy when it is first used."""
    if name not in _FILE:
        raise AttributeError(f"module 'spancrew.stores' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.stores.{_FILE[name]}"), name)
