"""What a member of the crew is that is a model: somebody who answers sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from spancrew.core import Sentence

if TYPE_CHECKING:
    from spancrew.members._journal import AnswerJournal


class GivenSpan(NamedTuple):
    """A span as a model gives it, in tokens; nobody has checked it.

    ``confidence`` is the probability that the span is right, None if the model does not say.
    """

    start: Any
    end: Any
    label: Any
    confidence: Any = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model says about one sentence.

    ``spans`` is None if there is nothing that could be used, which is not the same as no span.
    ``faults`` counts by kind what was left out before there were spans. Without ``seconds``, the
    time is measured.
    """

    spans: tuple[GivenSpan, ...] | None
    faults: Mapping[str, int] = field(default_factory=dict)
    seconds: float | None = None


class Member(Protocol):
    """A model that answers sentences.

    Let your class inherit it: all but ``name`` and ``answer`` have defaults.
    """

    name: str
    """The worker is called ``model:NAME``; a live campaign sets its own name for it."""

    version: str = ""
    """Changes whenever the same sentence may get another answer."""

    price: float = 0.0
    """What an answer costs."""

    journal: "AnswerJournal | None" = None
    """Where it notes by itself what requests cost; None if that is left to who asks."""

    at_once: int = 32
    """How many sentences it is asked about in one call."""

    in_parallel: int = 1
    """How many calls may run at the same time, each in a thread of its own."""

    def answer(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> Sequence[Reply]:
        """Return a reply for each sentence, in their order."""
        ...
