"""The sentences of a campaign: what they are labelled with, and how that came about."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from spancrew.core import Span
from spancrew.wire._base import NO_CONTROLS, Figure, Line, Pseudonym, ShownSentence, Spans, Wire
from spancrew.wire._campaigns import EventView

SentenceStage = Literal["waiting", "open", "at_expert", "settled"]
DecidedBy = Literal["", "crowd", "expert", "audit", "gold"]
AuditStage = Literal["drawn", "done"]
SentenceOrder = Literal["number", "doubt"]


class SentencesWanted(BaseModel):
    """Which sentences are looked for, as the query of an address; what is left out is any.

    ``doubt`` are the least errors that were expected; ``text`` is anywhere in the sentence.
    ``number`` can be given up to 50 times, for certain sentences.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    state: SentenceStage | None = None
    by: DecidedBy | None = None
    label: Annotated[str, StringConstraints(max_length=200)] = ""
    worker: Annotated[str, StringConstraints(pattern=r"^w[0-9]{1,18}$")] | None = None
    text: Annotated[str, StringConstraints(max_length=200, pattern=NO_CONTROLS)] = ""
    doubt: Annotated[float, Field(ge=0, le=1e6)] | None = None
    disputed: bool = False
    audit: AuditStage | None = None
    corrected: bool = False
    sort: SentenceOrder = "number"
    page: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    number: Annotated[list[Annotated[int, Field(ge=0, lt=2**53)]], Field(max_length=50)] = []


class SentencesAddedView(Wire):
    """What became of sentences that were sent: so many are ``added``, the others ``known`` before.

    ``numbers`` are their places in the campaign, in the order in which they were sent; the
    campaign has so many ``sentences`` now.
    """

    added: int
    known: int
    numbers: tuple[int, ...]
    sentences: int
    repairs: tuple[dict[str, str], ...] = ()


class LabelView(Wire):
    """A final span with its probability and the workers who marked exactly it."""

    start: int
    end: int
    label: str
    confidence: Figure
    voters: tuple[Pseudonym, ...]


class SentenceHit(Wire):
    """A sentence that was found, with its final labels if it has any.

    ``number`` is its place in the campaign; ``by`` is who decided. ``doubt`` are the errors that
    were expected when the rule last looked, ``disputed`` tells that answers differ, ``audit`` is
    drawn or done, and ``corrections`` counts them.
    """

    number: int
    sentence: ShownSentence
    state: SentenceStage
    by: DecidedBy
    labels: tuple[LabelView, ...]
    confidence: Figure
    doubt: Figure
    disputed: bool
    audit: Literal["", "drawn", "done"]
    corrections: int
    workers: tuple[Pseudonym, ...]


class SentencesView(Wire):
    """A page of sentences; ``total`` are all that were found, at most ``size`` on a page.

    ``labels_offered`` are those of the plan.
    """

    labels_offered: tuple[str, ...]
    sentences: tuple[SentenceHit, ...]
    total: int
    page: int
    size: int


class SentenceAnswer(Wire):
    """An answer on a sentence; ``reward`` is its score, null while it has none.

    ``counted`` is false where the sentence had all answers that it needed.
    """

    worker: Pseudonym
    name: str | None
    spans: tuple[Span, ...]
    reward: Figure
    at: float
    counted: bool
    late: bool


class SentenceAssignment(Wire):
    """Who was asked, when and why."""

    assignment: int
    worker: Pseudonym
    name: str | None
    at: float
    purpose: str
    reason: dict[str, Any]


class SentenceDetail(Wire):
    """A sentence with everything that happened to it.

    ``judged`` are the looks of the feedback rule, ``may_correct`` tells whether its labels can be
    overruled now, ``labels_offered`` are those of the plan.
    """

    hit: SentenceHit
    answers: tuple[SentenceAnswer, ...]
    assignments: tuple[SentenceAssignment, ...]
    events: tuple[EventView, ...]
    labels_offered: tuple[str, ...]
    kind: str
    may_correct: bool


class OverruleIn(Wire):
    """The labels that a sentence is to have instead, and why."""

    spans: Spans
    note: Line = ""


class ReopenIn(Wire):
    """Why an expert is to look at a sentence that is settled."""

    note: Line = ""
