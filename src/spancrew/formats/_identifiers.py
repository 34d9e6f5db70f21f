"""Ids that a file may give as numbers or as text; inside they are always text."""

from collections.abc import Callable, Iterable
from typing import Any

from spancrew.errors import FormatError, Place
from spancrew.formats._fields import shown


def identifier(value: Any, what: str, place: Place) -> str:
    """Return an id as text."""
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise FormatError.expected(place, f"{what}: {shown(value)}", "a whole number or text")
    return str(value)


def as_written(names: Iterable[str]) -> Callable[[str], int | str]:
    """Return how ids are written: as numbers if each of them is one, else as text.

    >>> as_written(["7", "12"])("7"), as_written(["7", "ana"])("7"), as_written(["07"])("07")
    (7, '7', '07')
    """
    return int if all(_is_number(name) for name in names) else str


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name
