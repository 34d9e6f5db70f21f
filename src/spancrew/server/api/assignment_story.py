"""An assignment of long ago, found in the journal without reading all of it."""

import json
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from spancrew.server.refusals import not_found
from spancrew.stores import EventStore, Recorded
from spancrew.wire import AssignmentView

State = Literal["open", "expired", "skipped", "returned", "answered"]
_ENDS: dict[str, State] = {
    "Expired": "expired",
    "Skipped": "skipped",
    "Returned": "returned",
    "Answered": "answered",
}
_NEAR = 1000
"""Events that are read one by one rather than halved further."""


class _Made(NamedTuple):
    version: int
    at: float
    body: dict[str, Any]


def assignment_view(store: EventStore, campaign: str, number: int) -> AssignmentView:
    """Return an assignment with its reason, and what became of it."""
    made = _made(store, campaign, number)
    if made is None:
        raise not_found("assignment")
    body = made.body
    return AssignmentView(
        assignment=number,
        sentence=store.sentence(campaign, body["sentence"]).id,
        worker=f"w{body['worker']}",
        at=made.at,
        until=body["until"],
        purpose=body["purpose"],
        reason=body["reason"],
        state=_state(store, campaign, number, made.version),
    )


def _made(store: EventStore, campaign: str, number: int) -> _Made | None:
    """Find when an assignment was made; their numbers grow with the versions."""
    low, high = 0, store.version(campaign)
    while high - low > _NEAR:
        middle = (low + high) // 2
        first = next(_assigned(store.read(campaign, after=middle)), None)
        if first is None or first.body["assignment"] > number:
            high = middle
        else:
            low = middle
    for made in _assigned(store.read(campaign, after=low)):
        if made.body["assignment"] >= number:
            return made if made.body["assignment"] == number else None
    return None


def _assigned(entries: Iterator[Recorded]) -> Iterator[_Made]:
    for version, entry in entries:
        if entry.kind == "Assigned":
            yield _Made(version, entry.at, json.loads(entry.body))


def _state(store: EventStore, campaign: str, number: int, after: int) -> State:
    """Return what became of an assignment; one that expired may still be answered."""
    state: State = "open"
    mark = f'"assignment":{number}'
    for _, entry in store.read(campaign, after=after):
        if entry.kind in _ENDS and mark in entry.body:
            if json.loads(entry.body)["assignment"] == number:
                state = _ENDS[entry.kind]
            if state not in {"open", "expired"}:
                return state
    return state
