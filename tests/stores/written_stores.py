"""Stores as every version so far has written them."""

import sqlite3
from contextlib import closing
from pathlib import Path

WRITTEN = sorted((Path(__file__).parent / "written").glob("*.sql"))


def written_store(written: Path, folder: Path, name: str = "store.db") -> Path:
    """Return a database as a version wrote it."""
    path = folder / name
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(written.read_text("utf-8"))
    return path
