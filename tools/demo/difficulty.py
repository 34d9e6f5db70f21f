"""How hard a sentence is, and which wrong readings of it are popular.

Both are drawn once per sentence and shared by all workers: this is why a real crowd is often
wrong together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import mistakes
from draws import Draws
from markup import Passage
from mistakes import Mistake, Reading

from spancrew.core import Span

_SENTENCE_SPREAD = 1.3
_SPAN_SPREAD = 0.5
_HARD = -1.0
_TRAP = 0.18
"""Share of hard spans that mislead nearly everybody."""


@dataclass(frozen=True, slots=True)
class SpanDifficulty:
    """The easiness of one span, its popular wrong readings and how popular they are."""

    easiness: float
    popular: tuple[Reading, ...]
    pull: float


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The easiness of a sentence and of its spans; ``spurious`` are spans that only seem to be."""

    easiness: float
    spans: tuple[SpanDifficulty, ...]
    spurious: tuple[Span, ...]


def difficulty(passage: Passage, labels: Sequence[str], draws: Draws) -> Difficulty:
    """Draw the difficulty of a sentence."""
    easiness = draws.normal(_SENTENCE_SPREAD) - 0.02 * (len(passage) - 18)
    spans = tuple(_span(passage, span, labels, draws) for span in passage.gold)
    spurious = [b for b in passage.baits if not any(b.overlaps(g) for g in passage.gold)]
    return Difficulty(easiness, spans, tuple(spurious))


def _span(passage: Passage, span: Span, labels: Sequence[str], draws: Draws) -> SpanDifficulty:
    tempting = _tempting(passage, span, labels, draws)
    is_hard = passage.hard and bool(tempting)
    easiness = draws.normal(_SPAN_SPREAD) - 0.12 * (len(span) - 2)
    if is_hard:
        easiness += _HARD - (1.9 if draws.chance(_TRAP) else 0.0)
    if not tempting:
        own: tuple[Mistake, ...] = ("expanded", "shrunk", "mislabelled", "missed")
        tempting = [mistakes.make(draws.pick(own), passage, span, labels, draws)]
    popular = draws.shuffled(tempting)[: draws.between(1, 2)]
    return SpanDifficulty(easiness, tuple(popular), 0.75 if is_hard else 0.3)


def _tempting(passage: Passage, span: Span, labels: Sequence[str], draws: Draws) -> list[Reading]:
    """Return the readings that the text itself suggests instead of the span."""
    baits = [bait for bait in passage.baits if bait.overlaps(span)]
    readings: list[Reading] = [(bait,) for bait in baits]
    inner = tuple(bait for bait in baits if span.start <= bait.start and bait.end <= span.end)
    if len(inner) > 1 and not any(a.overlaps(b) for a, b in pairwise(inner)):
        readings.append(inner)
    if any(other.start == span.end for other in passage.gold):
        readings.append(mistakes.make("merged", passage, span, labels, draws))
    if passage.tokens[span.start].islower() and span.label == "ORG":
        readings.append(())
    return readings
