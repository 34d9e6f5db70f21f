"""The guide of a campaign and the training of its workers."""

from typing import Annotated

from pydantic import Field, StringConstraints

from spancrew.core import Span
from spancrew.wire._base import ShownSentence, Spans, Wire

MOST_SENTENCES = 50
MOST_INSTRUCTIONS = 20_000
_MOST_TEXT = 10_000
# Lines may break; everything else that cannot be seen has no place in a text for people.
_NO_ODD_CONTROLS = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"

_Prose = Annotated[str, StringConstraints(max_length=MOST_INSTRUCTIONS, pattern=_NO_ODD_CONTROLS)]
_Note = Annotated[str, StringConstraints(max_length=2_000, pattern=_NO_ODD_CONTROLS)]
SentenceText = Annotated[
    str, StringConstraints(min_length=1, max_length=_MOST_TEXT, pattern=_NO_ODD_CONTROLS)
]
_Border = Annotated[int, Field(ge=0, le=_MOST_TEXT)]
_Token = Annotated[tuple[_Border, _Border], Field(strict=False)]  # JSON has lists, no tuples


class SentenceIn(Wire):
    """A sentence by an admin; without ``tokens`` it is cut as suits its script.

    An ``id`` is allowed, so that a guide can be sent back as it came; it is not kept.
    """

    text: SentenceText
    tokens: Annotated[list[_Token], Field(max_length=_MOST_TEXT)] | None = None
    id: Annotated[str, StringConstraints(max_length=200)] | None = None


class SolvedIn(Wire):
    """A sentence with its right spans, and a note on them."""

    sentence: SentenceIn
    spans: Spans
    note: _Note = ""


_SolvedList = Annotated[list[SolvedIn], Field(max_length=MOST_SENTENCES)]


class GuideIn(Wire):
    """A whole guide; it replaces the present one."""

    instructions: _Prose = ""
    examples: _SolvedList = Field(default_factory=list)
    practice: _SolvedList = Field(default_factory=list)


class TextsIn(Wire):
    """Sentences to be cut into tokens."""

    texts: Annotated[list[SentenceText], Field(max_length=MOST_SENTENCES)]


class SolvedView(Wire):
    """A sentence with its right spans, and a note on them."""

    sentence: ShownSentence
    spans: tuple[Span, ...] = ()
    note: str = ""


class GuideView(Wire):
    """A guide; ``training`` sentences are to be practised, ``trained`` says whether they were.

    ``practice`` has their spans, for admins only.
    """

    instructions: str
    examples: tuple[SolvedView, ...]
    training: int
    trained: bool
    practice: tuple[SolvedView, ...] | None


class PracticeView(Wire):
    """A sentence to practise on, without its spans."""

    position: int
    of: int
    sentence: ShownSentence


class PracticeIn(Wire):
    """What a worker marked in a sentence of the training."""

    spans: Spans


class VerdictView(Wire):
    """Which spans were right, missing or extra; ``trained`` once every sentence was answered."""

    right: tuple[Span, ...]
    missing: tuple[Span, ...]
    extra: tuple[Span, ...]
    note: str
    perfect: bool
    trained: bool
