"""The unit that is labelled: a text and the borders of its tokens."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spancrew.core import _tokenise
from spancrew.core._span import Span
from spancrew.errors import InvalidSentenceError, InvalidSpanError


class Located(NamedTuple):
    """Token offsets for a stretch of text; ``exact`` is false if a border fell inside a token."""

    start: int
    end: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text with the borders of its tokens, in code points; ``meta`` carries provenance.

    >>> sentence = Sentence.from_tokens("s1", ["Ana", "left", "Rome"])
    >>> sentence.text, sentence.bounds[2], sentence.quote(Span(2, 3, "LOC"))
    ('Ana left Rome', (9, 13), 'Rome')
    """

    id: str
    text: str
    bounds: tuple[tuple[int, int], ...]
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Refuse a sentence without an id or tokens, or with borders that do not fit the text."""
        if not self.id:
            raise InvalidSentenceError("a sentence needs an id")
        if not self.bounds:
            raise InvalidSentenceError(f"sentence {self.id!r} has no tokens")
        before, size = 0, len(self.text)
        for start, end in self.bounds:
            if not before <= start < end <= size:
                raise InvalidSentenceError(
                    f"sentence {self.id!r}: token {start}-{end} is empty, out of order or outside "
                    f"the text of {size} characters"
                )
            before = end

    @classmethod
    def from_tokens(
        cls, id_: str, tokens: Sequence[str], meta: Mapping[str, Any] | None = None
    ) -> "Sentence":
        """Join tokens with single spaces."""
        for position, token in enumerate(tokens):
            if not token or token.isspace():
                raise InvalidSentenceError(f"sentence {id_!r}: token {position} is blank")
        return cls(id_, " ".join(tokens), spaced(tokens), meta or {})

    @classmethod
    def from_text(
        cls,
        id_: str,
        text: str,
        unit: _tokenise.Unit | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> "Sentence":
        """Cut a text into words or characters; without ``unit``, into what suits its script."""
        return cls(id_, text, _tokenise.cut(text, unit), meta or {})

    @property
    def tokens(self) -> tuple[str, ...]:
        """Return the tokens as strings."""
        return tuple(self.text[start:end] for start, end in self.bounds)

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.bounds)

    def characters(self, span: Span) -> tuple[int, int]:
        """Return the borders of a span in code points."""
        return self.bounds[span.start][0], self.bounds[span.end - 1][1]

    def quote(self, span: Span) -> str:
        """Return the text under a span."""
        start, end = self.characters(span)
        return self.text[start:end]

    def locate(self, start: int, end: int) -> Located:
        """Return the tokens that a stretch of text touches, given in code points.

        >>> Sentence.from_tokens("s", ["New", "York"]).locate(1, 6)
        Located(start=0, end=2, exact=False)
        """
        if not 0 <= start < end <= len(self.text):
            raise InvalidSpanError(
                f"characters {start}-{end} are empty or outside the text of "
                f"{len(self.text)} characters (sentence {self.id!r})"
            )
        first = bisect_right(self.bounds, start, key=lambda bound: bound[1])
        last = bisect_left(self.bounds, end, key=lambda bound: bound[0])
        if first >= last:
            raise InvalidSpanError(
                f"characters {start}-{end} hold no token (sentence {self.id!r})"
            )
        exact = (
            self.text[start : self.bounds[first][0]].isspace() or self.bounds[first][0] == start
        )
        tail = self.text[self.bounds[last - 1][1] : end]
        exact = exact and (not tail or tail.isspace()) and self.bounds[last - 1][1] <= end
        return Located(first, last, exact)


def spaced(tokens: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Return the borders of tokens joined by single spaces."""
    bounds = []
    start = 0
    for token in tokens:
        bounds.append((start, start + len(token)))
        start += len(token) + 1
    return tuple(bounds)
