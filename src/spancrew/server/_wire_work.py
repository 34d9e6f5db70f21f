"""The work of workers and experts on the wire.

Nothing that a worker gets says why they got a sentence, what is known of it, or who else has it.
"""

from typing import Annotated

from pydantic import Field

from spancrew.server._wire import Key, Line, Number, Seconds, SentenceWire, Spans, SpanWire, Wire


class NextIn(Wire):
    """How many assignments to have beside the open one: 0 or 1."""

    ahead: Annotated[int, Field(ge=0, le=1)] = 0


class WorkerAssignment(Wire):
    """A sentence to label until a time."""

    assignment: int
    until: float
    sentence: SentenceWire


class WaitingView(Wire):
    """There is nothing to do now; ask again in some seconds, or never if it is over."""

    reason: str
    retry_after: float
    over: bool


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
    """How long the assignment lasts now."""

    until: float


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


class DoubtView(Wire):
    """A sentence in the queue of the experts; ``loss`` are the errors to be expected."""

    sentence: int
    id: str
    loss: float
    reason: float | None
    purpose: str
    since: float
    claimed_by: str | None


class GivenView(Wire):
    """One of the answers on a sentence."""

    worker: str
    spans: list[SpanWire]


class SheetView(Wire):
    """A sentence for an expert: all answers, and what the crowd makes of them."""

    number: int
    until: float
    sentence: SentenceWire
    doubt: DoubtView
    answers: list[GivenView]
    crowd: list[SpanWire]
    labels: list[str]
    kind: str


class ExpertWorkView(Wire):
    """A sheet, or why there is none."""

    sheet: SheetView | None = None
    waiting: WaitingView | None = None


class ExpertAnswerIn(Wire):
    """The labels of an expert; ``sentence`` is the number on the sheet."""

    sentence: Number
    spans: Spans
    seconds: Seconds | None = None
    key: Key | None = None
    next: bool = False


class ExpertReceiptView(Wire):
    """Labels are taken; ``again`` if they had been taken before."""

    sentence: int
    again: bool


class ExpertAnswerView(Wire):
    """A receipt, and the next sheet if it was asked for."""

    receipt: ExpertReceiptView
    next: ExpertWorkView | None = None
