"""Events that other versions wrote."""

import json
from typing import Any

import pytest

from spancrew.campaign import (
    KINDS,
    Entry,
    Finished,
    Paused,
    Started,
    current,
    entry_of,
    event_of,
)
from spancrew.campaign._lifting import LIFTS as REAL
from spancrew.campaign._lifting import Lifts
from spancrew.errors import JournalError


def with_reason(body: dict[str, Any]) -> dict[str, Any]:
    """Do as if a reason was called a cause before."""
    return {"reason": body["cause"]}


def in_capitals(body: dict[str, Any]) -> dict[str, Any]:
    """Do as if reasons were written small before."""
    return {"reason": body["reason"].upper()}


LIFTS: Lifts = {"Finished": (with_reason, in_capitals)}
WRITTEN = (
    '{"cause":"the end"}',
    '{"v":2,"reason":"the end"}',
    '{"v":3,"reason":"THE END"}',
)
"""The same event, as three versions of its kind have it."""


@pytest.mark.parametrize("body", WRITTEN)
def test_an_event_of_any_earlier_version_is_lifted(body: str) -> None:
    """By the steps that come after its version, and by no other."""
    entry = Entry("Finished", 5.0, body)

    assert event_of(entry, LIFTS) == Finished(5.0, "THE END")
    assert event_of(current(entry, LIFTS), LIFTS) == Finished(5.0, "THE END")
    assert json.loads(current(entry, LIFTS).body) == {"v": 3, "reason": "THE END"}


def test_an_event_is_written_with_the_version_that_it_has() -> None:
    """The first version is not written, so that journals look as they always did."""
    assert json.loads(entry_of(Finished(5.0, "X"), LIFTS).body) == {"v": 3, "reason": "X"}
    assert entry_of(Paused(5.0), LIFTS) == entry_of(Paused(5.0)) == Entry("Paused", 5.0, "{}")


@pytest.mark.parametrize(("lifts", "knows"), [({}, 1), (LIFTS, 3)])
def test_a_newer_version_of_an_event_is_refused(lifts: Lifts, knows: int) -> None:
    """With what to do."""
    problem = rf"'Finished' of version 4, .* knows up to {knows}: .* newer one; upgrade"

    with pytest.raises(JournalError, match=problem):
        event_of(Entry("Finished", 5.0, '{"v":4,"reason":"X"}'), lifts)


@pytest.mark.parametrize(
    "entry",
    [
        Entry("Started", 1.0, '{"colour":"red"}'),
        Entry("Finished", 1.0, "{}"),
        Entry("Finished", 1.0, "[]"),
        Entry("Finished", 1.0, '{"reason":'),
        Entry("Finished", 1.0, '{"v":"two","reason":""}'),
        Entry("Settled", 1.0, '{"labels":[[1]]}'),
    ],
)
def test_an_event_with_other_fields_is_refused(entry: Entry) -> None:
    """One more, one less, none at all, or what is no JSON."""
    with pytest.raises(JournalError, match=f"event '{entry.kind}' that cannot be read .*restore"):
        event_of(entry)


def test_every_lift_belongs_to_a_kind_of_event() -> None:
    """And an event that never changed is not touched."""
    entry = entry_of(Started(1.0))

    assert set(REAL) <= set(KINDS)
    assert current(entry, LIFTS) is entry
