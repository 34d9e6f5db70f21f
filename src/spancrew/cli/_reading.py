"""Read a data set as the options of a command say, and guard what is already there."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from spancrew.errors import FormatError, Place
from spancrew.formats import Reading, read

if TYPE_CHECKING:
    from spancrew.cli._waiting import Waiting


def read_as_told(
    data: str,
    format_: str | None,
    overlaps: Literal["error", "first", "longest"] | None,
    tokens: Literal["words", "characters"] | None,
    labels: str | None,
    wait: "Waiting",
) -> Reading:
    """Read a data set; ``labels`` is the value of --labels."""
    names = None if labels is None else tuple(name.strip() for name in labels.split(","))
    return read(data, format_, overlaps=overlaps, unit=tokens, labels=names, progress=wait)


def refuse_existing(target: Path, *, force: bool) -> None:
    """Refuse to replace a file or folder unless told to."""
    if target.exists() and not force:
        raise FormatError(Place(str(target)), "it exists already; replace it with --force")
