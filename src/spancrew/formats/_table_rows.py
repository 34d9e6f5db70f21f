"""Rows of named cells, in and out of CSV and JSON files."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spancrew.errors import FormatError, Place
from spancrew.formats._base import Progress
from spancrew.formats._json import checked, json_lines, json_list, shown, write_json_lines
from spancrew.formats._table_columns import text_column
from spancrew.formats._text import head, whole_text

_DELIMITERS = "\t;|,"
_LONGEST_CELL = 1 << 26
_FIRST_LINES = 20
_SEPARATOR = re.compile('"?sep=(.)"?', re.IGNORECASE)


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
    filled = (cells for _, cells in lines if any(cell not in {None, ""} for cell in cells))
    header = next(filled, ())
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


def with_inner(table: Rows, names: Iterable[str]) -> Rows:
    """Return a table with more columns, for fields inside fields: ``doc.text`` is text in doc."""
    inner = {name: name.split(".") for name in names if "." in name and name not in table.columns}
    if not inner:
        return table
    rows = []
    for row in table.rows:
        found = {name: _inside(row.cells, parts) for name, parts in inner.items()}
        cells = {name: cell for name, cell in found.items() if cell is not None and cell != ""}
        rows.append(row._replace(cells=row.cells | cells))
    there = [name for name in inner if any(name in row.cells for row in rows)]
    return Rows((*table.columns, *there), rows, table.passed_over)


def _inside(cell: Any, parts: Sequence[str]) -> Any:
    for part in parts:
        cell = cell.get(part) if isinstance(cell, dict) else None
    return cell


def read_csv(path: Path, progress: Progress) -> Rows:
    """Read a table whose cells are separated by commas, semicolons, tabs or bars."""
    text = whole_text(path)
    progress(len(text), len(text))
    first = _first_line(text)
    delimiter = delimiter_of(text)
    is_called_tabbed = path.suffix.casefold() in {".tsv", ".tab"}
    if is_called_tabbed and ("\t" in first or delimiter not in first):
        delimiter = "\t"
    try:
        found = list(_csv_rows(text, path, delimiter, quotes=True))
    except FormatError:
        if delimiter != "\t":
            raise
        # Tabs need no quotes: in such files a quotation mark is often just that.
        found = list(_csv_rows(text, path, delimiter, quotes=False))
    return named_rows(found[1:] if _told(first) else found, Place(str(path)), {})


def delimiter_of(text: str) -> str:
    """Return what separates the most cells of the first line, or what it says for Excel."""
    first = _first_line(text)
    return _told(first) or max(_DELIMITERS, key=lambda each: (first.count(each), each == ","))


def _first_line(text: str) -> str:
    return text.lstrip("\r\n").split("\n", 1)[0]


def _told(line: str) -> str:
    """Return the delimiter that a line names and does nothing else; Excel writes and reads it."""
    found = _SEPARATOR.fullmatch(line.rstrip("\r"))
    return "" if found is None else found[1]


def header_of(start: str) -> list[str]:
    """Return the names in the first line, if the next lines have as many cells.

    Prose has a comma now and then, but not the same number on every line.
    """
    lines = start.lstrip("\r\n").split("\n")[:_FIRST_LINES]
    lines = lines[1:] if _told(lines[0]) else lines
    reader = csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=delimiter_of(start))
    try:
        rows = [row for row in reader if row]
    except csv.Error:
        return []
    is_even = len(rows) > 1 and all(len(row) == len(rows[0]) for row in rows[1:-1] or rows[1:])
    return rows[0] if is_even else []


def is_table(start: str) -> bool:
    """Tell whether a text begins as a table in which a column looks like the text.

    Excel saves such tables as Unicode text, whose name ends as that of any other text. In prose
    a blank stands behind a comma.
    """
    header = header_of(start)
    is_even = len(header) > 1 and all(name == name.strip() for name in header)
    return is_even and text_column(header) is not None


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
        if cells:
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
    """Read objects, one on each line or in a list; what is text alone is an object of a text."""
    is_list = head(path).lstrip().startswith("[")
    found = [
        Row(place, _object(value, place))
        for place, value in (json_list if is_list else json_lines)(path, progress)
    ]
    columns = dict.fromkeys(name for row in found for name in row.cells)
    return Rows(tuple(columns), found, {})


def _object(value: Any, place: Place) -> dict[str, Any]:
    if isinstance(value, str):
        return {"text": value} if value else {}
    match value:
        case [str(text), {"entities": list(entities)}]:  # as spaCy was trained on
            return {"text": text, "entities": entities}
        case _:
            pass
    fields = checked(value, dict, "a record", place)
    return {name: field for name, field in fields.items() if field is not None and field != ""}


def write_json(path: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write an object for each row."""
    write_json_lines(
        path,
        ({name: row[name] for name in columns if row.get(name) is not None} for row in rows),
    )
