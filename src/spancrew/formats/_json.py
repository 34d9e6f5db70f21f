"""Parsed JSON: lists read record by record, typed fields, ids; errors name place and field."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from math import inf, isfinite
from pathlib import Path
from typing import Any, NoReturn

from spancrew import core
from spancrew.errors import FormatError, Place
from spancrew.formats._base import Progress
from spancrew.formats._text import lines

_WORDS = {str: "text", list: "a list", dict: "an object", int: "a whole number", float: "a number"}
_BLANKS = re.compile(r"[ \t\r\n]*")
_PART = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(:?)|[{}\[\]]', re.DOTALL)


def parse_json(text: str, place: Place) -> Any:
    """Parse one JSON value; say line and column where it breaks."""
    try:
        return core.parse_json(text)
    except json.JSONDecodeError as error:
        line = (place.line or 1) + error.lineno - 1
        near = text[max(error.pos - 20, 0) : error.pos + 20].replace("\n", " ")
        raise FormatError.expected(
            Place(place.path, line),
            f"text that is not JSON at column {error.colno} ({error.msg}, near {near!r})",
            "one complete JSON value",
        ) from None
    except ValueError as error:
        raise FormatError.expected(
            place, f"JSON that cannot be read ({error})", "shorter numbers, less nesting"
        ) from None


def json_list(path: Path, progress: Progress) -> Iterator[tuple[Place, Any]]:
    """Yield the values of a list; only the text and one value are in memory at a time."""
    text = "\n".join(line for _, line in lines(path, progress))
    decode = json.JSONDecoder().raw_decode
    opening = _skip(text, 0)
    if not text.startswith("[", opening):
        _refuse(text, path)
    position = _skip(text, opening + 1)
    line, counted = 1, 0
    while not text.startswith("]", position):
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, end = decode(text, position)
            core.refuse_deep(
                value, text.count("[", position, end) + text.count("{", position, end)
            )
        except (ValueError, RecursionError):
            _refuse(text, path)
        yield Place(str(path), line), value
        position = _next(text, _skip(text, end), path)
    if _skip(text, position + 1) < len(text):
        _refuse(text, path)


def _next(text: str, position: int, path: Path) -> int:
    """Return where the next value begins, or where the list is closed."""
    if text.startswith("]", position):
        return position
    following = _skip(text, position + 1)
    if not text.startswith(",", position) or text.startswith("]", following):
        _refuse(text, path)
    return following


def _skip(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return position if blanks is None else blanks.end()


def _refuse(text: str, path: Path) -> NoReturn:
    """Let the parser find the place where the text breaks."""
    place = Place(str(path), 1)
    parse_json(text, place)
    raise FormatError.expected(place, "JSON that is not a list", "a list of records")


def json_lines(path: Path, progress: Progress) -> Iterator[tuple[Place, Any]]:
    """Yield the value on every line that is not blank."""
    for place, line in lines(path, progress):
        if line.strip():
            yield place, parse_json(line, place)


def write_json_lines(
    path: Path, records: Iterable[dict[str, Any]], *, compact: bool = False
) -> None:
    """Write a record per line."""
    encode = json.JSONEncoder(
        ensure_ascii=False, separators=(",", ":") if compact else None
    ).encode
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(encode(record) + "\n")


def write_json_list(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write a list with a record per line."""
    write_list(path, map(json.JSONEncoder(ensure_ascii=False).encode, records))


def write_list(path: Path, texts: Iterable[str]) -> None:
    """Write a list of what is JSON already."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        separator = "[\n"
        for text in texts:
            file.write(separator + text)
            separator = ",\n"
        file.write("[]\n" if separator == "[\n" else "\n]\n")


def first_fields(head: str) -> frozenset[str]:
    """Return the field names of the first object, as far as the head shows them.

    >>> sorted(first_fields('[{"id": 1, "data": {"text": "a }"}, "annot'))
    ['data', 'id']
    """
    depth = 0
    fields = set()
    for part in _PART.finditer(head, max(head.find("{"), 0)):
        if part[1] is not None:
            if depth == 1 and part[2]:
                fields.add(part[1])
        elif part[0] in "{[":
            depth += 1
        else:
            depth -= 1
            if depth <= 0:
                break
    return frozenset(fields)


def first_record(head: str) -> Any:
    """Return the first object of a file, or None if the head does not show all of it."""
    try:
        return json.JSONDecoder().raw_decode(head, max(head.find("{"), 0))[0]
    except (ValueError, RecursionError):
        return None


def inner_fields(record: Any) -> list[str]:
    """Return the names of texts inside the fields of a record.

    >>> inner_fields({"id": 1, "doc": {"text": "Ana sings.", "year": 2020}})
    ['doc.text']
    """
    if not isinstance(record, dict):
        return []
    inside = [(outer, fields) for outer, fields in record.items() if isinstance(fields, dict)]
    return [
        f"{outer}.{name}"
        for outer, fields in inside
        for name, value in fields.items()
        if isinstance(value, str)
    ]


def need(record: Any, field: str, kind: type, place: Place) -> Any:
    """Return a field that must be there and of the given kind."""
    if isinstance(record, dict) and type(record.get(field)) is kind is not float:
        return record[field]  # nearly always, and a name for the message takes time
    if not isinstance(record, dict):
        raise FormatError.expected(place, shown(record), f"an object with the field {field!r}")
    if field not in record:
        there = ", ".join(repr(name) for name in record) or "none"
        raise FormatError.expected(place, f"no field {field!r} (fields: {there})", f"{field!r}")
    return checked(record[field], kind, f"field {field!r}", place)


def want(record: dict[str, Any], field: str, kind: type, place: Place) -> Any:
    """Return a field of the given kind, or None if it is absent or null."""
    value = record.get(field)
    if value is None or type(value) is kind is not float:
        return value
    return checked(value, kind, f"field {field!r}", place)


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


def moment(text: str) -> float | None:
    """Return the seconds since 1970 of a time in ISO 8601, in UTC if it has no zone, or None."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def shown(value: Any) -> str:
    """Return a value short enough for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def identifier(value: Any) -> str | None:
    """Return an id, which may be a number, as text; None if it is no id at all."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def need_identifier(value: Any, what: str, place: Place) -> str:
    """Return an id as text; refuse what is none."""
    found = identifier(value)
    if found is None:
        raise FormatError.expected(place, f"{what}: {shown(value)}", "a whole number or text")
    return found


def as_written(names: Iterable[str]) -> Callable[[str], int | str]:
    """Return how ids are written: as numbers if each of them is one, else as text.

    >>> as_written(["7", "12"])("7"), as_written(["7", "ana"])("7"), as_written(["07"])("07")
    (7, '7', '07')
    """
    return int if all(_is_number(name) for name in names) else str


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name
