"""The work of workers and experts.

Nothing that a worker gets says why they got a sentence, what is known of it, or who else has it.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from spancrew.campaign import Waiting
from spancrew.core import Span
from spancrew.wire._base import (
    MOST_SPANS,
    NO_CONTROLS,
    Figure,
    Key,
    Line,
    Number,
    Pseudonym,
    Seconds,
    ShownSentence,
    Spans,
    Wire,
)
from spancrew.wire._plan import LabelNoteIn

MOST_TEXT = 120
"""Code points of a sentence that are shown in the queue."""


MOST_AHEAD = 31

Starts = Annotated[list[Annotated[int, Field(ge=0, le=2**31 - 1)]], Field(max_length=MOST_SPANS)]
Remarked = Annotated[str, StringConstraints(max_length=500, pattern=NO_CONTROLS)]


class NextIn(Wire):
    """How many assignments to have beside the open one: people as many as the plan says."""

    ahead: Annotated[int, Field(ge=0, le=MOST_AHEAD)] = 0


class WorkerAssignment(Wire):
    """A sentence to label until a time; ``left`` are the seconds until then, for wrong clocks.

    ``turned``: the second response of a pair is shown first. The answer is to what is shown.
    ``suggested`` are spans to begin with, which models suggest; null where there are none to see.
    """

    assignment: int
    until: float
    left: float
    sentence: ShownSentence
    turned: bool = False
    suggested: tuple[Span, ...] | None = None


class WorkView(Wire):
    """An assignment, or why there is none."""

    assignment: WorkerAssignment | None = None
    waiting: Waiting | None = None


class AnswerIn(Wire):
    """An answer; the same ``key`` again is the same answer. ``next`` asks for more at once.

    ``unsure`` are the starts of spans that the worker is not sure of, ``note`` is for the expert,
    ``flag`` says what is wrong with the sentence.
    """

    assignment: Number
    spans: Spans
    seconds: Seconds | None = None
    key: Key | None = None
    next: bool = False
    unsure: Starts = Field(default_factory=list)
    note: Remarked = ""
    flag: Remarked = ""


class ReceiptView(Wire):
    """An answer is stored; ``again`` if it had been stored before."""

    assignment: int
    paid: float
    late: bool
    again: bool


class AnswerView(Wire):
    """A receipt, and the next assignment if it was asked for."""

    receipt: ReceiptView
    next: WorkView | None = None


class LastAnswerView(Wire):
    """The last answer of a worker, which they can change; nothing once it was judged."""

    assignment: int | None = None
    sentence: ShownSentence | None = None
    spans: tuple[Span, ...] = ()
    unsure: tuple[int, ...] = ()
    note: str = ""
    flag: str = ""


class ChangeIn(Wire):
    """What takes the place of an answer; the same ``key`` again is the same change."""

    assignment: Number
    spans: Spans
    key: Key | None = None
    unsure: Starts = Field(default_factory=list)
    note: Remarked = ""
    flag: Remarked = ""


class SkipIn(Wire):
    """An assignment to give back, and why."""

    assignment: Number
    reason: Line = ""


class HeartbeatIn(Wire):
    """An assignment that somebody is still working on."""

    assignment: Number


class HeartbeatView(Wire):
    """How long the assignment lasts now; ``left`` is 0 once it is over."""

    until: float
    left: float


class Completion(Wire):
    """What a worker shows their crowd platform when all is done."""

    code: str | None
    url: str | None


class ProgressView(Wire):
    """How far a worker is, and what they label with.

    So many sentences may wait on their page ``ahead`` of the one in hand.
    """

    worker: str
    answers: int
    earned: float
    cap: int | None
    over: bool
    labels: tuple[str, ...]
    kind: str
    completion: Completion | None
    instruction: str = ""
    legend: dict[str, LabelNoteIn] = Field(default_factory=dict)
    ahead: int = 1


class DoubtView(Wire):
    """A sentence in the queue of the experts; ``loss`` are the errors to be expected.

    ``sentence`` is its number, ``text`` how it begins, ``claimed_by`` the expert who has it now.
    One that is ``blind`` is labelled without seeing any answer: workers wait for it, or it is an
    audit; which of them is not said, and it has no ``loss``. One that is ``reopened`` has labels,
    and an admin doubts them.
    ``agreement`` is Fleiss' kappa of the ``answers``, null where there are fewer than two;
    ``errors`` are those expected of the crowd's labels, null where it has none.
    """

    sentence: int
    id: str
    text: str
    loss: float
    reason: Figure
    purpose: Literal["crew", "blind", "reopened"]
    since: float
    claimed_by: str | None
    agreement: Figure
    errors: Figure
    answers: int


class GivenView(Wire):
    """One of the answers on a sentence; ``initials`` are those of the worker's name.

    ``unsure`` are the starts of the spans that they were not sure of.
    """

    worker: Pseudonym
    initials: str
    spans: tuple[Span, ...]
    unsure: tuple[int, ...] = ()
    note: str = ""
    flag: str = ""


class SheetView(Wire):
    """A sentence for an expert: all answers, and the crowd's labels made of them.

    ``number`` is the sentence's in the campaign; ``rule`` is the feedback rule, which
    ``decides_by`` agreement, errors or nothing.
    """

    number: int
    until: float
    sentence: ShownSentence
    doubt: DoubtView
    answers: tuple[GivenView, ...]
    crowd: tuple[Span, ...]
    labels: tuple[str, ...]
    kind: str
    rule: str
    decides_by: str
    instruction: str = ""
    legend: dict[str, LabelNoteIn] = Field(default_factory=dict)


class ExpertWorkView(Wire):
    """A sheet, or why there is none."""

    sheet: SheetView | None = None
    waiting: Waiting | None = None


class ExpertNextIn(Wire):
    """The sentence of the queue that an expert wants; without it, the most needed one."""

    sentence: Number | None = None


class PutBackIn(Wire):
    """A sentence that an expert leaves to another expert."""

    sentence: Number


class ExpertAnswerIn(Wire):
    """The labels of an expert; ``sentence`` is the number on the sheet."""

    sentence: Number
    spans: Spans
    seconds: Seconds | None = None
    key: Key | None = None
    next: bool = False


class ExpertReceiptView(Wire):
    """Labels are stored; ``again`` if they had been stored before."""

    sentence: int
    again: bool


class OwnLabelsView(Wire):
    """Labels that an expert gave a sentence, and can correct, with all that there are."""

    number: int
    sentence: ShownSentence
    spans: tuple[Span, ...]
    labels_offered: tuple[str, ...]
    kind: str


class CorrectionIn(Wire):
    """The labels that a sentence is to have instead; ``sentence`` is its number."""

    sentence: Number
    spans: Spans
    key: Key | None = None


class TaughtView(Wire):
    """What an expert's labels taught about a worker: the mean reward before and after.

    ``reward`` is null where nothing is learned, a mean where there is no reward yet. In rounds
    means move when the step ends; until then the reward is not ``counted``.
    """

    worker: Pseudonym
    initials: str
    reward: Figure
    before: Figure
    after: Figure
    counted: bool


class ExpertAnswerView(Wire):
    """A receipt, what the labels taught, and the next sheet if it was asked for."""

    receipt: ExpertReceiptView
    taught: tuple[TaughtView, ...]
    next: ExpertWorkView | None = None
