"""Backups: one SQLite file, whatever the store is."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine, delete, insert, select

from spancrew.stores._copy import copy_store
from spancrew.stores._databases import reading, writing
from spancrew.stores._open import open_sql
from spancrew.stores._schema import SchemaStep, kept
from spancrew.stores._sql import SqlStore
from spancrew.stores._whole_file import copy_pages, whole_file

_NOTE = kept.c.campaign == "", kept.c.kind == "backup"
"""Where the time of the last backup is: with what is kept, under no campaign."""


def backup_store(source: SqlStore, path: Path, at: float, steps: Sequence[SchemaStep]) -> None:
    """Write all that a store holds now to a new file, while others go on writing.

    The file is an SQLite store by itself. ``at`` is the time, which both stores remember;
    ``steps`` are those of the server.
    """
    with whole_file(path) as draft:
        if source.engine.dialect.name == "sqlite":
            copy_pages(source.engine, draft)
        with closing(open_sql(draft, upgrade=False)) as made:
            if source.engine.dialect.name != "sqlite":
                copy_store(source, made, steps)
            _note(made.engine, at)
    _note(source.engine, at)


def last_backup(engine: Engine) -> float | None:
    """Return when the last backup of a store was made; None if there was none."""
    with reading(engine) as connection:
        data = connection.execute(select(kept.c.data).where(*_NOTE)).scalar()
    return None if data is None else float(json.loads(bytes(data))["at"])


def _note(engine: Engine, at: float) -> None:
    with writing(engine) as connection:
        connection.execute(delete(kept).where(*_NOTE))
        row = {"campaign": "", "kind": "backup", "version": 0}
        data = json.dumps({"at": at}).encode()
        connection.execute(insert(kept).values(**row, data=data))
