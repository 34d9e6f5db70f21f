"""Tables of texts or of answers: CSV, JSON records, Excel and Parquet, read and written alike."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_args

from spancrew.core import Dataset, Kind
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._argilla import is_argilla
from spancrew.formats._base import Columns, Progress, Reading, ReadOptions, Repair
from spancrew.formats._choice_columns import choice_roles, names_choices
from spancrew.formats._choice_reader import ChoiceReader
from spancrew.formats._choice_writer import choices_rendered
from spancrew.formats._columns import kind_of
from spancrew.formats._doccano import is_doccano
from spancrew.formats._intake import Intake
from spancrew.formats._json import first_fields, inner_fields
from spancrew.formats._prodigy import PRODIGY_FIELDS, is_prodigy
from spancrew.formats._table_binary import read_excel, read_parquet, write_excel, write_parquet
from spancrew.formats._table_columns import (
    WORKERS,
    Roles,
    check_wishes,
    roles_of,
    several_in,
    text_column,
)
from spancrew.formats._table_reader import TableReader
from spancrew.formats._table_rows import (
    Row,
    Rows,
    flat,
    header_of,
    is_table,
    read_csv,
    read_json,
    with_inner,
    write_csv,
    write_json,
)
from spancrew.formats._table_spans import holds_marks
from spancrew.formats._table_tags import names_tags, with_spans
from spancrew.formats._table_writer import Holds, rendered

_ENOUGH_ROWS = 200
_LONGEST_EXAMPLE = 60


class TableColumn(NamedTuple):
    """A column, and the beginning of the first cell that is not empty."""

    name: str
    example: str


class TableDescription(NamedTuple):
    """What a table is taken for: one of ``LAYOUTS``, and which column has which role."""

    layout: str
    columns: tuple[TableColumn, ...]
    roles: Mapping[str, str]
    workers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One kind of table.

    A table without spans is texts to be labelled. Spans come one on a row, as JSON with a row for
    each answer, or as JSON with a column for each worker; a row without a worker is gold. Written
    with a row for each answer.
    """

    name: str
    suffixes: tuple[str, ...]
    looks_right: Callable[[Path, str], bool]
    source: Callable[[Path, Progress], Rows]
    sink: Callable[[Path, Sequence[str], Iterable[dict[str, Any]]], None]
    holds: Holds
    finals: str = "own"
    kinds: tuple[Kind, ...] = get_args(Kind)
    follows: frozenset[str] = frozenset({"columns", "split", "skip_unequal"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether this is a file of that kind with a text in it."""
        return path.is_file() and self.looks_right(path, head)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read all rows; the columns tell what they hold."""
        return taken(self.rows(path, options.progress), options, Place(str(path)))

    def rows(self, path: Path, progress: Progress) -> Rows:
        """Return all rows as they are, before anybody asks what the columns hold."""
        if path.is_dir():
            raise FormatError.expected(Place(str(path)), "a folder", "a file")
        found = self.source(path, progress)
        return found._replace(rows=list(found.rows))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a row for each answer; sentences without one have a row of their own."""
        if "" in dataset.workers:
            raise FormatError(Place(str(path)), "a worker without a name has no cell; name them")
        is_chosen = dataset.kind == "choices"
        columns, rows = (choices_rendered if is_chosen else rendered)(dataset, self.holds)
        self.sink(path, columns, rows)
        return _losses.report(_losses.unused(dataset, self.name), path)


def taken(table: Rows, options: ReadOptions, place: Place) -> Reading:
    """Take the rows of any table in; the columns tell what they hold."""
    intake = Intake(options)
    table, wishes = with_spans(with_inner(table, _wished(options.columns)), options, intake)
    columns, found, passed_over = table
    rows = list(found)
    roles = _roles(rows, columns, wishes, place)
    if "choice" in roles:
        return ChoiceReader(roles, options, place).read(rows, passed_over)
    intake.skip(passed_over, place)
    TableReader(roles, options, intake, place).take(rows)
    return intake.finish(place)


def described(table: Rows, wishes: Columns, place: Place) -> TableDescription:
    """Return the columns of a table, and what each is taken for."""
    options, rows = ReadOptions(columns=wishes), list(table.rows)
    try:
        inner, known = with_spans(with_inner(table, _wished(wishes)), options, Intake(options))
        columns, rows = inner.columns, list(inner.rows)
        roles = _roles(rows, columns, known, place)
    except FormatError:
        # The text may be in a field inside another.
        inside = dict.fromkeys(name for row in rows for name in inner_fields(row.cells))
        columns, found, _ = with_inner(table, inside)
        return TableDescription("texts", _shown(list(found), columns), {}, ())
    if "choice" in roles:
        return TableDescription("texts", _shown(rows, columns), {}, ())
    return TableDescription(roles.layout, _shown(rows, columns), roles.columns, roles.workers)


def _wished(wishes: Columns) -> Iterator[str]:
    """Yield the names of columns that somebody wishes for."""
    for column in wishes.values():
        yield from [column] if isinstance(column, str) else column


def _shown(rows: Sequence[Row], columns: Sequence[str]) -> tuple[TableColumn, ...]:
    return tuple(TableColumn(name, _example(rows, name)) for name in columns)


def _roles(rows: Sequence[Row], columns: Sequence[str], wishes: Columns, place: Place) -> Roles:
    """Return the roles of columns; those full of lists of spans belong to a worker each."""
    check_wishes(columns, wishes, place)
    if (chosen := choice_roles(rows, columns, wishes, place)) is not None:
        return chosen
    roles = roles_of(columns, wishes, place, several_in(wishes, WORKERS))
    if {"spans", "worker"} & roles.columns.keys() == {"spans"} and "spans" not in wishes:
        roles = _without_classes(roles, rows)
    if WORKERS in wishes or roles.has_offsets or "spans" in roles or "spans" in wishes:
        return roles
    full = tuple(column for column in roles.others if _all_marks(rows, column))
    # Lists that are all empty may be anything.
    is_sure = any(row.cells.get(column) not in (None, [], "[]") for row in rows for column in full)
    if not is_sure:
        return roles
    if "worker" not in roles:
        return roles_of(columns, wishes, place, full)
    return roles_of(columns, {**wishes, "spans": full[0]}, place) if len(full) == 1 else roles


def _without_classes(roles: Roles, rows: Sequence[Row]) -> Roles:
    """Let go of a column that is called labels, but has classes of whole texts in it."""
    column = roles.columns["spans"]
    if any(holds_marks(row.cells[column]) for row in rows if column in row.cells):
        return roles
    columns = {role: name for role, name in roles.columns.items() if role != "spans"}
    return replace(roles, columns=columns, others=(*roles.others, column))


def _example(rows: Sequence[Row], column: str) -> str:
    cell = next((row.cells[column] for row in rows if column in row.cells), "")
    return " ".join(str(flat(cell))[: 2 * _LONGEST_EXAMPLE].split())[:_LONGEST_EXAMPLE]


def _all_marks(rows: Sequence[Row], column: str) -> bool:
    cells = [row.cells[column] for row in islice(rows, _ENOUGH_ROWS) if column in row.cells]
    return bool(cells) and all(map(holds_marks, cells))


def csv_table() -> Table:
    """Return CSV and its like: cells separated by commas, semicolons, tabs or bars."""
    return Table("csv", (".csv",), _is_csv, read_csv, write_csv, _is_plain_text)


def json_table() -> Table:
    """Return JSON records: an object on each line, or a list of objects."""
    return Table(
        "json", (), _is_json, read_json, write_json, lambda value: value not in (None, "")
    )


def excel_table() -> Table:
    """Return a sheet of an Excel workbook: the first with a text in it, or else the largest."""
    return Table("xlsx", (".xlsx",), _is_excel, read_excel, write_excel, _is_plain_text)


def parquet_table() -> Table:
    """Return Parquet."""
    return Table(
        "parquet", (".parquet",), _is_parquet, read_parquet, write_parquet, _is_plain_value
    )


def _is_plain_text(value: Any) -> bool:
    """Tell whether text comes back as it is: it is not empty, and no JSON."""
    return isinstance(value, str) and value != "" and not value.lstrip().startswith(("[", "{"))


def _is_plain_value(value: Any) -> bool:
    small = not isinstance(value, int) or abs(value) < 1 << 62
    return _is_plain_text(value) or (isinstance(value, int | float | bool) and small)


def _is_csv(path: Path, head: str) -> bool:
    start = head.lstrip()
    if not start or start.startswith(("{", "[", "#FORMAT=", "-DOCSTART-")) or kind_of(head):
        return False
    if path.suffix.casefold() in {".csv", ".tsv", ".tab"}:
        return True
    if path.suffix.casefold() == ".txt":
        return is_table(head)
    header = header_of(head)
    return len(header) > 1 and text_column(header) is not None


_ELSEWHERE = frozenset({
    "spancrew", "annotations", "completions", "annotation_id", "worker_annotations",
    "expert_annotation", "responses", "suggestions", "fields", "rejected", "preferred_output",
    "normal_worker_annotations", "individual_preference", "conversation_a",
})  # fmt: skip
"""Fields by which other formats know their own."""
_TEXTS = re.compile(r'\s*\[\s*("|\[\s*"(?:[^"\\]|\\.)*"\s*,\s*\{)')
"""How a list of texts begins, or one of pairs as spaCy was trained on."""


def _is_json(path: Path, head: str) -> bool:  # noqa: ARG001  the content decides
    if not head.lstrip().startswith(("{", "[")):
        return False
    if _TEXTS.match(head):
        return True
    fields = first_fields(head)
    is_known = not fields.isdisjoint(_ELSEWHERE | PRODIGY_FIELDS)
    is_known = is_known or is_prodigy(head) or is_argilla(head) or is_doccano(head)
    looks_right = text_column(fields) is not None or names_choices(fields) or names_tags(fields)
    return looks_right and not is_known


def _is_excel(path: Path, head: str) -> bool:  # noqa: ARG001  it is binary
    return path.suffix.casefold() == ".xlsx" and _begins(path, b"PK\x03\x04")


def _is_parquet(path: Path, head: str) -> bool:  # noqa: ARG001  it is binary
    return _begins(path, b"PAR1")


def _begins(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic
