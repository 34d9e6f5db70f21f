"""Tell two kinds of columns apart: a token with its tags, or a column per worker."""

from typing import Literal

from spancrew.formats._columns import (
    DOCUMENT,
    UNKNOWN,
    cells,
    is_comment,
    is_known_or_unknown,
    is_tag,
)

ColumnKind = Literal["conll", "matrix"]


def kind_of(head: str) -> ColumnKind | None:
    """Return what a file looks like by its beginning; most rows decide, so a slip does not."""
    rows = _rows(head)
    if not rows:
        return None
    if is_header(rows[0]) or _is_matrix_without_header(rows):
        return "matrix"
    tagged = sum(len(row) > 1 and is_tag(row[-1]) for row in rows)
    return "conll" if 2 * tagged > len(rows) else None


def is_header(row: list[str]) -> bool:
    """Tell whether a row names the columns of a matrix."""
    if len(row) < 2 or row[0].casefold() != "token":
        return False
    return row[1].casefold() == "gold" or not any(is_known_or_unknown(cell) for cell in row[1:])


def _rows(head: str) -> list[list[str]]:
    found = head.split("\n")
    whole = found[:-1] or found  # the head may end in the middle of a line
    return [
        cells(line)
        for line in (raw.rstrip("\r") for raw in whole)
        if line.strip() and not line.startswith(DOCUMENT) and not is_comment(line)
    ]


def _is_matrix_without_header(rows: list[list[str]]) -> bool:
    """Ask for three columns, tags in all but the first, and a tag that is not known."""
    fitting = [
        row for row in rows if len(row) > 2 and all(is_known_or_unknown(c) for c in row[1:])
    ]
    return 2 * len(fitting) > len(rows) and any(UNKNOWN in row[1:] for row in fitting)
