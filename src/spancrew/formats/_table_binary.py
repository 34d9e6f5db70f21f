"""Rows of named cells, in and out of Excel and Parquet files."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from spancrew.errors import FormatError, Place
from spancrew.formats._archive import BROKEN_ZIP
from spancrew.formats._base import Progress, package
from spancrew.formats._json import shown
from spancrew.formats._table_columns import text_column
from spancrew.formats._table_rows import Row, Rows, flat, named_rows

_ODD = re.compile("_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b-\x1f\ufffe\uffff]")
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_LONGEST_EXCEL_CELL = 32_767
_MOST_EXCEL_CELLS = 50_000_000
_NumberedRows = list[tuple[Place, list[Any]]]


def read_excel(path: Path, progress: Progress) -> Rows:
    """Read one sheet of a workbook; formulas count as what they came to."""
    openpyxl = package("openpyxl", "xlsx")
    place = Place(str(path))
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        title, found = _data_sheet(book, path)
        others = len(book.worksheets) - 1
        book.close()
    except FormatError:
        raise
    except BROKEN_ZIP as error:
        raise FormatError.expected(
            place, f"a workbook that cannot be read ({error})", "a whole .xlsx file"
        ) from None
    progress(1, 1)
    return named_rows(found, place, {f"sheets beside {title!r}": others})


def _data_sheet(book: Any, path: Path) -> tuple[str, _NumberedRows]:
    """Return the first sheet with a text in it, or else the largest, with its title."""
    found: dict[str, _NumberedRows] = {}
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        rows = found[sheet.title] = list(_filled_rows(sheet, path))
        if rows and text_column(str(name) for name in rows[0][1]) is not None:
            return sheet.title, rows
    return max(found.items(), key=lambda each: sum(len(cells) for _, cells in each[1]))


def _filled_rows(sheet: Any, path: Path) -> Iterator[tuple[Place, list[Any]]]:
    """Yield the rows up to their last cell; a few bytes can say that there are many blank ones."""
    seen = 0
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        seen += len(cells) + 1
        if seen > _MOST_EXCEL_CELLS:
            place = Place(str(path), number)
            raise FormatError(place, f"the sheet has more than {_MOST_EXCEL_CELLS:,} cells")
        width = next((k for k in range(len(cells), 0, -1) if cells[k - 1] is not None), 0)
        if width:
            yield Place(str(path), number), [_from_excel(cell) for cell in cells[:width]]


def _from_excel(cell: Any) -> Any:
    if isinstance(cell, str):
        return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), cell)
    return cell if cell is None or isinstance(cell, int | float) else str(cell)


def write_excel(path: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write one sheet; text is never taken for a formula."""
    openpyxl = package("openpyxl", "xlsx")
    # All cells first: openpyxl cannot stop in the middle of a sheet.
    table = [list(columns), *([flat(row.get(name)) for name in columns] for row in rows)]
    checked = [[_excel_value(value, path) for value in cells] for cells in table]
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("data")
    for cells in checked:
        sheet.append([_excel_cell(value, sheet, openpyxl) for value in cells])
    book.save(path)


def _excel_value(value: Any, path: Path) -> Any:
    """Return what a worksheet gives back as it is."""
    if isinstance(value, float) and float(f"{value:.15g}") != value:
        return repr(value)  # a worksheet keeps 15 digits of a number
    if not isinstance(value, str):
        return value
    text = _ODD.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
    text.encode("utf-8")  # a half character would damage the file without a word
    if len(text) > _LONGEST_EXCEL_CELL:
        raise FormatError(
            Place(str(path)),
            f"a cell of {len(text):,} characters ({shown(value)}) does not fit: Excel holds "
            f"{_LONGEST_EXCEL_CELL:,}; write csv instead",
        )
    return text


def _excel_cell(value: Any, sheet: Any, openpyxl: Any) -> Any:
    if not isinstance(value, str):
        return value
    cell = openpyxl.cell.WriteOnlyCell(sheet, value)
    cell.data_type = "s"
    return cell


def read_parquet(path: Path, progress: Progress) -> Rows:
    """Read all rows of a Parquet file."""
    package("pyarrow", "parquet")
    parquet = package("pyarrow.parquet", "parquet", "pyarrow")
    place = Place(str(path))
    try:
        table = parquet.read_table(path, page_checksum_verification=True)
        records = table.to_pylist()
    except (OSError, ValueError, LookupError, TypeError, OverflowError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FormatError.expected(
            place, f"data that cannot be read ({reason})", "a whole Parquet file"
        ) from None
    progress(1, 1)
    named = _tag_names(table.schema.metadata or {})
    rows = [
        Row(
            Place(f"{path}, row {number}"),
            {
                name: _from_arrow(_with_names(value, named[name]) if name in named else value)
                for name, value in record.items()
                if value is not None and value != ""
            },
        )
        for number, record in enumerate(records, start=1)
    ]
    return Rows(tuple(table.column_names), rows, {})


def _tag_names(metadata: Mapping[bytes, bytes]) -> dict[str, list[str]]:
    """Return what numbers in lists stand for, where Hugging Face's datasets wrote it down."""
    try:
        features = json.loads(metadata[b"huggingface"])["info"]["features"]
        return {
            column: [str(name) for name in type_["feature"]["names"]]
            for column, type_ in features.items()
            if "names" in type_.get("feature", ())
        }
    except (KeyError, ValueError, TypeError, AttributeError):
        return {}


def _with_names(value: Any, names: Sequence[str]) -> Any:
    is_listed = isinstance(value, list) and all(each in range(len(names)) for each in value)
    return [names[each] for each in value] if is_listed else value


def _from_arrow(value: Any) -> Any:
    """Return a value that JSON can hold."""
    if isinstance(value, list):
        return [_from_arrow(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _from_arrow(each) for name, each in value.items()}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def write_parquet(path: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write a table with lists of spans; objects are JSON."""
    arrow = package("pyarrow", "parquet")
    parquet = package("pyarrow.parquet", "parquet", "pyarrow")
    found = list(rows)
    arrays = {}
    for name in columns:
        cells = [row.get(name) for row in found]
        kind = None if any(cell is not None for cell in cells) else arrow.string()
        values = [flat(cell) if isinstance(cell, dict) else cell for cell in cells]
        arrays[name] = arrow.array(values, kind)
    parquet.write_table(arrow.table(arrays), path, write_page_checksum=True)
