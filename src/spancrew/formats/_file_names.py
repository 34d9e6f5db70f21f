"""Names of workers and sentences as names of files, and back."""

from collections.abc import Collection
from urllib.parse import quote

from spancrew.errors import FormatError, Place

_LONGEST = 200


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
