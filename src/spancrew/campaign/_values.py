"""What goes into a campaign and comes out of it."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from spancrew.campaign._events import Purpose, Spans

Phase = Literal["draft", "running", "paused", "finished"]
WorkerState = Literal["new", "ready", "paused", "banned"]
WaitingCode = Literal[
    "none", "first", "left_out", "paused", "banned", "capped", "campaign_paused", "over"
]


@dataclass(frozen=True, slots=True)
class Assignment:
    """A worker labels a sentence; ``reason`` says why it was them.

    ``suggested`` are the spans that models suggest, if the worker is to see them.
    """

    number: int
    sentence: int
    worker: int
    until: float
    purpose: Purpose
    reason: dict[str, Any] = field(hash=False)
    suggested: Spans | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """There is nothing to do now; ask again in some seconds, or never if it is ``over``.

    ``code`` is the reason for programs that tell it in words of their own.
    """

    reason: str
    retry_after: float = 5.0
    over: bool = False
    code: WaitingCode = "none"


class Remark(NamedTuple):
    """What a worker says of their own answer, which changes nothing by itself.

    ``unsure`` are the starts of the spans that they are not sure of, ``note`` is for the expert,
    ``flag`` says what is wrong with the sentence.
    """

    unsure: tuple[int, ...] = ()
    note: str = ""
    flag: str = ""


_NO_REMARK = Remark()


@dataclass(frozen=True, slots=True)
class Submission:
    """What a worker hands in; ``key`` lets the same submission be sent twice without harm.

    ``turned``: they saw the second response of a pair first.
    """

    assignment: int
    worker: int
    spans: Spans
    seconds: float | None = None
    key: str | None = None
    turned: bool = False
    remark: Remark = _NO_REMARK


@dataclass(frozen=True, slots=True)
class Taught:
    """How an expert's answer changed a worker's mean reward: before and after it.

    ``reward`` is None where nothing is learned, a mean where there is no reward yet. In rounds
    means move when the step ends; until then the reward is not ``counted``.
    """

    worker: int
    reward: float | None
    before: float | None
    after: float | None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Receipt:
    """An answer is taken; ``again`` if it had been taken before.

    ``taught`` is how the mean rewards of those who answered the sentence changed.
    """

    sentence: int
    assignment: int | None = None
    paid: float = 0.0
    late: bool = False
    again: bool = False
    taught: tuple[Taught, ...] = ()


@dataclass(frozen=True, slots=True)
class Added:
    """So many sentences are added, numbered from ``first``; ``again`` if they had been before."""

    first: int
    count: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """One of the answers on a sentence, as an expert sees it."""

    worker: int
    spans: Spans
    remark: Remark = _NO_REMARK


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence in the queue of the experts; ``loss`` are the errors to be expected without them.

    ``reason`` is the figure that decided, ``purpose`` is warm-up where workers wait for it.
    ``claimed_by`` has it, or had it, ``until`` then. ``agreement`` is Fleiss' kappa of the
    ``answers``, ``errors`` are those that are expected in the consensus; None where there
    are no answers to look at.
    """

    sentence: int
    loss: float
    reason: float | None
    purpose: Purpose
    since: float
    claimed_by: str | None = None
    until: float = 0.0
    agreement: float | None = None
    errors: float | None = None
    answers: int = 0


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

    ``forecast`` is what all sentences are expected to cost; where that is more than ``budget``,
    the budget ends the campaign before. ``saved`` is what has been saved against experts alone;
    ``left`` is None without a budget. ``answers`` are those of people; models gave
    ``model_answers`` for ``model_money``, which is part of what is spent.
    """

    answers: int
    experts: int
    spent: float
    committed: float
    forecast: float
    saved: float
    budget: float | None
    left: float | None
    model_answers: int = 0
    model_money: float = 0.0


@dataclass(frozen=True, slots=True)
class Anchoring:
    """How far suggestions draw people to them.

    Of the answers for which there was a suggestion, ``seen`` were given by workers who saw it and
    ``unseen`` by others, as chance had it. ``agreed_seen`` and ``agreed_unseen`` are the mean F1
    between answer and suggestion, None where there is no answer; ``more`` is the difference, with
    its 95 % interval once there are two answers of each.
    """

    seen: int
    unseen: int
    agreed_seen: float | None
    agreed_unseen: float | None
    more: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Status:
    """How far a campaign is.

    ``workers`` and ``answers`` are those of people; ``models`` have given ``model_answers``.
    ``audited`` are those of the crowd's sentences that an expert has labelled since.
    ``expected_quality`` is the model's guess at the F1 of the labels so far: nothing bounds its
    error. What audits say of it is the certificate's. ``anchoring`` is there once models have
    suggested something.
    """

    phase: Phase
    reason: str
    sentences: int
    settled: int
    by_crowd: int
    by_expert: int
    by_gold: int
    audited: int
    open: int
    at_expert: int
    waiting: int
    step: int
    workers: int
    ready: int
    answers: int
    models: int
    model_answers: int
    expected_errors: float
    expected_quality: float | None
    version: int
    anchoring: Anchoring | None = None


@dataclass(frozen=True, slots=True)
class WorkerStanding:
    """What is known of a worker: ``mean`` of ``scored`` rewards with its 95 % interval.

    ``by_crowd``, ``by_expert`` and ``by_gold`` are the mean rewards by who decided
    on the labels; None where there are none. ``seconds`` is the mean time of an answer.
    ``model`` is the name of one that is a model; its rewards are scores that nobody learns from.
    ``weak``: clearly weaker than the middle one of those who may work, by the rule of an
    automatic crew.
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
    model: str | None = None
    version: str = ""
    weak: bool = False
