"""Where the journal of a campaign is kept: memory, SQLite, PostgreSQL.

May import campaign, crowds and what lies below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spancrew.stores._base import EventStore, Kept, Recorded, SentenceRow, Turn
from spancrew.stores._material_bytes import material_bytes, material_of
from spancrew.stores._memory import MemoryStore
from spancrew.stores._open import open_sql, open_store

if TYPE_CHECKING:
    from spancrew.stores._copy import copy_store
    from spancrew.stores._sql import SqlStore

__all__ = [
    "EventStore",
    "Kept",
    "MemoryStore",
    "Recorded",
    "SentenceRow",
    "SqlStore",
    "Turn",
    "copy_store",
    "material_bytes",
    "material_of",
    "open_sql",
    "open_store",
]

_FILE = {"SqlStore": "_sql", "copy_store": "_copy"}


def __getattr__(name: str) -> Any:
    """Import what needs SQLAlchemy when it is first used."""
    if name not in _FILE:
        raise AttributeError(f"module 'spancrew.stores' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.stores.{_FILE[name]}"), name)
