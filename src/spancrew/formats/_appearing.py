"""Outputs that appear whole or not at all."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spancrew.errors import FormatError, Place


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yield a draft of the same name that takes the target's place only if all goes well."""
    if not target.parent.is_dir():
        raise FormatError(Place(str(target)), "its folder does not exist; create it first")
    folder = target.with_name(f".{target.name}.part")
    _remove(folder)
    folder.mkdir()
    try:
        draft = folder / target.name
        yield draft
        if target.is_dir():
            _remove(target)
        draft.replace(target)
    except OSError as error:
        # A write that fails, as on a full disk, does not say where.
        error.filename = error.filename or str(target)
        raise
    finally:
        _remove(folder)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
