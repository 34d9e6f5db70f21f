"""What a labelling tool must be able to do, so that people can work there for a campaign."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, Protocol

from spancrew.core import Sentence, Span

Role = Literal["worker", "expert"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who works on a campaign in another tool, by the name that they have there."""

    campaign: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sentence that somebody is to label.

    Its ``key`` is the same however often it is sent. An expert may begin with a ``suggestion``;
    None where there is none, or must be none.
    """

    key: str
    sentence: Sentence
    suggestion: tuple[Span, ...] | None = None


@dataclass(frozen=True, slots=True)
class Filled:
    """How far a sheet is: a ``problem`` says why what was done there is no answer.

    The ``draft`` of one that is begun is any text that changes while somebody works on it.
    """

    key: str
    state: Literal["untouched", "begun", "answered", "skipped"]
    spans: tuple[Span, ...] = ()
    seconds: float | None = None
    problem: str | None = None
    draft: str = ""

    @property
    def mark(self) -> str:
        """Return what differs when somebody has changed their answer."""
        said = [(span.start, span.end, span.label) for span in self.spans]
        return sha256(f"{self.state} {said} {self.problem}".encode()).hexdigest()[:16]


class LabellingTool(Protocol):
    """A tool in which everybody has a place of their own for their sheets.

    The place and the sheets are kept in the tool, so that a bridge that starts anew finds them.
    Whatever cannot be done raises ``ToolError``; it is tried again later.
    """

    name: str

    def admit(self, person: Person) -> None:
        """Make a place for somebody, unless they have one."""
        ...

    def sheets(self, person: Person, *, thorough: bool) -> list[Filled]:
        """Return the sheets there that were not taken, and those that changed since.

        It is enough to look at sheets that are known to be open, unless it must be ``thorough``.
        """
        ...

    def push(self, person: Person, sheet: Sheet) -> None:
        """Put a sheet there."""
        ...

    def withdraw(self, person: Person, key: str) -> None:
        """Remove a sheet that nobody has answered; one that is not there is no error."""
        ...

    def take(self, person: Person, filled: Filled) -> None:
        """Remember that a sheet is done with, as it is now."""
        ...
