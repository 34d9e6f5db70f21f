"""Spans as the cells of a table hold them: JSON of many shapes, in characters or tokens."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from spancrew.core import Sentence, Span, parse_json
from spancrew.errors import FormatError, Place
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import shown
from spancrew.formats._label_studio_exports import Region, borders
from spancrew.formats._running_text import span_at

_STARTS = ("start", "begin", "start_offset", "startOffset", "start_char", "startIndex")
_ENDS = ("end", "stop", "end_offset", "endOffset", "end_char", "endIndex")
_LABELS = ("label", "type", "tag", "entity", "category")
_QUOTES = ("text", "quote", "surface")
_LISTS = ("spans", "entities", "annotations")


class CellMark(NamedTuple):
    """A span as it is written; ``in_tokens`` says what its offsets count."""

    start: int
    end: int
    label: str
    quote: str | None = None
    in_tokens: bool = False


def marks_in(cell: Any, place: Place, what: str) -> list[CellMark]:
    """Return the spans in a cell; refuse a cell without a list of them."""
    value = _parsed(cell)
    found = _listed(value)
    if found is None:
        raise FormatError.expected(
            place,
            f"{what}: {shown(cell)}",
            'a list of spans, such as [{"start": 0, "end": 3, "label": "PER"}]',
        )
    return found


def holds_marks(cell: Any) -> bool:
    """Tell whether a cell is a list of spans, which may be empty."""
    return _listed(_parsed(cell)) is not None


def _parsed(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    try:
        return parse_json(cell) if cell.lstrip().startswith(("[", "{")) else None
    except ValueError:
        return None


def _listed(value: Any) -> list[CellMark] | None:
    """Return a list of spans, wherever forms wrap it: in a list of one, or under some name."""
    if isinstance(value, list):
        found = [mark_of(each) for each in value]
        marks = [mark for mark in found if mark is not None]
        if len(marks) == len(value):
            return marks
        return _listed(value[0]) if len(value) == 1 and isinstance(value[0], dict) else None
    if not isinstance(value, dict):
        return None
    named = [value[name] for name in _LISTS if name in value]
    inner = named or list(value.values())
    return _listed(inner[0]) if len(inner) == 1 else None


def mark_of(value: Any) -> CellMark | None:
    """Return a span that is written as a list or as an object; None if it is neither."""
    match value:
        case [int(start), int(end), str(label)] | [str(label), int(start), int(end)]:
            return CellMark(start, end, label)
        case {"token_start": int(start), "token_end": int(end)}:
            label = _first(value, _LABELS)
            return CellMark(start, end, label, None, True) if isinstance(label, str) else None
        case {"start": int(start), "end": int(end), "label": str(label), "text": str(quote)}:
            return CellMark(start, end, label, quote)  # by far the most, and ours
        case {"offset": int(start), "length": int(length)}:
            label = _first(value, _LABELS)
            return CellMark(start, start + length, label) if isinstance(label, str) else None
        case dict():
            return _mark_from(value)
        case _:
            return None


def _mark_from(value: Mapping[str, Any]) -> CellMark | None:
    start, end, label = (_first(value, names) for names in (_STARTS, _ENDS, _LABELS))
    if label is None and isinstance(value.get("labels"), list) and len(value["labels"]) == 1:
        label = value["labels"][0]
    quote = _first(value, _QUOTES)
    match start, end, label:
        case int(), int(), str():
            return CellMark(start, end, label, quote if isinstance(quote, str) else None)
        case _:
            return None


def _first(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)


def spans_from(
    marks: Sequence[CellMark], sentence: Sentence, intake: Intake, place: Place, where: str
) -> tuple[Span, ...]:
    """Return the spans over the tokens that marks touch; widening is noted."""
    in_tokens = [mark for mark in marks if mark.in_tokens]
    spans = [at(place, partial(Span, mark.start, mark.end, mark.label)) for mark in in_tokens]
    in_characters = [mark for mark in marks if not mark.in_tokens]
    found = _borders(sentence.text, in_characters, place, where)
    spans += [
        span_at(sentence, border, mark.label, intake, place)
        for mark, border in zip(in_characters, found, strict=True)
    ]
    return tuple(spans)


def _borders(
    text: str, marks: Sequence[CellMark], place: Place, where: str
) -> list[tuple[int, int]]:
    """Return borders in code points, end exclusive; quotes tell other ways to count."""
    try:
        return borders(text, _regions(marks, 0), place, where)
    except FormatError:
        if any(mark.quote is None for mark in marks):
            raise
        try:
            return borders(text, _regions(marks, 1), place, where)
        except FormatError:
            pass
        raise


def _regions(marks: Iterable[CellMark], more: int) -> list[Region]:
    return [Region(mark.start, mark.end + more, mark.quote) for mark in marks]
