"""The work of workers on the wire.

Nothing that a worker gets says why they got a sentence, what is known of it, or who else has it.
"""

from typing import Annotated

from pydantic import Field

from spancrew.campaign import WaitingCode
from spancrew.wire._base import Key, Line, Number, Seconds, SentenceWire, Spans, Wire


class NextIn(Wire):
    """How many assignments to have beside the open one: 0 or 1."""

    ahead: Annotated[int, Field(ge=0, le=1)] = 0


class WorkerAssignment(Wire):
    """A sentence to label until a time; ``left`` are the seconds until then, for wrong clocks."""

    assignment: int
    until: float
    left: float
    sentence: SentenceWire


class WaitingView(Wire):
    """There is nothing to do now; ask again in some seconds, or never if it is over.

    ``code`` is the reason for pages that tell it in words of their own.
    """

    reason: str
    retry_after: float
    over: bool
    code: WaitingCode


class WorkView(Wire):
    """An assignment, or why there is none."""

    assignment: WorkerAssignment | None = None
    waiting: WaitingView | None = None


class AnswerIn(Wire):
    """An answer; the same ``key`` again is the same answer. ``next`` asks for more at once."""

    assignment: Number
    spans: Spans
    seconds: Seconds | None = None
    key: Key | None = None
    next: bool = False


class ReceiptView(Wire):
    """An answer is taken; ``again`` if it had been taken before."""

    assignment: int
    paid: float
    late: bool
    again: bool


class AnswerView(Wire):
    """A receipt, and the next assignment if it was asked for."""

    receipt: ReceiptView
    next: WorkView | None = None


class SkipIn(Wire):
    """An assignment to give back, and why."""

    assignment: Number
    reason: Line = ""


class HeartbeatIn(Wire):
    """An assignment that somebody is still at."""

    assignment: Number


class HeartbeatView(Wire):
    """How long the assignment lasts now; 0 seconds are ``left`` of one that is over."""

    until: float
    left: float


class Completion(Wire):
    """What a crowd worker shows their platform."""

    code: str | None
    url: str | None


class ProgressView(Wire):
    """How far a worker is, and what they work with."""

    worker: str
    answers: int
    earned: float
    cap: int | None
    over: bool
    labels: list[str]
    kind: str
    completion: Completion | None
