"""What the state holds of money, workers, leases and sentences in hand."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spancrew.campaign._events import Purpose, Spans
from spancrew.campaign._log import Held
from spancrew.campaign._values import WorkerState

_PLACES = 9
"""Money is exact to a billionth, so that ten times 0.1 is 1."""

NOT_JUDGED = -1
"""Answers at which the rule last looked, where it is to look before there is any."""

RECENT = 100
"""Submissions of a worker that are remembered, so that they can be sent again without harm."""


@dataclass(slots=True)
class Money:
    """The books of a campaign; what is spent and put aside never exceeds the budget."""

    budget: float | None = None
    answers: float = 0.0
    experts: float = 0.0
    models: float = 0.0
    aside: float = 0.0

    @property
    def spent(self) -> float:
        """Return what was paid."""
        return round(self.answers + self.experts + self.models, _PLACES)

    @property
    def left(self) -> float:
        """Return what is neither spent nor put aside; without a budget there is no end to it."""
        if self.budget is None:
            return float("inf")
        return round(self.budget - self.spent - self.aside, _PLACES)

    def affords(self, amount: float) -> bool:
        """Tell whether there is money to put this amount aside."""
        return round(self.left - amount, _PLACES) >= 0

    def put_aside(self, amount: float) -> None:
        """Put money aside; a negative amount frees some."""
        self.aside = round(self.aside + amount, _PLACES)

    def pay_answer(self, amount: float) -> None:
        """Pay a worker."""
        self.answers = round(self.answers + amount, _PLACES)

    def pay_model(self, amount: float) -> None:
        """Pay for the answer of a model."""
        self.models = round(self.models + amount, _PLACES)

    def pay_expert(self, amount: float) -> None:
        """Pay an expert."""
        self.experts = round(self.experts + amount, _PLACES)


class Remembered(NamedTuple):
    """A submission that was accepted."""

    key: str | None
    sentence: int
    paid: float
    late: bool


@dataclass(slots=True)
class WorkerRecord:
    """What the campaign knows of a worker beyond their standing.

    ``model`` is the name of one that is a model; None for people.
    """

    number: int
    price: float
    cap: int | None = None
    model: str | None = None
    version: str = ""
    state: WorkerState = "new"
    before: WorkerState = "new"
    open: list[int] = field(default_factory=list)
    answered: int = 0
    late: int = 0
    skipped: int = 0
    seconds: float = 0.0
    timed: int = 0
    earned: float = 0.0
    rewards: dict[str, tuple[int, float]] = field(default_factory=dict)
    recent: dict[int, Remembered] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    own: int | None = None

    @property
    def taken(self) -> int:
        """Return the answers given and promised, which a cap may limit."""
        return self.answered + len(self.open)

    def remember(self, assignment: int, submission: Remembered) -> None:
        """Keep a submission, and forget the oldest."""
        self.recent[assignment] = submission
        if len(self.recent) > RECENT:
            del self.recent[next(iter(self.recent))]


def latest_end(now: float, lasts: float) -> float:
    """Return the latest time up to which something can last that lasts so long.

    A later one was noted before the clock was set back.
    """
    return now + 2 * lasts


def is_up(until: float, now: float, lasts: float) -> bool:
    """Tell whether the time of something that lasts so long is up, or later than it can be.

    >>> is_up(100.0, now=99.0, lasts=60.0), is_up(100.0, now=100.0, lasts=60.0)
    (False, True)
    >>> is_up(100.0, now=-3600.0, lasts=60.0)
    True
    """
    return until <= now or until > latest_end(now, lasts)


@dataclass(slots=True)
class Lease:
    """An assignment that is not answered; ``aside`` is the money that is kept for its answer.

    ``suggested`` is what models say of its sentence, which the worker sees if it is ``shown``.
    """

    number: int
    sentence: int
    worker: int
    until: float
    purpose: Purpose
    aside: float
    reason: dict[str, Any]
    expired: bool = False
    suggested: Spans | None = None
    shown: bool = False


@dataclass(slots=True)
class InHand:
    """A sentence that is being labelled.

    ``crew`` are the workers it is meant for in rounds; ``away`` those who may not get it again;
    ``aside`` is money for answers that nobody has been asked for yet, of which an answer may take
    ``share``; ``for_expert`` is that for an expert; ``errors`` are those that were expected when
    the rule last looked, ``size`` the spans found and expected then, and ``crowd`` those found.
    """

    sentence: int
    group: int
    wanted: int
    aside: float
    for_expert: float
    share: float
    crew: tuple[int, ...] = ()
    answers: list[Held] = field(default_factory=list)
    leases: dict[int, int] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)
    judged: int = 0
    errors: float | None = None
    size: float = 0.0
    crowd: Spans = ()
    is_at_expert: bool = False

    @property
    def taken(self) -> int:
        """Return the answers that are there or on their way."""
        return len(self.answers) + len(self.leases)

    def beyond(self, price: float) -> float:
        """Return what an answer at a price costs beyond the money that is put aside for it."""
        return round(max(price - min(self.share, self.aside), 0.0), 9)

    @property
    def is_ready(self) -> bool:
        """Tell whether the rule may look: all wanted answers are there, and it has not yet."""
        return not self.is_at_expert and self.judged < self.wanted <= len(self.answers)

    @property
    def ordered(self) -> list[Held]:
        """Return the answers in the order of the crew, else in that of their arrival."""
        if not self.crew:
            return self.answers
        return sorted(self.answers, key=lambda held: self._place(held.worker))

    def _place(self, worker: int) -> int:
        return self.crew.index(worker) if worker in self.crew else len(self.crew)


@dataclass(slots=True)
class ModelWork:
    """What models say of a sentence that is not settled.

    ``leases`` are the models that are asked, by assignment; ``away`` those that may not get the
    sentence again.
    """

    answers: list[Held] = field(default_factory=list)
    leases: dict[int, int] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)

    @property
    def taken(self) -> int:
        """Return the answers that are there or on their way."""
        return len(self.answers) + len(self.leases)


@dataclass(slots=True)
class Agreements:
    """How far some answers agree with what models suggested."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, given: Spans, suggested: Spans) -> None:
        """Add an answer by its F1 against the suggestion, which is 1 where neither has a span.

        >>> some = Agreements()
        >>> some.add(((0, 1, "PER"), (2, 3, "LOC"), (4, 5, "LOC")), ((0, 1, "PER"),))
        >>> some.add((), ())
        >>> some.mean
        0.75
        """
        both = len(given) + len(suggested)
        agreement = 2 * len(set(given) & set(suggested)) / both if both else 1.0
        self.count += 1
        self.total += agreement
        self.squares += agreement * agreement

    @property
    def mean(self) -> float | None:
        """Return the mean; None without answers."""
        return self.total / self.count if self.count else None

    @property
    def mean_variance(self) -> float | None:
        """Return the variance of the mean; None with fewer than two answers."""
        if self.count < 2:
            return None
        spread = self.squares - self.total * self.total / self.count
        return max(spread, 0.0) / (self.count - 1) / self.count


@dataclass(slots=True)
class Question:
    """A sentence in the experts' queue."""

    sentence: int
    loss: float
    reason: float | None
    purpose: Purpose
    since: float
    crowd: Spans = ()
    expert: str | None = None
    until: float = 0.0


class OpenAudit(NamedTuple):
    """A sentence of the crowd that waits for an expert.

    ``weight`` is how many sentences it stands for; it was drawn in ``step``, where its place was
    ``group``. ``answers`` made it the spans ``crowd``, with so many ``errors`` to be expected;
    ``size`` are the spans found and expected. One that was drawn in the end has no answers, as
    nothing is learned any more.
    """

    weight: float
    step: int
    group: int = 0
    errors: float = 0.0
    size: float = 0.0
    crowd: Spans = ()
    answers: tuple[Held, ...] = ()
