"""Workers and experts of a campaign whose work is done elsewhere."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from spancrew.bridges._tool import Filled, Person, Sheet
from spancrew.campaign import Waiting
from spancrew.client import ExpertClient, WorkerClient


class Seat(Protocol):
    """What a bridge does in the name of one person; ``over`` once nothing will come any more."""

    person: Person
    over: bool

    def greet(self) -> None:
        """Let the campaign know that they are there."""
        ...

    def wanted(self) -> list[Sheet]:
        """Return the sheets that they are to have now."""
        ...

    def submit(self, filled: Filled) -> None:
        """Hand in an answer; the same one again counts once."""
        ...

    def skip(self, filled: Filled) -> None:
        """Give a sentence back."""
        ...

    def keep(self, filled: Filled) -> None:
        """Say that they are at it."""
        ...

    def has_run_out(self, key: str) -> bool:
        """Tell whether the time for a sheet is known to be over."""
        ...


@dataclass
class WorkerSeat:
    """A worker, with the sentence at hand and one ahead."""

    person: Person
    client: WorkerClient
    clock: Callable[[], float] = time.monotonic
    over: bool = False
    _until: dict[str, float] = field(default_factory=dict)

    def greet(self) -> None:
        """Ask for something that only needs them to be there."""
        self.client.progress()

    def wanted(self) -> list[Sheet]:
        """Return the open assignments, at most two."""
        found = self.client.next()
        if isinstance(found, Waiting):
            self.over = found.over
            return []
        self.over = False
        given = {found.assignment: found}
        ahead = self.client.next(ahead=1)
        if not isinstance(ahead, Waiting):
            given[ahead.assignment] = ahead
        now = self.clock()
        self._until = {f"a{number}": now + each.left for number, each in given.items()}
        return [Sheet(f"a{number}", each.sentence) for number, each in given.items()]

    def submit(self, filled: Filled) -> None:
        """Submit an answer."""
        key = f"{filled.key}:{filled.mark}"
        self.client.submit(_number(filled), filled.spans, seconds=filled.seconds, key=key)

    def skip(self, filled: Filled) -> None:
        """Give an assignment back."""
        self.client.skip(_number(filled), "skipped")

    def keep(self, filled: Filled) -> None:
        """Keep an assignment for longer."""
        self.client.heartbeat(_number(filled))

    def has_run_out(self, key: str) -> bool:
        """Tell whether the lease is over, where it was seen."""
        return key in self._until and self.clock() >= self._until[key]


@dataclass
class ExpertSeat:
    """An expert, with one sentence at a time.

    They begin with the crowd's labels, unless they are to label blindly: a warm-up, or an audit.
    """

    person: Person
    client: ExpertClient
    over: bool = False

    def greet(self) -> None:
        """Do nothing: nobody waits for an expert to be there."""

    def wanted(self) -> list[Sheet]:
        """Return the sentence that needs an expert most."""
        found = self.client.next()
        if isinstance(found, Waiting):
            self.over = found.over
            return []
        self.over = False
        # A sentence may come to the experts more than once: each time is another question.
        key = f"s{found.number}-{round(1000 * found.doubt.since)}"
        suggestion = found.crowd if found.doubt.purpose == "crew" else None
        return [Sheet(key, found.sentence, suggestion)]

    def submit(self, filled: Filled) -> None:
        """Submit what is right."""
        key = f"{filled.key}:{filled.mark}"
        self.client.submit(_number(filled), filled.spans, seconds=filled.seconds, key=key)

    def skip(self, filled: Filled) -> None:
        """Leave a sentence to another expert."""
        self.client.put_back(_number(filled))

    def keep(self, filled: Filled) -> None:
        """Do nothing: asking for the sentence again keeps it."""

    def has_run_out(self, key: str) -> bool:  # noqa: ARG002  the protocol's
        """Tell that it has not: a sentence is an expert's for as long as it is asked for."""
        return False


def _number(filled: Filled) -> int:
    """Return the assignment or sentence of a sheet.

    >>> _number(Filled("a12", "untouched")), _number(Filled("s7-1700000000000", "untouched"))
    (12, 7)
    """
    return int(filled.key[1:].partition("-")[0])
