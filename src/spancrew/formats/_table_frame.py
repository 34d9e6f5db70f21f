"""Rows of named cells, in and out of pandas and polars DataFrames."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from spancrew.core import Dataset
from spancrew.errors import FormatError, MissingPackageError, Place
from spancrew.formats._table_rows import Rows, named_rows
from spancrew.formats._table_writer import rendered

PLACE = Place("DataFrame")


class DataFrame(Protocol):
    """A table of pandas or polars."""

    @property
    def columns(self) -> Any:
        """Return the names of the columns."""


def is_frame(value: object) -> bool:
    """Tell whether a value is a DataFrame; neither package is imported for that."""
    return _package_of(value) in {"pandas", "polars"} and hasattr(value, "columns")


def _package_of(value: object) -> str:
    return type(value).__module__.partition(".")[0]


def frame_rows(frame: Any) -> Rows:
    """Return the rows of a DataFrame; what pandas or polars call missing is an empty cell."""
    if hasattr(frame, "collect"):
        raise FormatError.expected(PLACE, "a LazyFrame", "a DataFrame, as collect() returns it")
    if _package_of(frame) == "pandas":
        named = [name for name in frame.index.names if name is not None]
        frame = frame if set(named) & set(frame.columns) or not named else frame.reset_index()
        found = frame.itertuples(index=False, name=None)
    else:
        found = frame.iter_rows()
    rows = [[_plain(cell) for cell in cells] for cells in found]
    return named_rows(_numbered(list(frame.columns), _without_halves(rows)), PLACE, {})


def _numbered(
    header: Sequence[Any], rows: Sequence[Sequence[Any]]
) -> Iterator[tuple[Place, Sequence[Any]]]:
    yield PLACE, header
    for number, cells in enumerate(rows, start=1):
        yield Place(f"DataFrame, row {number}"), cells


def _plain(value: Any) -> Any:
    """Return a value that JSON can hold; None for one that is missing."""
    if type(value).__name__ in {"NAType", "NaTType"}:
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    elif hasattr(value, "to_list"):
        value = value.to_list()
    if isinstance(value, float):
        return None if value != value else value  # noqa: PLR0124  only NaN differs from itself
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _without_halves(rows: list[list[Any]]) -> list[list[Any]]:
    """Return whole numbers as such in columns with empty cells, where pandas makes them floats."""
    columns = [_whole(list(cells)) for cells in zip(*rows, strict=True)]
    return [list(cells) for cells in zip(*columns, strict=True)]


def _whole(cells: list[Any]) -> list[Any]:
    given = [cell for cell in cells if cell is not None]
    is_float = all(isinstance(cell, float) and cell.is_integer() for cell in given)
    if len(given) == len(cells) or not is_float:
        return cells
    return [None if cell is None else int(cell) for cell in cells]


def frame_of(dataset: Dataset) -> Any:
    """Return a data set as a pandas DataFrame, with a row for each answer.

    Sentences without an answer have a row of their own. Spans are lists of objects. Reading the
    DataFrame gives the same data set again, but for labels and workers that are not used.
    """
    columns, rows = rendered(dataset, lambda value: value not in (None, ""))
    return pandas_frame(list(rows), columns)


def pandas_frame(records: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Any:
    """Return records as a pandas DataFrame; a column with missing values keeps whole numbers."""
    pandas = _pandas()
    cells = {name: [record.get(name) for record in records] for name in columns}
    return pandas.DataFrame(
        {
            name: pandas.Series(found, dtype=object if None in map(_kept, found) else None)
            for name, found in cells.items()
        },
        columns=list(columns),
    )


def _pandas() -> Any:
    try:
        return import_module("pandas")
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise MissingPackageError(
            "a DataFrame needs the package 'pandas'; install it with "
            "'pip install \"spancrew[pandas]\"'",
            name="pandas",
        ) from None


def _kept(cell: Any) -> Any:
    """Return None for what pandas would turn into something else: nothing, lists, objects."""
    return None if isinstance(cell, list | dict) else cell
