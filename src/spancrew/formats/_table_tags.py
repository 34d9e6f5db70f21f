"""Tables of tokens with tags, as data sets for token classification are: their spans."""

from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from spancrew.core import detect_scheme
from spancrew.errors import FormatError, Remedy
from spancrew.formats._base import Columns, ReadOptions
from spancrew.formats._columns import is_tag
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import shown
from spancrew.formats._table_columns import NAMES, find_columns, text_column
from spancrew.formats._table_rows import Row, Rows

_NAMES: Mapping[str, tuple[str, ...]] = {
    "spans": ("ner_tags", "tags", "ner", "labels", "word_labels", "tag", "label"),
    "tokens": (*NAMES["tokens"], "token", "word"),
}
_OTHERS: Mapping[str, tuple[str, ...]] = {
    "id": (*NAMES["id"], "sentence_no", "sentence_number", "sentence_idx", "sent_id"),
    "worker": NAMES["worker"],
}
_NUMBERED = ("ner_tags", "tags")
"""Columns in which numbers can be nothing but tags."""
_ENOUGH_ROWS = 200


class _TagColumns(NamedTuple):
    """The columns of tokens and tags, and those that tell sentences and workers apart."""

    tokens: str
    tags: str
    id: str | None
    worker: str | None


def names_tags(columns: Iterable[str]) -> bool:
    """Tell whether there are columns of tokens and of tags, by their names."""
    return find_columns(list(columns), {}, _NAMES).keys() == _NAMES.keys()


def with_spans(table: Rows, options: ReadOptions, intake: Intake) -> tuple[Rows, Columns]:
    """Return a table whose tags are spans now, and which columns are what; or as it was."""
    columns, rows, wishes = table.columns, list(table.rows), options.columns
    layout = _layout(columns, wishes) if rows else None
    if layout is not None and _is_row_per_token(rows, layout):
        columns = tuple(filter(None, layout))
        left_out = [f"cells of column {name!r}" for name in table.columns if name not in columns]
        intake.skip(dict.fromkeys(left_out, len(rows)), rows[0].place)
        rows = list(_gathered(rows, layout))
    elif layout is None or not _has_tags(rows, layout):
        return table._replace(rows=rows), wishes
    rows = [_with_lists(row, layout, options) for row in rows]
    text = text_column(name for name in columns if name not in layout) or ""
    roles = {"text": text, **wishes, "tokens": layout.tokens, "spans": layout.tags}
    if layout.id is None and layout.worker is None:  # a row is a sentence, though two may be alike
        columns, roles["id"] = (*columns, "id"), "id"
        rows = [row._replace(cells={**row.cells, "id": k}) for k, row in enumerate(rows, start=1)]
    return Rows(columns, _with_marks(rows, layout, intake), table.passed_over), roles


def _layout(columns: Sequence[str], wishes: Columns) -> _TagColumns | None:
    """Return which column is which; tokens may be a text with blanks between them."""
    found = find_columns(columns, {r: c for r, c in wishes.items() if r in _NAMES}, _NAMES)
    tokens = found.get("tokens") or wishes.get("text") or text_column(columns)
    if "spans" not in found or not isinstance(tokens, str):
        return None
    wished = {role: column for role, column in wishes.items() if role in _OTHERS}
    others = find_columns(columns, wished, _OTHERS, (tokens, found["spans"]))
    return _TagColumns(tokens, found["spans"], others.get("id"), others.get("worker"))


def _is_row_per_token(rows: Sequence[Row], layout: _TagColumns) -> bool:
    first = [row.cells for row in islice(rows, _ENOUGH_ROWS)]
    tags = [cells.get(layout.tags) for cells in first]
    tokens = [cells.get(layout.tokens) for cells in first]
    is_cut = all(
        token is None or (isinstance(token, str) and " " not in token) for token in tokens
    )
    is_tagged = all(isinstance(tag, str) and is_tag(tag) for tag in tags)
    return layout.id is not None and is_cut and is_tagged and set(tags) != {"O"}


def _gathered(rows: Iterable[Row], layout: _TagColumns) -> Iterator[Row]:
    """Yield a row for each sentence; where the sentence is not named, it goes on."""
    found, before = None, list[Any]()
    for row in rows:
        named = [row.cells.get(name) for name in (layout.id, layout.worker) if name]
        is_next = any(each not in (None, old) for each, old in zip(named, before, strict=False))
        if found is None or is_next:
            if found is not None:
                yield found
            kept = {name: row.cells[name] for name in layout[2:] if name in row.cells}
            found, before = Row(row.place, {**kept, layout.tokens: [], layout.tags: []}), named
        for name in (layout.tokens, layout.tags):
            found.cells[name].append(row.cells.get(name))
    if found is not None:
        yield found


def _has_tags(rows: Sequence[Row], layout: _TagColumns) -> bool:
    """Tell whether the first rows hold tags; one tag alone may be a class of the whole text."""
    cells = [row.cells[layout.tags] for row in rows[:_ENOUGH_ROWS] if layout.tags in row.cells]
    tags = [_words(cell) for cell in cells]
    if all(_is_numbers(cell) for cell in cells):
        is_sure = isinstance(rows[0].cells.get(layout.tokens), list)
        return is_sure and bool(cells) and layout.tags.casefold() in _NUMBERED
    is_listed = isinstance(cells[0], list) or any(len(found or ()) > 1 for found in tags)
    return is_listed and all(found is not None and all(map(is_tag, found)) for found in tags)


def _is_numbers(cell: Any) -> bool:
    return isinstance(cell, list) and all(isinstance(each, int) for each in cell)


def _words(cell: Any) -> list[str] | None:
    """Return a list of texts, however a cell holds it: as a list, its code, or between blanks."""
    if isinstance(cell, str):
        try:
            cell = literal_eval(cell) if cell.startswith("[") else cell.split()
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
    is_listed = isinstance(cell, list) and all(isinstance(each, str) for each in cell)
    return cell if is_listed else None


def _with_lists(row: Row, layout: _TagColumns, options: ReadOptions) -> Row:
    """Return a row with a list of tokens and one of tags, if it has any."""
    tokens, tags = row.cells.get(layout.tokens), row.cells.get(layout.tags)
    if tags is None:
        return row
    if tags and _is_numbers(tags):
        tags = _named(tags, row, options)
    found = {layout.tokens: _words(tokens), layout.tags: _words(tags)}
    for column, words in found.items():
        if words is None:
            cell = shown(row.cells.get(column))
            raise FormatError.expected(row.place, f"column {column!r}: {cell}", "a list of texts")
    counts = [len(words or ()) for words in found.values()]
    if counts[0] != counts[1]:
        what = f"{counts[1]} as the number of tags, {counts[0]} as that of tokens"
        raise FormatError.expected(row.place, f"{what} ({shown(tokens)})", "a tag for each token")
    return row._replace(cells={**row.cells, **found})


def _named(numbers: Sequence[int], row: Row, options: ReadOptions) -> list[str]:
    """Return the tags that numbers stand for, in the order of the labels that were named."""
    if options.labels is None:
        raise FormatError.expected(
            row.place,
            f"tags that are numbers without names ({shown(numbers)})",
            "tags such as B-PER",
            Remedy("label_names"),
        )
    names = options.labels.tags
    odd = next((k for k in numbers if not 0 <= k < len(names)), None)
    if odd is not None:
        expected = f"a number below {len(names)}: {', '.join(names)}"
        raise FormatError.expected(row.place, f"the tag {odd}", expected)
    return [names[k] for k in numbers]


def _with_marks(rows: Sequence[Row], layout: _TagColumns, intake: Intake) -> Iterator[Row]:
    """Yield rows with spans in tokens in place of tags."""
    tagged = [row.cells[layout.tags] for row in rows if layout.tags in row.cells]
    scheme = at(rows[0].place, partial(detect_scheme, tagged))
    for row in rows:
        tags = row.cells.get(layout.tags)
        if not tags:
            yield row
            continue
        where = f"sentence {row.cells.get(layout.id or 'id')!r}"
        spans = intake.spans(tags, scheme, [row.place] * len(tags), where)
        marks = [
            {"token_start": span.start, "token_end": span.end, "label": span.label}
            for span in spans
        ]
        yield row._replace(cells={**row.cells, layout.tags: marks})
