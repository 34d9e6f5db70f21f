"""Where the journal of a campaign is kept: memory, SQLite, PostgreSQL.

Other rooms may keep tables of their own in the same database: ``migrate`` makes them, ``reading``
and ``writing`` open transactions. May import campaign, crowds and what lies below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spancrew.stores._base import Derived, EventStore, JournalSummary, Recorded, SentenceRow, Turn
from spancrew.stores._entries import EntryFile
from spancrew.stores._material_bytes import material_bytes, material_of
from spancrew.stores._material_rows import grown_material, material_of_rows, stored_material
from spancrew.stores._memory import MemoryStore
from spancrew.stores._open import open_sql, open_store, path_of

if TYPE_CHECKING:
    from spancrew.stores._backup import backup_store, last_backup
    from spancrew.stores._check import CampaignReport, StoreReport, check_store, damages_of
    from spancrew.stores._copy import copy_store
    from spancrew.stores._databases import (
        JournalListener,
        database_of,
        empty_log,
        reading,
        writing,
    )
    from spancrew.stores._restore import restore_store
    from spancrew.stores._schema import SchemaStep, migrate, steps_of
    from spancrew.stores._sentence_fold import SentenceState
    from spancrew.stores._sentence_index import PAGE, SentenceFilter, SentenceIndex, SentencePage
    from spancrew.stores._sql import SqlStore

__all__ = [
    "PAGE",
    "CampaignReport",
    "Derived",
    "EntryFile",
    "EventStore",
    "JournalListener",
    "JournalSummary",
    "MemoryStore",
    "Recorded",
    "SchemaStep",
    "SentenceFilter",
    "SentenceIndex",
    "SentencePage",
    "SentenceRow",
    "SentenceState",
    "SqlStore",
    "StoreReport",
    "Turn",
    "backup_store",
    "check_store",
    "copy_store",
    "damages_of",
    "database_of",
    "empty_log",
    "grown_material",
    "last_backup",
    "material_bytes",
    "material_of",
    "material_of_rows",
    "migrate",
    "open_sql",
    "open_store",
    "path_of",
    "reading",
    "restore_store",
    "steps_of",
    "stored_material",
    "writing",
]

_FILE = {
    "PAGE": "_sentence_index",
    "CampaignReport": "_check",
    "JournalListener": "_databases",
    "SchemaStep": "_schema",
    "SentenceFilter": "_sentence_index",
    "SentenceIndex": "_sentence_index",
    "SentencePage": "_sentence_index",
    "SentenceState": "_sentence_fold",
    "SqlStore": "_sql",
    "StoreReport": "_check",
    "backup_store": "_backup",
    "check_store": "_check",
    "copy_store": "_copy",
    "damages_of": "_check",
    "database_of": "_databases",
    "empty_log": "_databases",
    "last_backup": "_backup",
    "migrate": "_schema",
    "reading": "_databases",
    "restore_store": "_restore",
    "steps_of": "_schema",
    "writing": "_databases",
}


def __getattr__(name: str) -> Any:
    """Import what needs SQLAlchemy when it is first used."""
    if name not in _FILE:
        raise AttributeError(f"module 'spancrew.stores' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.stores.{_FILE[name]}"), name)
