"""Tables of choices: a row for each answer, with what was chosen in a cell."""

import re
from collections.abc import Collection, Mapping, Sequence

from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._base import Columns
from spancrew.formats._table_columns import (
    NAMES,
    RESPONSES,
    Roles,
    find_columns,
    several_in,
)
from spancrew.formats._table_rows import Row

CHOICE_NAMES: Mapping[str, tuple[str, ...]] = {
    "text": (*NAMES["text"], "prompt", "instruction"),
    "id": (*NAMES["id"], "item", "pair", "pair_id", "comparison_id", "prompt_id"),
    "worker": (*NAMES["worker"], "evaluator", "judge"),
    "choice": (
        "choice", "chosen_label", "preference", "preferred", "winner", "answer", "response",
        "vote", "rating", "label", "labels", "category", "class",
    ),
    "question": ("question", "criterion", "aspect", "dimension"),
    "gold": (*NAMES["gold"], "gold_label", "truth"),
    **{role: NAMES[role] for role in ("seconds", "at", "source", "meta")},
}  # fmt: skip
"""Names in use for the columns of choices; the others are as in any table."""

_SPANS_ONLY = {"spans", "start", "end", "token_start", "token_end", "tokens", "quote", "workers"}
_MOST_CHOICES = 100
"""Different values up to which a column is taken for choices unless the user says so."""

_RESPONSE = re.compile(
    r"(?:response|completion|answer|output)[ _-]?(?:[a-h]|[1-8])", re.IGNORECASE
)


def choice_roles(
    rows: Sequence[Row], columns: Sequence[str], wishes: Columns, place: Place
) -> Roles | None:
    """Return the roles of columns if this is a table of choices, else None.

    It is one if the user names the column with the choice, or if there are columns for the worker,
    for what they chose, and for what they chose it on.
    """
    if "choice" not in wishes and not _SPANS_ONLY.isdisjoint(wishes):
        return None
    responses = _responses(columns, wishes)
    found = find_columns(columns, wishes, CHOICE_NAMES, responses)
    if "id" not in found and "text" not in found and "question" in found:
        found["text"] = found.pop("question")
    about = {"id", "text"} & found.keys()
    is_meant = not {"choice", "question", RESPONSES}.isdisjoint(wishes)
    if is_meant and not ("choice" in found and about):
        missing = "the id or the text" if "choice" in found else "the choice"
        there = f"no column looks like {missing} (columns: {', '.join(columns)})"
        raise FormatError(place, there, Remedy("columns"))
    if not is_meant and not (about and {"worker", "choice"} <= found.keys()):
        return None
    fewest = 0 if "question" in found else 1
    if not is_meant and not _looks_chosen(rows, columns, found["choice"], fewest):
        return None
    used = {*found.values(), *responses}
    return Roles(found, (), tuple(name for name in columns if name not in used), responses)


def names_choices(columns: Collection[str]) -> bool:
    """Tell whether columns are called as those of choices are: worker, choice, id or text."""
    found = find_columns(tuple(columns), {}, CHOICE_NAMES)
    return {"worker", "choice"} <= found.keys() and not {"id", "text"}.isdisjoint(found)


def is_about(name: str) -> bool:
    """Tell whether a column of this name would be taken for the prompt or a response."""
    return name in {"prompt", RESPONSES} or _RESPONSE.fullmatch(name) is not None


def _responses(columns: Sequence[str], wishes: Columns) -> tuple[str, ...]:
    if RESPONSES in wishes:
        return several_in(wishes, RESPONSES)
    found = tuple(sorted(filter(_RESPONSE.fullmatch, columns), key=str.casefold))
    return found if len(found) > 1 else ()


def _looks_chosen(rows: Sequence[Row], columns: Sequence[str], column: str, fewest: int) -> bool:
    """Tell whether a column has few different values, and no row is a span."""
    spans = find_columns(columns, {}, NAMES)
    if {"start", "end"} <= spans.keys() or {"token_start", "token_end"} <= spans.keys():
        return False
    cells = [row.cells[column] for row in rows if column in row.cells]
    if any(isinstance(cell, list | dict) for cell in cells):
        return False
    values = {str(cell).strip() for cell in cells}
    is_json = any(value.startswith(("[", "{")) for value in values)
    return not is_json and fewest <= len(values) <= _MOST_CHOICES
