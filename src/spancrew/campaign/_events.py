"""What can happen in a campaign, in the past tense: the journal is a list of these.

Workers and sentences are numbers, in the order in which they came; who a worker is, the journal
does not know. ``at`` is the time in seconds since 1970, UTC.
"""

from dataclasses import dataclass
from typing import Any, Literal

Spans = tuple[tuple[int, int, str], ...]
"""Spans as start, end (exclusive) and label."""

Purpose = Literal["crew", "warm-up", "gold", "audit", "reopened", "member"]
"""What a worker or an expert is asked for: the campaign, to get to know a worker, to keep an eye
on one, to check what the crowd has settled, or to look at labels that an admin doubts. A model is
asked as a member beside the crew."""

Outcome = Literal["crowd", "more", "expert"]
"""Who decides: the crowd, the crowd after one more answer, or an expert."""

Decider = Literal["crowd", "expert"]
"""Who decided on the labels of a sentence; those with gold are settled from the start."""

Corrector = Literal["expert", "admin"]
"""Who corrects labels."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A campaign was set up: ``plan`` as JSON, and the number of ``sentences``."""

    at: float
    plan: dict[str, Any]
    sentences: int


@dataclass(frozen=True, slots=True)
class SentencesAdded:
    """So many more sentences came, numbered from ``first``; ``key`` is what the client calls them.

    A campaign that was over because all its sentences were settled goes on.
    """

    at: float
    first: int
    count: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """Assignments are handed out from now on, for the first time or again."""

    at: float


@dataclass(frozen=True, slots=True)
class Paused:
    """No more assignments are handed out; open ones can be answered."""

    at: float


@dataclass(frozen=True, slots=True)
class Finished:
    """The campaign is over; ``reason`` says why."""

    at: float
    reason: str


@dataclass(frozen=True, slots=True)
class BudgetSet:
    """What may be spent has changed; None means no limit."""

    at: float
    budget: float | None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The feedback rule has changed."""

    at: float
    feedback: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A worker came; ``price`` and ``cap`` are theirs where they differ from the plan's.

    ``model`` is the name of one that is a model, with its ``version``; None for people.
    """

    at: float
    worker: int
    price: float | None = None
    cap: int | None = None
    model: str | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Halted:
    """A worker gets no more assignments; ``banned`` for ever, else until readmitted."""

    at: float
    worker: int
    banned: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Readmitted:
    """A halted worker may go on."""

    at: float
    worker: int


@dataclass(frozen=True, slots=True)
class CapSet:
    """The most answers of a worker have changed; None means no cap of their own."""

    at: float
    worker: int
    cap: int | None


@dataclass(frozen=True, slots=True)
class CrewChosen:
    """The policy chose a crew for a step, best first; ``available`` workers were present."""

    at: float
    step: int
    crew: tuple[int, ...]
    available: int


@dataclass(frozen=True, slots=True)
class Assigned:
    """A worker has until ``until`` to label a sentence; ``reason`` says why it was them.

    ``group`` orders the sentences of a step; ``extra`` is the money that this assignment may cost
    beyond what was put aside for its sentence.
    """

    at: float
    assignment: int
    sentence: int
    worker: int
    until: float
    purpose: Purpose
    reason: dict[str, Any]
    group: int = 0
    extra: float = 0.0
    suggested: Spans | None = None
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer that a worker gave in their warm-up counts on its sentence, too."""

    at: float
    sentence: int
    worker: int
    group: int
    crew: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """A sentence is in hand before any person is asked, as models are heard on it.

    ``crew`` are the workers that it is meant for in rounds.
    """

    at: float
    sentence: int
    group: int
    crew: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Extended:
    """A worker who is still working, or comes back to it, got more time."""

    at: float
    assignment: int
    until: float


@dataclass(frozen=True, slots=True)
class Expired:
    """The time of an assignment was over; its answer is still welcome."""

    at: float
    assignment: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A worker gave an assignment back and said why."""

    at: float
    assignment: int
    reason: str


@dataclass(frozen=True, slots=True)
class Returned:
    """An assignment was taken back, because its worker was halted or is no longer needed."""

    at: float
    assignment: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A worker answered and is paid.

    ``late``: the time was over. ``surplus``: the sentence has all answers that it needs, so this
    one is kept and not counted. ``key`` is what the client calls this submission. ``turned``: the
    worker saw the second response of a pair first; the spans are those of the pair as it is.
    ``unsure`` are the starts of the spans that the worker was not sure of, ``note`` is for the
    expert, ``flag`` says what is wrong with the sentence.
    """

    at: float
    assignment: int
    sentence: int
    worker: int
    spans: Spans
    paid: float
    seconds: float | None = None
    late: bool = False
    surplus: bool = False
    key: str | None = None
    turned: bool = False
    unsure: tuple[int, ...] = ()
    note: str = ""
    flag: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """The feedback rule looked at the answers on a sentence.

    ``reason`` is the figure that decided, ``errors`` are the wrong and missing spans to be
    expected, ``size`` the spans found and expected, added up. ``contested``: two labels had as
    many votes, so that the choice between them is arbitrary.
    """

    at: float
    sentence: int
    outcome: Outcome
    answers: int
    reason: float | None
    errors: float
    size: float
    crowd: Spans
    contested: bool = False


@dataclass(frozen=True, slots=True)
class Claimed:
    """An expert has until ``until`` to label a sentence.

    It is the time of the event where they took another one instead, and 0 where they put it back.
    """

    at: float
    sentence: int
    expert: str
    until: float


@dataclass(frozen=True, slots=True)
class ExpertAnswered:
    """An expert labelled a sentence and is paid."""

    at: float
    sentence: int
    expert: str
    spans: Spans
    paid: float
    seconds: float | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class FinalLabel:
    """A span of the final labels, with its probability and the workers who marked exactly it."""

    start: int
    end: int
    label: str
    confidence: float
    voters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """A sentence has its final labels.

    ``confidence`` is the probability that all are right; ``rewards`` are worker and reward, None
    where the worker learns nothing, in the order of the answers; then models and their scores.
    """

    at: float
    sentence: int
    by: Decider
    labels: tuple[FinalLabel, ...]
    confidence: float
    answers: int
    rewards: tuple[tuple[int, float | None], ...]


@dataclass(frozen=True, slots=True)
class AuditDrawn:
    """A sentence of the crowd goes to an expert, who sees no answer.

    ``probability`` is that with which such sentences were drawn when they were settled. ``loss``
    is its place in the experts' queue: in the middle, so that nothing tells it from others.
    """

    at: float
    sentence: int
    probability: float
    loss: float


@dataclass(frozen=True, slots=True)
class Audited:
    """An expert has labelled a sentence of the crowd; these spans are the final ones."""

    at: float
    sentence: int
    spans: Spans


@dataclass(frozen=True, slots=True)
class Scored:
    """A single answer was compared with what is known of its sentence: a warm-up, or a check."""

    at: float
    assignment: int
    sentence: int
    worker: int
    purpose: Purpose
    reward: float


@dataclass(frozen=True, slots=True)
class Reanswered:
    """A worker changed an answer that nobody had judged; it is not paid again.

    What they had remarked on it before is gone.
    """

    at: float
    assignment: int
    sentence: int
    worker: int
    spans: Spans
    key: str | None = None
    unsure: tuple[int, ...] = ()
    note: str = ""
    flag: str = ""


@dataclass(frozen=True, slots=True)
class Reopened:
    """An expert is asked for a sentence that is settled; its labels stay until they answer."""

    at: float
    sentence: int
    admin: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A sentence that has labels of an expert or of the crowd has others from now on.

    ``by`` an expert or an admin, whose name is ``who``. ``rewards`` are the workers whose answers
    are scored anew, with their new rewards: what was learned from the old ones is forgotten.
    ``overruled``: the labels were the crowd's.
    """

    at: float
    sentence: int
    by: Corrector
    who: str
    labels: tuple[FinalLabel, ...]
    rewards: tuple[tuple[int, float], ...]
    overruled: bool = False
    note: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class StepEnded:
    """All sentences of a step are settled, and what was learned counts from now on (rounds)."""

    at: float
    step: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """The consensus method was fitted on the first ``seen`` rows of evidence.

    There were so many ``workers`` and ``sentences``; 0 stands for those of the beginning.
    """

    at: float
    seen: int
    workers: int
    sentences: int = 0


ALL_SETTLED = "every sentence is settled"
"""Why a campaign ends by itself."""

Event = (
    Opened
    | SentencesAdded
    | Started
    | Paused
    | Finished
    | BudgetSet
    | RuleSet
    | Joined
    | Halted
    | Readmitted
    | CapSet
    | CrewChosen
    | Assigned
    | Recalled
    | Begun
    | Extended
    | Expired
    | Skipped
    | Returned
    | Answered
    | Judged
    | Claimed
    | ExpertAnswered
    | Settled
    | AuditDrawn
    | Audited
    | Scored
    | Reanswered
    | Reopened
    | Corrected
    | StepEnded
    | Fitted
)
