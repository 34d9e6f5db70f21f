"""What goes into a campaign and comes out of it."""

from dataclasses import dataclass, field
from typing import Any, Literal

from spancrew.campaign._events import Purpose, Spans

Phase = Literal["draft", "running", "paused", "finished"]
WorkerState = Literal["new", "ready", "paused", "banned"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """A worker labels a sentence; ``reason`` says why it was them."""

    number: int
    sentence: int
    worker: int
    until: float
    purpose: Purpose
    reason: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Waiting:
    """There is nothing to do now; ask again in some seconds, or never if it is ``over``."""

    reason: str
    retry_after: float = 5.0
    over: bool = False


@dataclass(frozen=True, slots=True)
class Submission:
    """What a worker hands in; ``key`` lets the same submission be sent twice without harm."""

    assignment: int
    worker: int
    spans: Spans
    seconds: float | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """An answer is taken; ``again`` if it had been taken before."""

    sentence: int
    assignment: int | None = None
    paid: float = 0.0
    late: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """One of the answers on a sentence, as an expert sees it."""

    worker: int
    spans: Spans


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence in the queue of the experts; ``loss`` are the errors to be expected without them.

    ``reason`` is the figure that decided, ``purpose`` is warm-up where workers wait for it.
    """

    sentence: int
    loss: float
    reason: float | None
    purpose: Purpose
    since: float
    claimed_by: str | None = None


@dataclass(frozen=True, slots=True)
class ExpertSheet:
    """A sentence for an expert: all answers, and what the crowd makes of them."""

    sentence: int
    until: float
    doubt: Doubt
    answers: tuple[Given, ...]
    crowd: Spans


@dataclass(frozen=True, slots=True)
class Ledger:
    """Money: ``spent`` is paid, ``committed`` is put aside for sentences in hand.

    ``forecast`` is what the campaign is expected to cost in all, ``saved`` what has been saved
    against experts alone; ``left`` is None without a budget.
    """

    answers: int
    experts: int
    spent: float
    committed: float
    forecast: float
    saved: float
    budget: float | None
    left: float | None


@dataclass(frozen=True, slots=True)
class Status:
    """How far a campaign is."""

    phase: Phase
    reason: str
    sentences: int
    settled: int
    by_crowd: int
    by_expert: int
    by_gold: int
    open: int
    at_expert: int
    waiting: int
    step: int
    workers: int
    ready: int
    answers: int
    expected_errors: float
    expected_quality: float | None
    version: int


@dataclass(frozen=True, slots=True)
class WorkerStanding:
    """What is known of a worker: ``mean`` of ``scored`` rewards with its 95 % interval.

    ``by_crowd``, ``by_expert`` and ``by_gold`` are the mean rewards by whose word they were
    measured; None where there are none. ``seconds`` is the mean time of an answer.
    """

    worker: int
    state: WorkerState
    scored: int
    mean: float | None
    low: float | None
    high: float | None
    by_crowd: float | None
    by_expert: float | None
    by_gold: float | None
    answers: int
    late: int
    skipped: int
    seconds: float | None
    earned: float
    cap: int | None
    price: float
