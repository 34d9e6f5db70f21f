"""The work of experts on the wire."""

from spancrew.wire._base import Key, Number, Seconds, SentenceWire, Spans, SpanWire, Wire
from spancrew.wire._work import WaitingView

MOST_TEXT = 120
"""Code points of a sentence that are shown in the queue."""


class DoubtView(Wire):
    """A sentence in the queue of the experts; ``loss`` are the errors to be expected.

    ``text`` is how it begins, ``claimed_by`` the expert who is at it now. ``agreement`` is
    Fleiss' kappa of the ``answers``, null where there are fewer than two; ``errors`` are expected
    of the crowd's word, null where the crowd has none.
    """

    sentence: int
    id: str
    text: str
    loss: float
    reason: float | None
    purpose: str
    since: float
    claimed_by: str | None
    agreement: float | None
    errors: float | None
    answers: int


class GivenView(Wire):
    """One of the answers on a sentence; ``initials`` are those of the worker's name."""

    worker: str
    initials: str
    spans: list[SpanWire]


class SheetView(Wire):
    """A sentence for an expert: all answers, and what the crowd makes of them.

    ``rule`` is the feedback rule, which ``decides_by`` agreement, errors or nothing.
    """

    number: int
    until: float
    sentence: SentenceWire
    doubt: DoubtView
    answers: list[GivenView]
    crowd: list[SpanWire]
    labels: list[str]
    kind: str
    rule: str
    decides_by: str


class ExpertWorkView(Wire):
    """A sheet, or why there is none."""

    sheet: SheetView | None = None
    waiting: WaitingView | None = None


class ExpertNextIn(Wire):
    """The sentence of the queue that an expert wants; without it, the one that needs them most."""

    sentence: Number | None = None


class PutBackIn(Wire):
    """A sentence that an expert leaves to somebody else."""

    sentence: Number


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


class TaughtView(Wire):
    """What an expert's word taught about a worker: the mean reward before and after it.

    ``reward`` is null where nothing is learned, a mean where there is no reward yet. In rounds
    means move when the step ends; until then the reward is not ``counted``.
    """

    worker: str
    initials: str
    reward: float | None
    before: float | None
    after: float | None
    counted: bool


class ExpertAnswerView(Wire):
    """A receipt, what the labels taught, and the next sheet if it was asked for."""

    receipt: ExpertReceiptView
    taught: list[TaughtView]
    next: ExpertWorkView | None = None
