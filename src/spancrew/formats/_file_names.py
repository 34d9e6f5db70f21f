"""Names of workers and sentences as names of files, and back; the names in a folder."""

from collections.abc import Collection
from pathlib import Path
from urllib.parse import quote

from spancrew.errors import FormatError, Place

_LONGEST = 200
_DROPPINGS = {"thumbs.db", "desktop.ini", "__macosx"}
"""What Windows and macOS leave in folders without being asked."""


def visible(folder: Path) -> list[Path]:
    """Return what is in a folder, by name, but for hidden files and what systems leave there."""
    return [
        path
        for path in sorted(folder.iterdir())
        if not path.name.startswith((".", "~$")) and path.name.casefold() not in _DROPPINGS
    ]


def file_name(name: str, reserved: Collection[str], what: str, place: Place) -> str:
    """Return a file name without ending; what it cannot hold is percent-encoded.

    ``urllib.parse.unquote`` gives the name back.
    """
    if not name:
        raise FormatError(place, f"{what} without a name cannot have a file; name them")
    found = quote(name, safe=" @+" if name == name.strip() else "@+")
    if found in reserved or found.startswith("."):
        found = f"%{ord(found[0]):02X}{found[1:]}"
    if len(found) > _LONGEST:
        raise FormatError(place, f"{what} {name!r} is too long for a file name; shorten it")
    return found
