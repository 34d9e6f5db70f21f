"""Events as earlier versions wrote them, lifted to what they are now."""

from collections.abc import Callable, Mapping
from typing import Any

from spancrew.errors import JournalError

Lift = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns the body of an event into that of the next version."""

Lifts = Mapping[str, tuple[Lift, ...]]


def _without_audits(opened: dict[str, Any]) -> dict[str, Any]:
    """Let a campaign go on without audits that was planned when there were none."""
    return {**opened, "plan": {"audit": 0, **opened["plan"]}}


LIFTS: Lifts = {"Opened": (_without_audits,)}
"""Of every kind of event that has changed: what leads from version 1 to 2, from 2 to 3 ...

A journal is never rewritten, so that these stay. The body of a later version than 1 says so in
``v``.
"""


def lifted(kind: str, body: dict[str, Any], lifts: Lifts = LIFTS) -> dict[str, Any]:
    """Return the body of an event as this version writes it, without ``v``.

    >>> lifted("Paused", {"why": "lunch"}, {"Paused": (lambda old: {"reason": old["why"]},)})
    {'reason': 'lunch'}
    """
    steps = lifts.get(kind, ())
    written, now = body.pop("v", 1), len(steps) + 1
    if written > now:
        raise JournalError(
            f"the journal has an event {kind!r} of version {written}, and this spancrew knows up "
            f"to {now}: it was written by a newer one; upgrade to read it"
        )
    for step in steps[written - 1 :]:
        body = step(body)
    return body


def marked(kind: str, body: dict[str, Any], lifts: Lifts = LIFTS) -> dict[str, Any]:
    """Return a body with the version in which it is written, unless that is the first."""
    steps = lifts.get(kind, ())
    return {"v": len(steps) + 1, **body} if steps else body
