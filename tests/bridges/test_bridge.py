"""The loop between campaign and tool, without either of them."""

# ruff: noqa: ARG002  tools and seats in memory take what the protocols say

from dataclasses import dataclass, field
from threading import Event

import pytest

from spancrew.bridges import Bridge, Filled, Person, Sheet
from spancrew.core import Sentence, Span
from spancrew.errors import AnswerRefusedError, ConflictError, StoreError, ToolError

ANA = Person("news", "ana", "worker")
SHEET = Sheet("a1", Sentence.from_text("s1", "Ana sings"))
ANSWER = Filled("a1", "answered", (Span(0, 1, "PER"),))


@dataclass
class Tool:
    """A tool in memory; ``down`` lists what happens in its next calls."""

    there: dict[str, Filled] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    looks: list[bool] = field(default_factory=list)
    down: list[Exception] = field(default_factory=list)
    name: str = "a tool"

    def admit(self, person: Person) -> None:
        """Do nothing."""

    def sheets(self, person: Person, *, thorough: bool) -> list[Filled]:
        """Return what is there."""
        self.looks.append(thorough)
        if self.down:
            raise self.down.pop(0)
        return list(self.there.values())

    def push(self, person: Person, sheet: Sheet) -> None:
        """Put it there."""
        assert sheet.key not in self.there
        self.there[sheet.key] = Filled(sheet.key, "untouched")

    def withdraw(self, person: Person, key: str) -> None:
        """Remove it."""
        del self.there[key]
        self.withdrawn.append(key)

    def take(self, person: Person, filled: Filled) -> None:
        """Remove it, too."""
        del self.there[filled.key]
        self.taken.append(filled.mark)


@dataclass
class Worker:
    """A seat whose time is over when a test says so."""

    person: Person = ANA
    over: bool = False
    wants: list[Sheet] = field(default_factory=lambda: [SHEET])
    calls: list[str] = field(default_factory=list)
    refusals: list[Exception] = field(default_factory=list)
    ran_out: bool = False

    def greet(self) -> None:
        """Note it."""
        self.calls.append("greet")

    def wanted(self) -> list[Sheet]:
        """Return what the test says."""
        self.calls.append("wanted")
        return self.wants

    def submit(self, filled: Filled) -> None:
        """Refuse it, or end."""
        self.calls.append("submit")
        if self.refusals:
            raise self.refusals.pop(0)
        self.wants, self.over = [], True

    def skip(self, filled: Filled) -> None:
        """Note it."""
        self.calls.append("skip")
        if self.refusals:
            raise self.refusals.pop(0)

    def keep(self, filled: Filled) -> None:
        """Note it."""
        self.calls.append("keep")

    def has_run_out(self, key: str) -> bool:
        """Return what the test says."""
        return self.ran_out


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def loop(tool: Tool, worker: Worker, clock: Clock | None = None) -> tuple[Bridge, list[str]]:
    """Return a bridge and what it says."""
    said: list[str] = []
    return Bridge(tool, [worker], said.append, clock or Clock()), said


def test_whoever_lets_the_time_run_out_rests_longer_and_longer() -> None:
    """Meanwhile nobody asks for them, so the campaign counts on others."""
    tool, worker, clock = Tool(), Worker(), Clock()
    bridge, said = loop(tool, worker, clock)
    asked = []
    for ran_out, now in [(0, 0), (1, 10), (0, 200), (0, 320), (1, 330), (0, 900), (0, 940)]:
        worker.ran_out, clock.now = bool(ran_out), float(now)
        worker.calls.clear()
        bridge.turn()
        asked.append("wanted" in worker.calls)

    assert asked == [True, False, False, True, False, False, True]
    assert tool.withdrawn == ["a1", "a1"]
    assert [line.rpartition("rests for ")[2] for line in said] == ["300 s", "600 s"]


def test_an_answer_ends_the_rest() -> None:
    """The next time somebody is away, they rest for as short as the first time."""
    tool, worker = Tool(), Worker()
    bridge, said = loop(tool, worker)
    bridge.turn()
    worker.ran_out = True
    bridge.turn()
    worker.ran_out = False
    tool.there["a1"] = ANSWER
    bridge.turn()

    assert worker.calls[-2:] == ["submit", "wanted"]
    assert len(said) == 1


def test_an_answer_that_was_refused_ends_no_rest() -> None:
    """It lies there, and says nothing about who is there now."""
    tool, worker = Tool({"a1": ANSWER}), Worker(wants=[])
    worker.refusals = [AnswerRefusedError("spans overlap")]
    bridge, _ = loop(tool, worker)
    bridge.turn()
    tool.there["a2"] = Filled("a2", "untouched")
    worker.ran_out = True
    bridge.turn()
    worker.calls.clear()
    bridge.turn()

    assert worker.calls == []


def test_a_draft_that_grows_keeps_the_time_from_running_out() -> None:
    """One that lies about does not."""
    tool, worker = Tool(), Worker()
    bridge, _ = loop(tool, worker)
    for draft in ("10:00", "10:00", "10:05"):
        tool.there["a1"] = Filled("a1", "begun", draft=draft)
        bridge.turn()

    assert worker.calls.count("keep") == 2


def test_what_is_not_wanted_is_withdrawn_unless_it_was_answered() -> None:
    """An answer that was refused stays, and is told once until it changes."""
    tool, worker = Tool({"a1": ANSWER, "a2": Filled("a2", "untouched")}), Worker(wants=[])
    worker.refusals = [AnswerRefusedError("spans overlap")]
    bridge, said = loop(tool, worker)
    for _ in range(3):
        bridge.turn()
    tool.there["a1"] = Filled("a1", "answered", (Span(1, 2, "PER"),))
    bridge.turn()

    assert tool.withdrawn == ["a2"]
    assert worker.calls.count("submit") == 2
    assert len(said) == 1
    assert tool.taken == [Filled("a1", "answered", (Span(1, 2, "PER"),)).mark]


def test_a_problem_in_the_tool_is_told_and_never_handed_in() -> None:
    """Such as a region outside its text."""
    tool, worker = Tool({"a1": Filled("a1", "answered", problem="outside the text")}), Worker()
    bridge, said = loop(tool, worker)
    bridge.turn()

    assert "outside the text" in said[0]
    assert "submit" not in worker.calls
    assert "a1" in tool.there


def test_an_answer_that_differs_from_the_first_is_done_with() -> None:
    """It is told, and never sent again."""
    tool, worker = Tool({"a1": ANSWER}), Worker(wants=[])
    worker.refusals = [ConflictError("an answer cannot be changed")]
    bridge, said = loop(tool, worker)
    bridge.turn()

    assert tool.taken == [ANSWER.mark]
    assert len(said) == 1


def test_a_skip_that_comes_too_late_is_done_with() -> None:
    """The sentence went to somebody else anyway."""
    tool, worker = Tool({"a1": Filled("a1", "skipped")}), Worker(wants=[])
    worker.refusals = [ConflictError("it is not yours any more")]
    bridge, said = loop(tool, worker)
    bridge.turn()

    assert len(tool.taken) == 1
    assert len(said) == 1


@pytest.mark.parametrize("error", [ToolError("down"), StoreError("down")])
def test_after_trouble_everything_is_looked_at_again(error: Exception) -> None:
    """And everybody is greeted, as a crew is chosen among those who are there."""
    tool, worker = Tool(), Worker()
    bridge, _ = loop(tool, worker)
    bridge.turn()
    bridge.turn()
    tool.down = [error]
    with pytest.raises(type(error)):
        bridge.turn()
    bridge.turn()

    assert tool.looks == [True, False, False, True]
    assert worker.calls.count("greet") == 2


def test_a_server_that_goes_away_before_it_confirms_gets_the_answer_again() -> None:
    """The sheet is not taken until it has."""
    tool, worker = Tool({"a1": ANSWER}), Worker()
    worker.refusals = [StoreError("no answer")]
    bridge, _ = loop(tool, worker)
    with pytest.raises(StoreError):
        bridge.turn()
    before = list(tool.taken)
    bridge.turn()

    assert before == []
    assert tool.taken == [ANSWER.mark]


def test_it_runs_until_nobody_gets_anything_any_more() -> None:
    """Through a tool that is down, and woken instead of waiting."""
    tool, worker, wake = Tool({"a1": ANSWER}), Worker(), Event()
    tool.down = [ToolError("down")]
    bridge, said = loop(tool, worker)
    wake.set()
    bridge.run(0.01, wake)

    assert bridge.over
    assert said == ["down; trying again in 1 s"]


def test_everything_is_looked_at_again_after_some_minutes() -> None:
    """However often the bridge looks in between: answers may be changed where no number is."""
    tool, worker, clock = Tool(), Worker(), Clock()
    bridge, _said = loop(tool, worker, clock)
    for now in (0.0, 1.0, 299.0, 300.0, 301.0, 601.0):
        clock.now = now
        bridge.turn()

    assert tool.looks == [True, False, False, True, False, True]
