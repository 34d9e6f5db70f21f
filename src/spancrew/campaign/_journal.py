"""Events as rows of a journal: a kind, a time and a JSON body, and back."""

import json
from dataclasses import fields
from typing import Any, NamedTuple, get_args

from spancrew.campaign._events import (
    Answered,
    Assigned,
    Corrected,
    Event,
    FinalLabel,
    Reanswered,
    Settled,
)
from spancrew.campaign._lifting import LIFTS, Lifts, lifted, marked
from spancrew.errors import JournalError

KINDS: dict[str, type[Any]] = {each.__name__: each for each in get_args(Event)}
"""Every kind of event by its name."""

_FIELDS = {
    kind: tuple(field.name for field in fields(kind) if field.name != "at")
    for kind in KINDS.values()
}
_RARE: dict[str, object] = {
    "turned": False,
    "unsure": (),
    "note": "",
    "flag": "",
    "suggested": None,
    "shown": False,
}
"""What few answers and assignments have, and is only written where there is something to write."""


class Entry(NamedTuple):
    """An event on its way to a store and back; ``body`` is JSON."""

    kind: str
    at: float
    body: str

    def writes(self, field: str) -> bool:
        """Tell whether the body has a field, at any depth, without parsing it.

        What people write cannot look like one: its quotation marks are escaped.
        """
        return f'"{field}":' in self.body


def entry_of(event: Event, lifts: Lifts = LIFTS) -> Entry:
    """Return an event as an entry.

    >>> from spancrew.campaign import Started
    >>> entry_of(Started(at=12.5))
    Entry(kind='Started', at=12.5, body='{}')
    """
    body = {name: getattr(event, name) for name in _FIELDS[type(event)]}
    if isinstance(event, Settled | Corrected):
        body["labels"] = [_label_row(label) for label in event.labels]
    if isinstance(event, Answered | Reanswered | Assigned):
        body = {k: value for k, value in body.items() if k not in _RARE or value != _RARE[k]}
    kind = type(event).__name__
    return Entry(kind, event.at, _text(marked(kind, body, lifts)))


def event_of(entry: Entry, lifts: Lifts = LIFTS) -> Event:
    """Return the event of an entry; refuse one that this version does not know.

    One that an earlier version wrote is lifted to what it is now.
    """
    kind = KINDS.get(entry.kind)
    if kind is None:
        raise JournalError(
            f"the journal has an event {entry.kind!r}, which this version does not know: it was "
            "written by a newer spancrew; upgrade to read it"
        )
    try:
        body = lifted(entry.kind, json.loads(entry.body), lifts)
        if kind in {Settled, Corrected}:
            body["labels"] = [_label(*row) for row in body["labels"]]
        event: Event = kind(entry.at, **{name: _frozen(value) for name, value in body.items()})
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise JournalError(
            f"the journal has an event {entry.kind!r} that cannot be read ({error}): a newer "
            "spancrew wrote it, or it is damaged; upgrade, or restore a backup"
        ) from None
    return event


def current(entry: Entry, lifts: Lifts = LIFTS) -> Entry:
    """Return an entry as this version would write it, for those who read its body."""
    if entry.kind not in lifts:
        return entry
    body = lifted(entry.kind, json.loads(entry.body), lifts)
    return entry._replace(body=_text(marked(entry.kind, body, lifts)))


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _label(start: int, end: int, label: str, confidence: float, voters: list[int]) -> FinalLabel:
    return FinalLabel(start, end, label, confidence, tuple(voters))


def _label_row(label: FinalLabel) -> list[Any]:
    return [label.start, label.end, label.label, label.confidence, label.voters]


def _frozen(value: Any) -> Any:
    """Return lists as tuples, as they were before they went through JSON."""
    if isinstance(value, list):
        return tuple(_frozen(each) for each in value)
    return value
