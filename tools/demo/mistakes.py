"""The mistakes people make with a span, each as the spans that they give instead of it."""

from collections.abc import Sequence
from typing import Literal

from draws import Draws
from markup import Passage

from spancrew.core import Span

Mistake = Literal["missed", "shifted", "expanded", "shrunk", "mislabelled", "merged"]
Reading = tuple[Span, ...]

_LEADS = {
    *("the", "a", "an", "dame", "sir", "mr.", "mrs.", "dr.", "captain", "professor", "canon"),
    *("mayor", "inspector", "harbourmaster", "archbishop", "manager", "aunt", "uncle", "coach"),
    *("很", "太", "都", "也", "却", "的", "就", "还"),
}
"""Words that a generous worker takes along."""

_MISTAKEN_FOR = {
    "LOC": "ORG",
    "ORG": "LOC",
    "PER": "ORG",
    "WORK": "PER",
    "POS": "NEG",
    "NEG": "POS",
}
_REACH = 3
"""Spans with this many tokens between them may be taken for one."""


def make(
    mistake: Mistake, passage: Passage, span: Span, labels: Sequence[str], draws: Draws
) -> Reading:
    """Return what somebody gives who makes this mistake with the span."""
    match mistake:
        case "missed":
            return ()
        case "shifted":
            return (_shifted(passage, span, draws),)
        case "expanded":
            return (_expanded(passage, span, draws),)
        case "shrunk":
            return (_shrunk(span, draws),) if len(span) > 1 else ()
        case "mislabelled":
            return (relabelled(span, labels, draws),)
        case "merged":
            return (_merged(passage, span, draws),)


def takes_along(passage: Passage, span: Span) -> Span | None:
    """Return the span with the article or title in front of it, if there is one."""
    if span.start == 0 or passage.tokens[span.start - 1].lower() not in _LEADS:
        return None
    return Span(span.start - 1, span.end, span.label)


def relabelled(span: Span, labels: Sequence[str], draws: Draws) -> Span:
    """Return the span with another label, most often the one it is usually mistaken for."""
    others = [label for label in labels if label != span.label]
    usual = _MISTAKEN_FOR[span.label]
    weights = [4.0 if label == usual else 1.0 for label in others]
    return Span(span.start, span.end, draws.weighted(others, weights))


def _shifted(passage: Passage, span: Span, draws: Draws) -> Span:
    nearest = 2 if len(span) > 2 else 1
    moved = [(span.start + step, span.end + step) for step in range(-nearest, nearest + 1) if step]
    sensible = [(start, end) for start, end in moved if _is_sensible(passage, start, end)]
    if not sensible:
        return _shrunk(span, draws)
    return Span(*draws.pick(sensible), span.label)


def _expanded(passage: Passage, span: Span, draws: Draws) -> Span:
    with_lead = takes_along(passage, span)
    if with_lead is not None and draws.chance(0.7):
        return with_lead
    more = draws.weighted((1, 2, 3, 5), (5, 3, 2, 1))
    wider = [(span.start - more, span.end), (span.start, span.end + more)]
    sensible = [(start, end) for start, end in wider if _is_sensible(passage, start, end)]
    if not sensible:
        return _shrunk(span, draws)
    return Span(*draws.pick(sensible), span.label)


def _is_sensible(passage: Passage, start: int, end: int) -> bool:
    """Tell whether a stretch lies in the sentence and does not begin or end with punctuation."""
    if start < 0 or end > len(passage):
        return False
    return is_word(passage.tokens[start]) and is_word(passage.tokens[end - 1])


def is_word(token: str) -> bool:
    """Tell whether a token is more than punctuation."""
    return any(character.isalnum() for character in token)


def _shrunk(span: Span, draws: Draws) -> Span:
    if len(span) == 1:
        return span
    fewer = draws.between(1, len(span) - 1) if draws.chance(0.4) else 1
    if draws.chance(0.5):
        return Span(span.start + fewer, span.end, span.label)
    return Span(span.start, span.end - fewer, span.label)


def _merged(passage: Passage, span: Span, draws: Draws) -> Span:
    """Join the span with the next one, if that is near."""
    near = [other for other in passage.gold if 0 <= other.start - span.end <= _REACH]
    if not near:
        return _expanded(passage, span, draws)
    label = draws.pick((span.label, near[0].label))
    return Span(span.start, near[0].end, label)
