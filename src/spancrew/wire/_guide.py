"""The guide of a campaign and the training of its workers on the wire."""

from typing import Annotated

from pydantic import Field, StringConstraints

from spancrew.wire._base import SentenceWire, Spans, SpanWire, Wire

MOST_SENTENCES = 50
MOST_INSTRUCTIONS = 20_000
_MOST_TEXT = 10_000
# Lines may break; everything else that cannot be seen has no place in a text for people.
_NO_ODD_CONTROLS = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"

Prose = Annotated[str, StringConstraints(max_length=MOST_INSTRUCTIONS, pattern=_NO_ODD_CONTROLS)]
Note = Annotated[str, StringConstraints(max_length=2_000, pattern=_NO_ODD_CONTROLS)]
SentenceText = Annotated[
    str, StringConstraints(min_length=1, max_length=_MOST_TEXT, pattern=_NO_ODD_CONTROLS)
]
Border = Annotated[int, Field(ge=0, le=_MOST_TEXT)]
Token = Annotated[tuple[Border, Border], Field(strict=False)]  # JSON has lists, no tuples


class SentenceIn(Wire):
    """A sentence of an admin; without ``tokens`` it is cut into what suits its script.

    An ``id`` may be there, so that what was got can be put; it is not kept.
    """

    text: SentenceText
    tokens: Annotated[list[Token], Field(max_length=_MOST_TEXT)] | None = None
    id: Annotated[str, StringConstraints(max_length=200)] | None = None


class SolvedIn(Wire):
    """A sentence with its right spans, and what there is to say about them."""

    sentence: SentenceIn
    spans: Spans
    note: Note = ""


SolvedList = Annotated[list[SolvedIn], Field(max_length=MOST_SENTENCES)]


class GuideIn(Wire):
    """A whole guide; it takes the place of the one that is there."""

    instructions: Prose = ""
    examples: SolvedList = Field(default_factory=list)
    practice: SolvedList = Field(default_factory=list)


class TextsIn(Wire):
    """Sentences to be cut into tokens."""

    texts: Annotated[list[SentenceText], Field(max_length=MOST_SENTENCES)]


class SolvedView(Wire):
    """A sentence with its right spans."""

    sentence: SentenceWire
    spans: list[SpanWire]
    note: str


class GuideView(Wire):
    """A guide; ``training`` sentences are to be practised, and ``trained`` says if they were.

    ``practice`` has their spans, for admins only.
    """

    instructions: str
    examples: list[SolvedView]
    training: int
    trained: bool
    practice: list[SolvedView] | None


class PracticeView(Wire):
    """A sentence to practise on, without its spans."""

    position: int
    of: int
    sentence: SentenceWire


class PracticeIn(Wire):
    """What a worker marked in a sentence of the training."""

    spans: Spans


class VerdictView(Wire):
    """What was right, missing and too much; ``trained`` once every sentence was answered."""

    right: list[SpanWire]
    missing: list[SpanWire]
    extra: list[SpanWire]
    note: str
    perfect: bool
    trained: bool
