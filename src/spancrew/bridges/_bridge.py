"""The loop between a campaign and a labelling tool."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event

from spancrew.bridges._seats import Seat
from spancrew.bridges._tool import Filled, LabellingTool
from spancrew.errors import ConflictError, SpancrewError, StoreError, ToolError

_THOROUGH = 300.0
"""Seconds after which everything in the tool is looked at again; it takes a tool some time."""

_BURST = 0.2
_LONGEST_REST = 3600.0
_LONGEST_WAIT = 60.0
_AWAY = (StoreError, ToolError, OSError)
"""What passes by itself: a server or a tool that is down."""


@dataclass
class _Rest:
    """How long somebody is not asked who let their time run out."""

    length: float
    until: float


@dataclass
class Bridge:
    """Takes answers from a tool to a campaign, and sentences from the campaign to the tool.

    All that it must know is in the campaign and in the tool, so it can be killed at any time and
    started again. ``tell`` hears what a person should know. Somebody who lets the time for a
    sentence run out is asked again after ``rest`` seconds, then after twice as long, up to an
    hour.
    """

    tool: LabellingTool
    seats: Sequence[Seat]
    tell: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    rest: float = 300.0
    _looked: float = -math.inf
    _rests: dict[int, _Rest] = field(default_factory=dict)
    _refused: dict[tuple[int, str], str] = field(default_factory=dict)
    _drafts: dict[tuple[int, str], str] = field(default_factory=dict)
    _done: list[tuple[int, Filled]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Tell whether nobody will get anything any more."""
        return all(seat.over for seat in self.seats)

    def run(self, every: float = 5.0, wake: Event | None = None) -> None:
        """Take turns until the campaign is over, a turn ``every`` so many seconds or when woken.

        While the server or the tool is down, waits grow up to a minute; nothing is lost.
        """
        wake = wake or Event()
        wait = every
        while True:
            try:
                self.turn()
                wait = every
                if self.over:
                    return
            except _AWAY as error:
                wait = min(max(2 * wait, 1.0), _LONGEST_WAIT)
                self.tell(f"{error}; trying again in {wait:.0f} s")
            if wake.wait(wait):
                time.sleep(_BURST)  # one turn for all that comes at once
                wake.clear()

    def turn(self) -> None:
        """Collect all answers, then hand out what is to be labelled next."""
        now = self.clock()
        thorough = now >= self._looked + _THOROUGH
        looked, self._looked = now if thorough else self._looked, -math.inf
        self._done = []
        everybody = range(len(self.seats))
        if thorough:
            self._greet()
        open_ = [self._collect(number, thorough=thorough) for number in everybody]
        for number in everybody:
            self._hand_out(number, open_[number])
        for number, filled in self._done:  # nobody waits for this
            self.tool.take(self.seats[number].person, filled)
        self._looked = looked  # a turn that fails leaves everything in doubt

    def _greet(self) -> None:
        """Let everybody be there before anybody is asked: a crew is chosen among those there."""
        for number, seat in enumerate(self.seats):
            self.tool.admit(seat.person)
            if not self._is_resting(number):
                seat.greet()

    def _collect(self, number: int, *, thorough: bool) -> dict[str, Filled]:
        """Hand in what was answered; return the sheets that are still there."""
        seat, open_ = self.seats[number], {}
        for filled in self.tool.sheets(seat.person, thorough=thorough):
            if filled.state == "begun" and self._drafts.get((number, filled.key)) != filled.draft:
                self._try(number, filled, seat.keep)
                self._drafts[number, filled.key] = filled.draft
            if filled.state in {"untouched", "begun"} or not self._take(number, filled):
                open_[filled.key] = filled
        return open_

    def _take(self, number: int, filled: Filled) -> bool:
        """Hand in an answer, or give a sentence back; tell whether the sheet is done with."""
        seat = self.seats[number]
        if self._refused.get((number, filled.key)) == filled.mark:
            return False
        self._rests.pop(number, None)
        if filled.state == "skipped":
            self._try(number, filled, seat.skip)
        elif filled.problem is not None:
            return self._refuse(number, filled, filled.problem)
        else:
            try:
                seat.submit(filled)
            except _AWAY:
                raise
            except ConflictError as error:
                # It was answered before, in another way; the first answer stays.
                self._say(number, filled, f"{error}")
            except SpancrewError as error:
                return self._refuse(number, filled, str(error))
        self._done.append((number, filled))
        return True

    def _try(self, number: int, filled: Filled, step: Callable[[Filled], None]) -> None:
        """Do what does no harm when it comes too late."""
        try:
            step(filled)
        except _AWAY:
            raise
        except SpancrewError as error:
            if filled.state != "begun":
                self._say(number, filled, str(error))

    def _refuse(self, number: int, filled: Filled, why: str) -> bool:
        """Leave an answer that was refused where it is, until somebody changes it."""
        self._refused[number, filled.key] = filled.mark
        self._say(number, filled, f"not taken, {why}; it stays in {self.tool.name}")
        return False

    def _say(self, number: int, filled: Filled, what: str) -> None:
        self.tell(f"{self.seats[number].person.name}, sheet {filled.key}: {what}")

    def _hand_out(self, number: int, open_: dict[str, Filled]) -> None:
        """Withdraw what is not theirs any more, and push what is new."""
        seat = self.seats[number]
        idle = [key for key, filled in open_.items() if filled.state in {"untouched", "begun"}]
        if any(seat.has_run_out(key) for key in idle):
            self._let_rest(number)
        wanted = [] if self._is_resting(number) else seat.wanted()
        for key in set(idle) - {sheet.key for sheet in wanted}:
            self.tool.withdraw(seat.person, key)
            self._drafts.pop((number, key), None)
        for sheet in wanted:
            if sheet.key not in open_:
                self.tool.push(seat.person, sheet)

    def _is_resting(self, number: int) -> bool:
        rest = self._rests.get(number)
        return rest is not None and self.clock() < rest.until

    def _let_rest(self, number: int) -> None:
        before = self._rests.get(number)
        length = self.rest if before is None else min(2 * before.length, _LONGEST_REST)
        self._rests[number] = _Rest(length, self.clock() + length)
        name = self.seats[number].person.name
        self.tell(f"{name} let the time for a sentence run out, and rests for {length:.0f} s")
