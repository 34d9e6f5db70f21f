"""Take typed fields out of parsed JSON, with errors that name the field."""

from math import inf, isfinite
from typing import Any

from spancrew.errors import FormatError, Place

_WORDS = {str: "text", list: "a list", dict: "an object", int: "a whole number", float: "a number"}


def need(record: Any, field: str, kind: type, place: Place) -> Any:
    """Return a field that must be there and of the given kind."""
    if not isinstance(record, dict):
        raise FormatError.expected(place, shown(record), f"an object with the field {field!r}")
    if field not in record:
        there = ", ".join(repr(name) for name in record) or "none"
        raise FormatError.expected(place, f"no field {field!r} (fields: {there})", f"{field!r}")
    return checked(record[field], kind, f"field {field!r}", place)


def want(record: dict[str, Any], field: str, kind: type, place: Place) -> Any:
    """Return a field of the given kind, or None if it is absent or null."""
    value = record.get(field)
    return None if value is None else checked(value, kind, f"field {field!r}", place)


def checked(value: Any, kind: type, what: str, place: Place) -> Any:
    """Return the value if it is of the kind; whole numbers are numbers, booleans are not."""
    accepted = (int, float) if kind is float else kind
    if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
        raise FormatError.expected(
            place, f"{what}: {shown(value)}", _WORDS.get(kind, kind.__name__)
        )
    return _finite(value, what, place) if kind is float else value


def _finite(value: Any, what: str, place: Place) -> float:
    """Return a number that a column can hold; JSON allows whole numbers of any length."""
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise FormatError.expected(place, f"{what}: {shown(value)}", "a finite number")
    return number


def shown(value: Any) -> str:
    """Return a value short enough for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
