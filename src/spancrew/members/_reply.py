"""Read what a language model replies: JSON, or text with JSON somewhere in it."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from spancrew.core import Sentence, refuse_deep
from spancrew.members._base import GivenSpan, Reply
from spancrew.members._quotes import Unplaced, place

_LISTS = ("spans", "entities")
_QUOTES = ("text", "quote")


def reply_of(completion: Any, sentence: Sentence) -> Reply:
    """Return the spans of a completion; what has no place in the sentence is counted."""
    content, fault = _content(completion)
    rows = None if content is None else _rows(content)
    if rows is None:
        return Reply(None, {fault or "unreadable": 1})
    spans: list[GivenSpan] = []
    faults: Counter[str] = Counter()
    for row in rows:
        quote = next((row[name] for name in _QUOTES if name in row), None)
        found = place(sentence, quote, row.get("occurrence"))
        label = row.get("label")
        if isinstance(found, Unplaced):
            faults[found.fault] += 1
        elif isinstance(label, str):
            spans.append(GivenSpan(*found, label))
        else:
            faults["shape"] += 1
    return Reply(tuple(spans), faults)


def is_cut_off(completion: Any) -> bool:
    """Tell whether the model had more to say than it was allowed."""
    return _choice(completion).get("finish_reason") == "length"


def _content(completion: Any) -> tuple[str | None, str]:
    """Return what was said, or the kind of fault for which nothing was."""
    message = _choice(completion).get("message")
    message = message if isinstance(message, dict) else {}
    if is_cut_off(completion):
        return None, "cut off"
    if message.get("refusal") or _choice(completion).get("finish_reason") == "content_filter":
        return None, "refused"
    content = message.get("content")
    return (content, "") if isinstance(content, str) else (None, "unreadable")


def _choice(completion: Any) -> dict[str, Any]:
    choices = completion.get("choices") if isinstance(completion, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _rows(content: str) -> list[dict[str, Any]] | None:
    """Return the last list of spans in a text; None if there is none.

    A list without a name counts if nothing else is there.
    """
    values = list(_values(content))
    named = [
        value[name]
        for value in values
        for name in _LISTS
        if isinstance(value, dict) and name in value
    ]
    found = named[-1] if named else values[0] if len(values) == 1 else None
    is_list = isinstance(found, list) and all(isinstance(row, dict) for row in found)
    return found if is_list else None


def _values(content: str) -> Iterator[Any]:
    """Yield every JSON object or list that stands in a text, from left to right."""
    decoder = json.JSONDecoder()
    at = 0
    while (at := _next_bracket(content, at)) >= 0:
        try:
            value, at = decoder.raw_decode(content, at)
            refuse_deep(value)
        except (ValueError, RecursionError):
            at += 1
        else:
            yield value


def _next_bracket(content: str, at: int) -> int:
    places = [place_ for place_ in (content.find("{", at), content.find("[", at)) if place_ >= 0]
    return min(places, default=-1)
