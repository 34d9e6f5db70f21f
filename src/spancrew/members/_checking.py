"""Check what a model gives; what does not fit is counted and left out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spancrew.core import Sentence, Span
from spancrew.errors import InvalidSpanError
from spancrew.members._base import GivenSpan, Reply

FAULTS = {
    "shape": "not a start, an end and a label, with or without a confidence",
    "label": "a label that nobody asked for",
    "outside": "empty, or beyond the sentence",
    "overlap": "overlaps a span that is surer, or longer",
    "unsure": "less sure than was asked for",
    "quote": "a quote that is not in the sentence",
    "ambiguous": "a quote that is there several times, without saying which",
    "count": "another number of answers than sentences",
    "unreadable": "an answer that cannot be read",
    "cut off": "an answer that was too long",
    "refused": "the model refused to answer",
}
"""What can be wrong with an answer, by the word that it is counted under."""


class SureSpan(NamedTuple):
    """A span with the probability that it is right; None if the model does not say."""

    span: Span
    confidence: float | None


class Checked(NamedTuple):
    """What is left of a reply, and how much was left out by kind; None if nothing can be used."""

    spans: tuple[SureSpan, ...] | None
    faults: Counter[str]


def checked(
    reply: Reply,
    sentence: Sentence,
    labels: Sequence[str],
    renamed: Mapping[str, str] | None = None,
) -> Checked:
    """Return the spans that fit; of two that overlap, the surer or longer one.

    ``renamed`` gives labels of the model the names that are asked for.
    """
    faults = Counter(reply.faults)
    if reply.spans is None:
        return Checked(None, faults)
    fitting: list[SureSpan] = []
    for given in reply.spans:
        found = _checked(given, len(sentence), labels, renamed or {})
        if isinstance(found, str):
            faults[found] += 1
        else:
            fitting.append(found)
    kept = _without_overlaps(fitting)
    faults["overlap"] += len(fitting) - len(kept)
    return Checked(tuple(kept), +faults)


def surer(found: Checked, least: float) -> Checked:
    """Leave out the spans with less than the least confidence; those without one stay."""
    if found.spans is None:
        return found
    kept = tuple(
        each for each in found.spans if each.confidence is None or each.confidence >= least
    )
    return Checked(kept, +(found.faults + Counter(unsure=len(found.spans) - len(kept))))


def given_spans(found: Any) -> tuple[GivenSpan, ...]:
    """Return spans as they are given: values in a row, fields with names, or spans of ours."""
    return tuple(map(_given_span, found))


def in_tokens(sentence: Sentence, given: GivenSpan) -> GivenSpan:
    """Return a span that counts characters as one that counts tokens; it takes whole tokens."""
    if not _are_whole(given.start, given.end):
        return given
    try:
        found = sentence.locate(given.start, given.end)
    except InvalidSpanError:
        return given._replace(start=0, end=0)
    return given._replace(start=found.start, end=found.end)


def _given_span(found: Any) -> GivenSpan:
    if isinstance(found, Span):
        return GivenSpan(found.start, found.end, found.label)
    if isinstance(found, dict):
        return GivenSpan(*(found.get(name) for name in GivenSpan._fields))
    if isinstance(found, list | tuple) and len(found) in {3, 4}:
        return GivenSpan(*found)
    return GivenSpan(None, None, None)


def _checked(
    given: GivenSpan, length: int, labels: Sequence[str], renamed: Mapping[str, str]
) -> SureSpan | str:
    """Return the span, or the kind of fault that it has."""
    start, end, label, confidence = given
    if not (_are_whole(start, end) and isinstance(label, str) and _is_share(confidence)):
        return "shape"
    name = renamed.get(label, label)
    if name not in labels:
        return "label"
    if not 0 <= start < end <= length:
        return "outside"
    return SureSpan(Span(int(start), int(end), name), _number(confidence))


def _are_whole(*numbers: Any) -> bool:
    # numpy's integers are no int, but have an index as every whole number has.
    return all(hasattr(each, "__index__") and not isinstance(each, bool) for each in numbers)


def _is_share(confidence: Any) -> bool:
    if confidence is None:
        return True
    if isinstance(confidence, bool) or not hasattr(confidence, "__float__"):
        return False
    return 0 <= float(confidence) <= 1


def _number(confidence: Any) -> float | None:
    return None if confidence is None else float(confidence)


def _without_overlaps(spans: list[SureSpan]) -> list[SureSpan]:
    """Return the spans in order, without those that overlap a surer, longer or earlier one."""
    kept: list[SureSpan] = []
    for each in sorted(spans, key=_rank):
        if not any(each.span.overlaps(other.span) for other in kept):
            kept.append(each)
    return sorted(kept, key=lambda each: each.span)


def _rank(each: SureSpan) -> tuple[float, int, Span]:
    sure = 0.0 if each.confidence is None else each.confidence
    return -sure, each.span.start - each.span.end, each.span
