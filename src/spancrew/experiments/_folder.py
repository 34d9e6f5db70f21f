"""Find the data sets of the paper, which cannot be shipped."""

import os
from pathlib import Path

from spancrew.errors import FormatError, Place

VARIABLE = "SPANCREW_DATA"
_BESIDE = Path("..") / "shared" / "data"


def data_folder(given: Path | None = None) -> Path:
    """Return the folder that was given, else $SPANCREW_DATA, else ``../shared/data``."""
    named = given or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    folder = named or _BESIDE
    if folder.is_dir():
        return folder
    raise FormatError(
        Place(str(folder)),
        "there is no such folder; say where the paper's data sets are with --data FOLDER or "
        f"{VARIABLE} (conll-crowd/collected.json and oei/train.json in it)",
    )
