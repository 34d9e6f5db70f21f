"""Rows of named cells, in and out of CSV and JSON files."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spancrew.errors import FormatError, Place
from spancrew.formats._base import Progress
from spancrew.formats._json import checked, json_lines, json_list, shown, write_json_lines
from spancrew.formats._text import head, whole_text

_DELIMITERS = "\t;|,"
_LONGEST_CELL = 1 << 26
_FIRST_LINES = 20


class Row(NamedTuple):
    """The cells of a row by the names of their columns; empty cells are left out."""

    place: Place
    cells: dict[str, Any]


class Rows(NamedTuple):
    """The columns of a table, its rows, and what was passed over."""

    columns: tuple[str, ...]
    rows: Iterable[Row]
    passed_over: dict[str, int]


def named_rows(
    found: Iterable[tuple[Place, Sequence[Any]]], place: Place, passed_over: dict[str, int]
) -> Rows:
    """Return rows with names from the first of them; refuse names that repeat."""
    lines = iter(found)
    _, header = next(lines, (place, ()))
    columns = tuple("" if name is None else str(name).strip() for name in header)
    while columns and not columns[-1]:
        columns = columns[:-1]
    if not any(columns):
        raise FormatError(place, "the first row names no columns")
    twin = next((name for k, name in enumerate(columns) if name in columns[:k]), None)
    if twin is not None:
        raise FormatError(place, f"two columns are called {twin!r}; give each its own name")
    return Rows(columns, _rows(lines, columns), passed_over)


def _rows(found: Iterable[tuple[Place, Sequence[Any]]], columns: Sequence[str]) -> Iterator[Row]:
    for place, cells in found:
        if any(cell not in {None, ""} for cell in cells[len(columns) :]):
            raise FormatError.expected(
                place,
                f"{len(cells)} columns ({shown(list(cells[len(columns) :])[-1])} is the last)",
                f"{len(columns)} as in the first row; put quotes around a cell with the separator",
            )
        filled = {
            name: cell
            for name, cell in zip(columns, cells, strict=False)
            if cell is not None and cell != ""
        }
        if filled:
            yield Row(place, filled)


def read_csv(path: Path, progress: Progress) -> Rows:
    """Read a table whose cells are separated by commas, semicolons, tabs or bars."""
    text = whole_text(path)
    progress(len(text), len(text))
    delimiter = "\t" if path.suffix.casefold() in {".tsv", ".tab"} else delimiter_of(text)
    try:
        found = list(_csv_rows(text, path, delimiter, quotes=True))
    except FormatError:
        if delimiter != "\t":
            raise
        # Tabs need no quotes: in such files a quotation mark is often just that.
        found = list(_csv_rows(text, path, delimiter, quotes=False))
    return named_rows(found, Place(str(path)), {})


def delimiter_of(text: str) -> str:
    """Return what separates the most cells of the first line."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    return max(_DELIMITERS, key=lambda delimiter: (first.count(delimiter), delimiter == ","))


def header_of(start: str) -> list[str]:
    """Return the names in the first line, if the next lines have as many cells.

    Prose has a comma now and then, but not the same number on every line.
    """
    lines = start.lstrip("\r\n").split("\n")[:_FIRST_LINES]
    reader = csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=delimiter_of(start))
    try:
        rows = [row for row in reader if row]
    except csv.Error:
        return []
    is_even = len(rows) > 1 and all(len(row) == len(rows[0]) for row in rows[1:-1] or rows[1:])
    return rows[0] if is_even else []


def _csv_rows(
    text: str, path: Path, delimiter: str, *, quotes: bool
) -> Iterator[tuple[Place, list[str]]]:
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        strict=True,
    )
    before = 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            place = Place(str(path), before + 1)
            raise FormatError.expected(
                place, f"a row that cannot be read ({error})", "quotes around cells in pairs"
            ) from None
        if cells is None:
            return
        yield Place(str(path), before + 1), cells
        before = reader.line_num


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write rows separated by commas; lists and objects are JSON."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([flat(row.get(name)) for name in columns] for row in rows)


def flat(value: Any) -> Any:
    """Return a value as a cell holds it: lists and objects as JSON, nothing as nothing."""
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def read_json(path: Path, progress: Progress) -> Rows:
    """Read objects, one on each line or in a list."""
    is_list = head(path).lstrip().startswith("[")
    found = [
        Row(place, _object(value, place))
        for place, value in (json_list if is_list else json_lines)(path, progress)
    ]
    columns = dict.fromkeys(name for row in found for name in row.cells)
    return Rows(tuple(columns), found, {})


def _object(value: Any, place: Place) -> dict[str, Any]:
    fields = checked(value, dict, "a record", place)
    return {name: field for name, field in fields.items() if field is not None and field != ""}


def write_json(path: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write an object for each row."""
    write_json_lines(
        path,
        ({name: row[name] for name in columns if row.get(name) is not None} for row in rows),
    )
