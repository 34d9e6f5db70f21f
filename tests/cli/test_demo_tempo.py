"""The people of the live demo wait for their guest, and rest when nobody looks."""

from dataclasses import fields, replace
from typing import Any

import pytest

from spancrew.campaign import Status
from spancrew.cli._demo_tempo import (
    KEPT_QUESTIONS,
    KEPT_SENTENCES,
    Attention,
    GuestsFirst,
    OpenSeats,
    tempo_of,
)


def status(**known: Any) -> Status:
    """Return how a campaign stands; all that is not said is nothing."""
    usual: dict[str, Any] = {each.name: 0 for each in fields(Status)}
    return Status(**(usual | {"phase": "running", "waiting": 100} | known))


class Room:
    """People with a clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pace = GuestsFirst(lambda: self.now)

    def note(
        self, *begun: OpenSeats, watched: bool = True, guest: bool = False, **known: Any
    ) -> None:
        """Let everybody take notice."""
        self.pace.note(status(**known), begun, watched=watched, guest_is_there=guest)

    def asking(self, *workers: str) -> list[bool]:
        """Return who may ask, one after the other."""
        return [self.pace.worker_may_ask(each) for each in workers]


@pytest.mark.parametrize(
    ("known", "watched", "tempo"),
    [
        ({}, True, "busy"),
        ({"waiting": KEPT_SENTENCES + 1}, True, "busy"),
        ({"waiting": KEPT_SENTENCES}, True, "waits"),
        ({}, False, "rests"),
        ({"phase": "finished", "waiting": 0}, False, "over"),
    ],
)
def test_the_tempo_follows_what_is_left_and_who_looks(
    known: dict[str, Any], watched: bool, tempo: str
) -> None:
    """The last sentences are the guest's."""
    assert tempo_of(status(**known), watched=watched) == tempo


def test_the_crowd_only_helps_with_what_the_guest_has_begun() -> None:
    """Nobody twice, nobody beyond the seats, and one seat is the guest's."""
    room = Room()
    room.note(waiting=50)
    assert room.asking("w1", "w2") == [True, True]
    begun = OpenSeats.of(("w1",), answers=4, held=1, guest="w9")
    room.note(begun, waiting=KEPT_SENTENCES, guest=True)
    assert room.asking("w1", "w2", "w2", "w3") == [False, True, False, False]
    answered = OpenSeats.of(("w1", "w9"), answers=4, held=0, guest="w9")
    room.note(answered, waiting=KEPT_SENTENCES, guest=True)
    assert room.asking("w2", "w3", "w4") == [True, True, False]


def test_the_crowd_goes_on_now_and_then_while_the_guest_is_away() -> None:
    """So that the campaign ends and a fresh one begins; never while the guest is there."""
    room = Room()
    room.note(waiting=5)
    assert room.asking("w1") == [False]
    room.now = 31.0
    assert room.asking("w1", "w2") == [True, False]
    room.now = 62.0
    room.note(waiting=5, guest=True)
    assert room.asking("w1") == [False]


def test_the_expert_leaves_questions_for_the_guest() -> None:
    """However often they look between two notices; when only these are left, now and then."""
    room = Room()
    room.note(at_expert=KEPT_QUESTIONS + 1)
    assert [room.pace.expert_may_ask() for _ in range(2)] == [True, False]
    room.note(at_expert=KEPT_QUESTIONS, waiting=0)
    assert room.pace.expert_may_ask() is False
    room.now = 31.0
    assert [room.pace.expert_may_ask() for _ in range(2)] == [True, False]


def test_nobody_does_anything_while_nobody_looks() -> None:
    """However much there is to do."""
    room = Room()
    room.note(at_expert=50, watched=False)
    assert room.asking("w1") == [False]
    assert room.pace.expert_may_ask() is False


def test_attention_lasts_a_moment() -> None:
    """The beginning counts as looked at, so that somebody who comes finds things moving."""
    attention = Attention()
    seen = [
        attention.note(now, looks=looks)
        for now, looks in (
            (0, False),
            (60, False),
            (61, False),
            (70, True),
            (130, False),
            (131, False),
        )
    ]
    assert seen == [True, True, False, True, True, False]
    assert replace(attention).note(1000, looks=False) is False
