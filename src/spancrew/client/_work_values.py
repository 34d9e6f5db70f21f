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
class Taken:
    """An answer is safe; ``again`` if it had been taken before."""

    again: bool
    paid: float = 0.0
    late: bool = False


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
    """One of the answers on a sentence, as an expert sees it."""

    worker: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ExpertSheet:
    """A sentence for an expert: all answers, and what the crowd makes of them.

    ``number`` is the sentence's in the campaign; ``loss`` are the errors to be expected.
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
