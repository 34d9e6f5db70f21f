"""How a model is asked, whatever kind of model it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from spancrew.core import Sentence, Span
from spancrew.errors import SpancrewError
from spancrew.members._journal import AnswerJournal

KEY = "SPANCREW_MEMBER_KEY"
"""The environment variable with the key of a model that is reached over HTTP."""

Example = tuple[Sentence, tuple[Span, ...]]
"""A sentence with the right spans."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a model is told: a guide, what labels mean, and sentences with the right spans.

    ``shown`` of the ``examples`` are shown with a sentence, those first that are most like it.
    """

    guide: str = ""
    meanings: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    shown: int = 5

    def __post_init__(self) -> None:
        """Refuse a number below 0."""
        if self.shown < 0:
            raise SpancrewError(f"{self.shown} examples: name 0 or more")


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Where a language model is, what its tokens cost, and how it answers.

    Prices are for a million tokens. ``samples`` answers are drawn for each sentence; a span that
    half of them have is taken, and its share is its confidence. Without a ``temperature`` it is 0
    for one sample and 0.7 for several.
    """

    url: str = ""
    input_price: float | None = None
    output_price: float | None = None
    most_tokens: int = 400
    samples: int = 1
    temperature: float | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        for name in ("most_tokens", "samples"):
            if getattr(self, name) < 1:
                raise SpancrewError(f"{name} {getattr(self, name)}: name 1 or more")
        for name in ("input_price", "output_price", "temperature"):
            if (value := getattr(self, name)) is not None and value < 0:
                raise SpancrewError(f"{name} {value}: name 0 or more")


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """How a model is asked; each kind takes what it needs.

    ``price`` is that of an answer. A request that takes longer than ``timeout`` seconds is given
    up, and sent again for ``patience`` seconds of waiting in all. ``per_minute`` limits requests.
    """

    name: str | None = None
    price: float = 0.0
    at_once: int | None = None
    in_parallel: int | None = None
    timeout: float = 60.0
    patience: float = 120.0
    per_minute: float | None = None
    journal: AnswerJournal = field(default_factory=AnswerJournal)
    briefing: Briefing = field(default_factory=Briefing)
    llm: LlmSettings = field(default_factory=LlmSettings)

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        for name in ("at_once", "in_parallel"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise SpancrewError(f"{name} {value}: name 1 or more")
        if self.price < 0:
            raise SpancrewError(f"price {self.price}: name 0 or more")
        if self.timeout <= 0 or self.patience < 0:
            raise SpancrewError("a time limit is above 0 seconds, patience 0 or more")
        if self.per_minute is not None and self.per_minute <= 0:
            raise SpancrewError(f"{self.per_minute} requests a minute: name more than 0")
