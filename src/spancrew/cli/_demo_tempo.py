"""How the simulated people of the live demo go on: they wait for their guest."""

import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from spancrew.campaign import Status

KEPT_SENTENCES, KEPT_QUESTIONS = 20, 3
"""Sentences that nobody begins, and questions that nobody decides, but the guest."""
_SLOWER = 3.0
"""How many times longer people take when only the guest's sentences are left."""
_NOW_AND_THEN = 30.0
"""Seconds between two things that somebody does though they are kept for a guest who is away."""

Tempo = Literal["busy", "waits", "rests", "over"]


def tempo_of(status: Status, *, watched: bool) -> Tempo:
    """Return how people go on: busily, waiting for the guest, or not while nobody looks."""
    if status.phase == "finished":
        return "over"
    if not watched:
        return "rests"
    return "busy" if status.waiting > KEPT_SENTENCES else "waits"


def slowness(waiting: int) -> float:
    """Return how many times longer people take, the fewer sentences are not begun.

    >>> slowness(100), slowness(40), slowness(20), slowness(0)
    (1.0, 2.0, 3.0, 3.0)
    """
    left = (waiting - KEPT_SENTENCES) / (2 * KEPT_SENTENCES)
    return 1 + (_SLOWER - 1) * min(max(1 - left, 0.0), 1.0)


@dataclass
class OpenSeats:
    """A sentence that is begun: how many may still be asked, and who has answered."""

    seats: int
    taken_by: set[str]

    @classmethod
    def of(cls, answered: Collection[str], answers: int, held: int, guest: str) -> "OpenSeats":
        """Return what is left for the simulated; one seat is the guest's until they answered.

        ``held`` of them have the sentence in front of them.
        """
        own = 0 if guest in answered else 1
        return cls(answers - len(answered) - held - own, set(answered))


@dataclass
class GuestsFirst:
    """Says who of the simulated people may take something; they ask from threads of their own.

    Where the guest is not at their seat, people go on now and then, so that the campaign ends.
    """

    clock: Callable[[], float]
    tempo: Tempo = "busy"
    slowness: float = 1.0
    questions: int = 0
    guest_is_there: bool = False
    _begun: list[OpenSeats] = field(default_factory=list)
    _turns: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(
        self, status: Status, begun: Iterable[OpenSeats], *, watched: bool, guest_is_there: bool
    ) -> None:
        """Take notice of how the campaign stands."""
        with self._lock:
            self.tempo = tempo_of(status, watched=watched)
            self.slowness = slowness(status.waiting)
            self.questions = status.at_expert
            self.guest_is_there = guest_is_there
            self._begun = list(begun)

    def worker_may_ask(self, worker: str) -> bool:
        """Tell whether a worker may take a sentence: not one that the guest would begin."""
        with self._lock:
            if self.tempo != "waits":
                return self.tempo == "busy"
            return self._helps(worker) or self._has_turn("worker")

    def expert_may_ask(self) -> bool:
        """Tell whether the expert may take a question: some are left for the guest."""
        with self._lock:
            if self.tempo in {"rests", "over"}:
                return False
            if self.questions > KEPT_QUESTIONS:
                self.questions -= 1
                return True
            return self.tempo == "waits" and self._has_turn("expert")

    def _helps(self, worker: str) -> bool:
        """Take a seat at a sentence that is begun."""
        for each in self._begun:
            if each.seats > 0 and worker not in each.taken_by:
                each.seats -= 1
                each.taken_by.add(worker)
                return True
        return False

    def _has_turn(self, role: str) -> bool:
        """Tell whether it is time to go on without a guest who is away; then it is not again."""
        now = self.clock()
        if self.guest_is_there or now < self._turns.setdefault(role, now + _NOW_AND_THEN):
            return False
        self._turns[role] = now + _NOW_AND_THEN
        return True


@dataclass
class Attention:
    """Knows whether somebody looks: lately at a page, or it has just begun."""

    lasts: float = 60.0
    _last: float = -inf

    def note(self, now: float, *, looks: bool) -> bool:
        """Note whether somebody looks now; tell whether somebody does, or did a moment ago."""
        if looks or self._last == -inf:
            self._last = now
        return now - self._last <= self.lasts
