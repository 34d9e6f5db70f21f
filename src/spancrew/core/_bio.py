"""From tags to spans to codes and back: IOB1, IOB2 and BIOES in, BIO codes inside."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core._labels import OUTSIDE, LabelSet
from spancrew.core._span import Span, in_order
from spancrew.core._types import CodeArray
from spancrew.errors import InvalidTagError

Scheme = Literal["iob1", "iob2", "bioes"]

_SYNONYMS = {"L": "E", "U": "S", "M": "I"}
"""BILOU and BMES name the same positions differently."""


class TagRepair(NamedTuple):
    """A tag that could only be read by changing it."""

    position: int
    tag: str
    read_as: str


def parse_tag(tag: str) -> tuple[str, str]:
    """Split a tag into its position (one of O, B, I, E, S) and its label.

    >>> parse_tag("B-PER"), parse_tag("U-LOC"), parse_tag("O")
    (('B', 'PER'), ('S', 'LOC'), ('O', ''))
    """
    if tag == "O":
        return "O", ""
    position, dash, label = tag.partition("-")
    position = _SYNONYMS.get(position, position)
    if not dash or not label or position not in {"B", "I", "E", "S"}:
        raise InvalidTagError(
            f"tag {tag!r} is neither O nor a position with a label such as B-PER"
        )
    return position, label


def detect_scheme(rows: Iterable[Sequence[str]]) -> Scheme:
    """Return the scheme that the tags follow; ``iob2`` where the tags do not tell.

    IOB1 opens a span with I and keeps B for a span that touches one of the same label.
    """
    opened_by_inside = opened_by_begin = 0
    for row in rows:
        before = ("O", "")
        for tag in row:
            position, label = parse_tag(tag)
            if position in {"E", "S"}:
                return "bioes"
            touches = before[1] == label
            opened_by_inside += position == "I" and not touches
            opened_by_begin += position == "B" and not touches
            before = (position, label)
    return "iob1" if opened_by_inside > opened_by_begin else "iob2"


def spans_from_tags(
    tags: Sequence[str], scheme: Scheme = "iob2"
) -> tuple[tuple[Span, ...], tuple[TagRepair, ...]]:
    """Read spans from tags; a tag that breaks the scheme opens a new span and is reported.

    >>> spans_from_tags(["O", "I-PER", "I-PER"])
    ((Span(start=1, end=3, label='PER'),), (TagRepair(position=1, tag='I-PER', read_as='B-PER'),))
    """
    spans: list[Span] = []
    repairs: list[TagRepair] = []
    start, open_label = 0, ""
    for position, tag in enumerate([*tags, "O"]):
        part, label = parse_tag(tag)
        goes_on = part in {"I", "E"} and label == open_label
        if open_label and not goes_on:
            spans.append(Span(start, position, open_label))
            if scheme == "bioes":
                repairs.extend(_unclosed(tags, start, position))
            open_label = ""
        if part != "O" and not goes_on:
            start, open_label = position, label
            if part in {"I", "E"} and scheme != "iob1":
                read_as = "S" if part == "E" else "B"
                repairs.append(TagRepair(position, tag, f"{read_as}-{label}"))
        if part in {"E", "S"}:
            spans.append(Span(start, position + 1, label))
            open_label = ""
    return tuple(spans), tuple(repairs)


def _unclosed(tags: Sequence[str], start: int, end: int) -> list[TagRepair]:
    """Report a span that BIOES should have closed with E or S."""
    _, label = parse_tag(tags[end - 1])
    closing = "S" if end - start == 1 else "E"
    return [TagRepair(end - 1, tags[end - 1], f"{closing}-{label}")]


def encode(spans: Iterable[Span], length: int, labels: LabelSet) -> CodeArray:
    """Return the codes of a sentence of ``length`` tokens.

    >>> encode([Span(1, 3, "PER")], 4, LabelSet(("LOC", "PER"))).tolist()
    [0, 3, 4, 0]
    """
    codes = np.full(length, OUTSIDE, labels.dtype)
    for span in in_order(spans, length):
        begin = 2 * labels.id(span.label) + 1
        codes[span.start] = begin
        codes[span.start + 1 : span.end] = begin + 1
    return codes


def decode(codes: Sequence[int] | npt.NDArray[Any], labels: LabelSet) -> tuple[Span, ...]:
    """Return the spans of a code vector; the inverse of :func:`encode`."""
    spans = []
    values = [int(code) for code in codes]
    for start, code in enumerate(values):
        if code % 2 == 0:
            continue
        end = start + 1
        while end < len(values) and values[end] == code + 1:
            end += 1
        spans.append(Span(start, end, labels.names[(code - 1) // 2]))
    return tuple(spans)


def encode_tags(tags: Sequence[str], labels: LabelSet, scheme: Scheme = "iob2") -> CodeArray:
    """Return the codes of tags; a tag that breaks the scheme opens a new span."""
    spans, _ = spans_from_tags(tags, scheme)
    return encode(spans, len(tags), labels)


def decode_tags(codes: Sequence[int] | npt.NDArray[Any], labels: LabelSet) -> tuple[str, ...]:
    """Return the IOB2 tags of a code vector."""
    return tuple(labels.tag(int(code)) for code in codes)


def is_valid(codes: npt.NDArray[Any], labels: LabelSet) -> bool:
    """Tell whether a code vector is in range and every inside code continues a span."""
    values = codes.astype(np.int64)
    if values.size and (values.min() < 0 or values.max() > 2 * len(labels)):
        return False
    before = np.concatenate(([OUTSIDE], values[:-1]))
    inside = (values > 0) & (values % 2 == 0)
    return bool(np.all(~inside | (before == values) | (before == values - 1)))
