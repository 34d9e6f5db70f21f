"""What a server tells workers and experts."""

from dataclasses import dataclass

from spancrew.core import Sentence, Span


@dataclass(frozen=True, slots=True)
class WorkSheet:
    """A sentence for a worker, to be labelled ``until`` then (seconds since 1970)."""

    assignment: int
    until: float
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Lesson:
    """What an expert's word taught about a worker: their mean reward before and after it.

    ``reward`` is None where nothing is learned, a mean where there is no reward yet. In rounds
    means move when the step ends; until then the reward is not ``counted``.
    """

    worker: str
    initials: str
    reward: float | None
    before: float | None
    after: float | None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Taken:
    """An answer is safe; ``again`` if it had been taken before.

    ``taught`` is what an expert's word taught about those who answered on the sentence.
    """

    again: bool
    paid: float = 0.0
    late: bool = False
    taught: tuple[Lesson, ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What a worker of a crowd platform shows there when all is done."""

    code: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """What a worker may know: their own work, and what they label with."""

    worker: str
    answers: int
    earned: float
    cap: int | None
    over: bool
    labels: tuple[str, ...]
    kind: str = "spans"
    completion: Completion | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """One of the answers on a sentence, as an expert sees it; ``initials`` are the worker's."""

    worker: str
    spans: tuple[Span, ...]
    initials: str = ""


@dataclass(frozen=True, slots=True)
class ExpertSheet:
    """A sentence for an expert: all answers, and what the crowd makes of them.

    ``number`` is the sentence's in the campaign; ``loss`` are the errors to be expected,
    ``agreement`` is Fleiss' kappa of the answers; ``rule`` is the feedback rule.
    """

    number: int
    until: float
    sentence: Sentence
    loss: float
    purpose: str
    answers: tuple[Opinion, ...]
    crowd: tuple[Span, ...]
    labels: tuple[str, ...]
    kind: str = "spans"
    agreement: float | None = None
    rule: str = ""
