"""Texts that should be the same in two places and are not: name every one, or leave them out."""

from dataclasses import dataclass, field

from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._base import ReadOptions
from spancrew.formats._intake import Intake
from spancrew.formats._json import shown

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class UnequalTexts:
    """Collects what differs while files are read; :meth:`settle` refuses it or notes it."""

    found: list[tuple[Place, str]] = field(default_factory=list)

    def add(self, what: str, place: Place, text: str, other: str) -> None:
        """Note that a text differs from one that was read before."""
        self.found.append((place, f"{what} differs from {difference(text, other)}"))

    def settle(self, options: ReadOptions, intake: Intake, remedy: str = "mend them") -> None:
        """Refuse all of them in one message, or note that they were left out."""
        if not self.found:
            return
        if options.skip_unequal:
            for place, what in self.found:
                intake.repair("unequal", place, f"{what}; it was left out")
            return
        first, what = self.found[0]
        more = [f"{_short(place, first)}: {each}" for place, each in self.found[1:_SHOWN]]
        rest = len(self.found) - _SHOWN
        listed = "; ".join([what, *more, *([f"and {rest} more"] if rest > 0 else [])])
        raise FormatError(first, f"{listed}; {remedy}", Remedy("skip_unequal"))


def _short(place: Place, first: Place) -> str:
    """Return a place without the path where that is clear."""
    return f"line {place.line}" if place.line and place.path == first.path else str(place)


def difference(text: str, other: str) -> str:
    """Say where two texts part.

    >>> difference("Ana sleeps", "Ana slept")
    "character 7: 'eps' instead of 'pt'"
    """
    pairs = enumerate(zip(text, other, strict=False))
    at = next((k for k, (one, two) in pairs if one != two), min(len(text), len(other)))
    return f"character {at}: {shown(text[at : at + 20])} instead of {shown(other[at : at + 20])}"
