"""Events as rows of a journal: a kind, a time and a JSON body, and back."""

import json
from dataclasses import fields
from typing import Any, NamedTuple, get_args

from spancrew.campaign._events import Event, FinalLabel, Settled
from spancrew.errors import JournalError

KINDS: dict[str, type[Any]] = {each.__name__: each for each in get_args(Event)}
"""Every kind of event by its name."""

_FIELDS = {
    kind: tuple(field.name for field in fields(kind) if field.name != "at")
    for kind in KINDS.values()
}


class Entry(NamedTuple):
    """An event on its way to a store and back; ``body`` is JSON."""

    kind: str
    at: float
    body: str


def entry_of(event: Event) -> Entry:
    """Return an event as an entry.

    >>> from spancrew.campaign import Started
    >>> entry_of(Started(at=12.5))
    Entry(kind='Started', at=12.5, body='{}')
    """
    body = {name: getattr(event, name) for name in _FIELDS[type(event)]}
    if isinstance(event, Settled):
        body["labels"] = [_label_row(label) for label in event.labels]
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Entry(type(event).__name__, event.at, text)


def event_of(entry: Entry) -> Event:
    """Return the event of an entry; refuse one that this version does not know."""
    kind = KINDS.get(entry.kind)
    if kind is None:
        raise JournalError(
            f"the journal has an event {entry.kind!r}, which this version does not know: it was "
            "written by a newer spancrew; upgrade to read it"
        )
    body = json.loads(entry.body)
    if kind is Settled:
        body["labels"] = [_label(*row) for row in body["labels"]]
    event: Event = kind(entry.at, **{name: _frozen(value) for name, value in body.items()})
    return event


def _label(start: int, end: int, label: str, confidence: float, voters: list[int]) -> FinalLabel:
    return FinalLabel(start, end, label, confidence, tuple(voters))


def _label_row(label: FinalLabel) -> list[Any]:
    return [label.start, label.end, label.label, label.confidence, label.voters]


def _frozen(value: Any) -> Any:
    """Return lists as tuples, as they were before they went through JSON."""
    if isinstance(value, list):
        return tuple(_frozen(each) for each in value)
    return value
