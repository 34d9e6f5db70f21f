"""Which column of a table is which: by the user's word, or by the names that are in use."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._base import Columns

NAMES: Mapping[str, tuple[str, ...]] = {
    "text": (
        "text", "sentence", "content", "body", "utterance", "sentence_text", "raw_text", "message",
        "tweet", "review",
    ),
    "id": (
        "id", "sentence_id", "text_id", "document_id", "doc_id", "item_id", "task_id", "record_id",
        "HITId", "uid", "guid", "sentence",
    ),
    "worker": (
        "worker", "WorkerId", "annotator", "annotator_id", "user", "user_id", "username",
        "participant", "participant_id", "PROLIFIC_PID", "prolific_id", "rater", "coder",
        "labeler",
    ),
    "spans": ("spans", "annotations", "entities", "taskAnswers", "answer", "response", "labels"),
    "gold": ("gold", "gold_spans", "ground_truth", "expert"),
    "start": ("start", "begin", "start_offset", "begin_offset", "start_char", "from"),
    "end": ("end", "stop", "end_offset", "end_char", "to"),
    "token_start": ("token_start", "start_token", "first_token"),
    "token_end": ("token_end", "end_token"),
    "label": ("label", "type", "tag", "entity_type", "entity", "category", "class"),
    "quote": ("quote", "span_text", "surface", "mention", "selected_text", "selection"),
    "tokens": ("tokens", "words"),
    "seconds": ("seconds", "WorkTimeInSeconds", "time_taken", "duration", "lead_time"),
    "at": ("at", "SubmitTime", "submitted_at", "completed_at", "timestamp"),
    "source": ("source",),
    "meta": ("meta",),
    "final": ("final",),
    "final_confidence": ("final_confidence",),
    "final_by": ("final_by",),
    "final_answers": ("final_answers",),
    "choice": (),
    "question": (),
}  # fmt: skip
"""Names in use for each role, most likely first; case, blanks and punctuation do not matter."""

WORKERS = "workers"
"""The role of columns that each hold the answers of one worker."""

RESPONSES = "responses"
"""The role of columns that each hold a response to a prompt."""

_MOST_BLANKS = 4
_SEVERAL = (WORKERS, RESPONSES)


class Layout(NamedTuple):
    """The roles that one way to lay out a table needs, and those that it can have."""

    needs: tuple[str, ...]
    takes: tuple[str, ...]


LAYOUTS: Mapping[str, Layout] = {
    "texts": Layout(("text",), ("id",)),
    "spans": Layout(("text", "start", "end", "label"), ("worker", "id", "quote")),
    "token_spans": Layout(("text", "token_start", "token_end", "label"), ("worker", "id")),
    "answers": Layout(("text", "spans"), ("worker", "id")),
    "workers": Layout(("text", WORKERS), ("id",)),
}
"""Texts alone; a row for each span, in characters or in tokens; a row for each answer; a column
for each worker."""

_PREFIX = re.compile(r"^(?:input|answer)\.", re.IGNORECASE)  # of MTurk's batch results


def _plain(name: str) -> str:
    bare = _PREFIX.sub("", name.strip()).casefold()
    return "".join(character for character in bare if character.isalnum())


_KNOWN = frozenset(_plain(name) for names in NAMES.values() for name in names)


def is_role(name: str) -> bool:
    """Tell whether a column of this name would be taken for more than meta."""
    return _plain(name) in _KNOWN


def text_column(columns: Iterable[str]) -> str | None:
    """Return the column that looks like the text."""
    return _first(NAMES["text"], {_plain(column): column for column in reversed(list(columns))})


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column of a table is which; ``workers`` are those with a worker's answers each.

    ``responses`` are those with a response to the prompt each.
    """

    columns: Mapping[str, str]
    workers: tuple[str, ...]
    others: tuple[str, ...]
    responses: tuple[str, ...] = ()

    def __contains__(self, role: str) -> bool:
        """Tell whether there is a column for a role."""
        return role in self.columns

    @property
    def layout(self) -> str:
        """Return which of ``LAYOUTS`` this is."""
        if self.workers:
            return "workers"
        if self.has_offsets:
            return "spans" if "start" in self else "token_spans"
        return "answers" if "spans" in self else "texts"

    @property
    def has_offsets(self) -> bool:
        """Tell whether every row is a span."""
        return "label" in self and ("start" in self or "token_start" in self)

    @property
    def has_answers(self) -> bool:
        """Tell whether there are spans of any kind, so that rows can belong together."""
        named = {"spans", "gold", "final"}.intersection(self.columns)
        return self.has_offsets or bool(named) or bool(self.workers)


def several_in(wishes: Columns, role: str) -> tuple[str, ...]:
    """Return the columns that are wished for a role that has several."""
    named = wishes.get(role, "")
    return tuple(filter(None, named.split("+") if isinstance(named, str) else named))


def find_columns(
    columns: Sequence[str],
    wishes: Columns,
    names: Mapping[str, Sequence[str]],
    taken: Iterable[str] = (),
) -> dict[str, str]:
    """Return the column of each role: as wished, else by the names in use."""
    found = {role: str(column) for role, column in wishes.items() if column}
    for role in _SEVERAL:
        found.pop(role, None)
    free = {_plain(c): c for c in columns if c not in {*found.values(), *taken}}
    for role, known in names.items():
        if role not in wishes and (column := _first(known, free)) is not None:
            found[role] = column
            del free[_plain(column)]
    return found


def roles_of(
    columns: Sequence[str], wishes: Columns, place: Place, workers: tuple[str, ...] = ()
) -> Roles:
    """Return the roles of columns: as wished, else by their names."""
    found = find_columns(columns, wishes, NAMES, workers)
    wished = tuple(role for role in found if role in wishes)
    _drop_halves(found)
    if half := next((role for role in wished if role not in found), None):
        problem = f"a column is named for the {half}, but none for what belongs to it"
        raise FormatError(place, f"{problem} (start, end, label)", Remedy("columns"))
    if "text" not in found and "tokens" not in found:
        is_headless = any(map(_is_no_name, columns))
        doubt = "; the first row seems to hold no names" if is_headless else ""
        raise FormatError(
            place,
            f"no column looks like the text (columns: {', '.join(columns)}{doubt})",
            Remedy("text_column"),
        )
    used = {*found.values(), *workers}
    return Roles(found, workers, tuple(column for column in columns if column not in used))


def _is_no_name(column: str) -> bool:
    """Tell whether a name is a number or half a sentence, as where a table has no names."""
    return column.isdecimal() or column.count(" ") > _MOST_BLANKS


def _drop_halves(found: dict[str, str]) -> None:
    """Let go of roles that mean nothing without their partners."""
    pairs = (("start", "end"), ("end", "start"), ("token_start", "token_end"))
    for role, partner in (*pairs, ("token_end", "token_start")):
        if partner not in found:
            found.pop(role, None)
    if "start" not in found and "token_start" not in found:
        for role in ("label", "quote"):
            found.pop(role, None)
    if "label" not in found:
        for role in ("start", "end", "token_start", "token_end"):
            found.pop(role, None)


def check_wishes(columns: Sequence[str], wishes: Columns, place: Place) -> None:
    """Refuse a wish for a role or a column that does not exist."""
    for role, column in wishes.items():
        known = (*NAMES, *_SEVERAL)
        if role not in known:
            raise FormatError(
                place, f"columns have no role {role!r}; choose from {', '.join(known)}"
            )
        for name in several_in(wishes, role) if role in _SEVERAL else [column]:
            if name and name not in columns:
                there = ", ".join(columns)
                raise FormatError(
                    place,
                    f"there is no column {name!r} for the {role} (columns: {there})",
                    Remedy("columns"),
                )


def _first(known: Iterable[str], free: Mapping[str, str]) -> str | None:
    return next((free[name] for name in map(_plain, known) if name in free), None)
