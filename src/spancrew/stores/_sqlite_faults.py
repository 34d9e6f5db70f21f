"""What can be wrong with a file of SQLite, and what to do about it."""

import os
from pathlib import Path

_CAUSES = {
    "SQLITE_FULL": "the disk is full; make room, and the work goes on",
    "SQLITE_IOERR": "the disk does not take or give the data (it may be full, gone or broken); "
    "make room or mend it, and the work goes on",
    "SQLITE_READONLY": "the file or its folder may only be read; allow writing, and the work goes "
    "on",
    "SQLITE_PERM": "the file may not be used by this user; allow it",
    "SQLITE_BUSY": "another process has been writing for too long; try again soon",
    "SQLITE_LOCKED": "another process has been writing for too long; try again soon",
    "SQLITE_NOTADB": "this is not an SQLite database; choose another file for the store",
    "SQLITE_CORRUPT": "the database is damaged; restore the last backup",
}


def explained(path: Path, error: BaseException) -> str:
    """Return the place, the cause and the remedy of an error of SQLite."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_CANTOPEN"):
        return not_opened(path, error)
    # SQLITE_IOERR_WRITE is a kind of SQLITE_IOERR.
    cause = _CAUSES.get("_".join(name.split("_")[:2]))
    if cause is None:
        return f"{path}: {error}"
    return f"{path}: {cause} ({error})"


def not_opened(path: Path, error: BaseException) -> str:
    """Return why a file cannot be opened; SQLite itself does not say."""
    folder = path.absolute().parent
    if path.is_dir():
        return f"{path} is a folder; name a file in it, such as {path / 'spancrew.db'}"
    if not folder.is_dir():
        return f"{path} cannot be opened: there is no folder {folder}; create it first"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{path} cannot be opened: nothing can be written to {folder}; allow it"
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        return f"{path} cannot be opened: it may only be read, or not even that; allow writing"
    said = error.strerror if isinstance(error, OSError) else str(error)
    return f"{path} cannot be opened: {said}; is the disk full, or the folder gone?"
