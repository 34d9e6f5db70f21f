"""Candidate spans: all that the answers on a sentence contain, and what is believed of them."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.consensus._base import Beliefs
from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged, kernel, kernel_part

_START, _END = 16, 40
"""Where start and end stand in the number of a span; its label has the lowest bits."""


class Candidates(NamedTuple):
    """The spans that answers contain, each once, ordered by sentence, end, start and label.

    Those of sentence ``s`` are ``first[s]`` to ``first[s + 1]``; ``votes`` answers have each.
    """

    first: IntArray
    start: IntArray
    end: IntArray
    label: IntArray
    votes: IntArray


def candidates_of(answers: Answers) -> Candidates:
    """Return the candidate spans of every sentence."""
    codes = answers.codes
    return Candidates(*_collect(codes.values, codes.offsets, answers.first))


def vote_shares(candidates: Candidates, answers: Answers) -> FloatArray:
    """Return for every candidate the share of a sentence's answers that have it."""
    shares: FloatArray = candidates.votes / np.repeat(
        answers.per_sentence, np.diff(candidates.first)
    )
    return shares


def beliefs_of(
    candidates: Candidates,
    chance: FloatArray,
    answers: Answers,
    labels: Ragged,
    contested: BoolArray,
) -> Beliefs:
    """Return what to believe of labels if each candidate is true with its own chance.

    A span of the labels that is no candidate is held to be wrong. A sentence that nobody answered
    has confidence 0, so that nobody takes it for done.
    """
    beliefs = believed_of(candidates, chance, labels, contested)
    is_answered = answers.per_sentence > 0
    return beliefs._replace(
        confidence=np.where(is_answered, beliefs.confidence, 0.0),
        errors=np.where(is_answered, beliefs.errors, 0.0),
    )


def believed_of(
    candidates: Candidates, chance: FloatArray, labels: Ragged, contested: BoolArray
) -> Beliefs:
    """Return the same where all sentences count as answered."""
    spans = np.zeros(len(labels.values))
    confidence, errors, expected = _believe(
        candidates, chance, labels.values, labels.offsets, spans
    )
    return Beliefs(labels, contested, spans, confidence, errors, expected)


@kernel_part
def next_span(codes: npt.NDArray[Any], at: int, stop: int) -> tuple[int, int]:
    """Return where the next span begins and ends; ``stop`` twice if there is none."""
    while at < stop and codes[at] % 2 == 0:
        at += 1
    end = at + 1
    while end < stop and codes[end] == codes[at] + 1:
        end += 1
    return at, min(end, stop)


@kernel
def _collect(
    codes: npt.NDArray[Any], offsets: IntArray, first: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    bound = np.int64(0)
    for code in codes:
        bound += np.int64(code % 2)
    first_of = np.zeros(len(first), np.int64)
    rows = np.empty((4, bound), np.int64)
    keys = np.empty(bound, np.int64)
    found = int(np.int64(0))  # a literal 0 would be one more type to compile for
    for s in range(len(first) - 1):
        count = first[s + 1] - first[s]
        if count > 0:
            # Most answers agree; one of them then stands for all.
            alike = _is_unanimous(codes, offsets, first[s], first[s + 1])
            last = first[s] + 1 if alike else first[s + 1]
            size = _keys(codes, offsets, first[s], last, keys)
            found = _count(keys, size, count if alike else 1, rows, found)
        first_of[s + 1] = found
    return first_of, rows[0, :found], rows[1, :found], rows[2, :found], rows[3, :found]


@kernel_part
def _is_unanimous(codes: npt.NDArray[Any], offsets: IntArray, first: int, last: int) -> bool:
    base = offsets[first]
    length = offsets[first + 1] - base
    for a in range(first + 1, last):
        for token in range(length):
            if codes[offsets[a] + token] != codes[base + token]:
                return False
    return True


@kernel_part
def _keys(
    codes: npt.NDArray[Any],
    offsets: IntArray,
    first: int,
    last: int,
    keys: IntArray,
) -> int:
    """Write down the spans of some answers as numbers; return how many there are."""
    size = 0
    for a in range(first, last):
        start, end = next_span(codes, offsets[a], offsets[a + 1])
        while start < end:
            label = np.int64(codes[start]) >> 1
            keys[size] = (end - offsets[a]) << _END | (start - offsets[a]) << _START | label
            size += 1
            start, end = next_span(codes, end, offsets[a + 1])
    return size


@kernel_part
def _count(keys: IntArray, size: int, each: int, rows: IntArray, found: int) -> int:
    """Write down every different span with its votes; return how many there are by now."""
    _sort(keys, size)
    for k in range(size):
        if k > 0 and keys[k] == keys[k - 1]:
            rows[3, found - 1] += each
            continue
        rows[0, found] = keys[k] >> _START & ((1 << (_END - _START)) - 1)
        rows[1, found] = keys[k] >> _END
        rows[2, found] = keys[k] & ((1 << _START) - 1)
        rows[3, found] = each
        found += 1
    return found


@kernel_part
def _sort(keys: IntArray, size: int) -> None:
    """Sort in place (Shell 1959): quick where there are few, good enough where there are many."""
    gap = 1
    while 3 * gap < size:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, size):
            key = keys[k]
            at = k
            while at >= gap and keys[at - gap] > key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key
        gap //= 3


@kernel
def _believe(
    candidates: Candidates,
    chance: FloatArray,
    labels: npt.NDArray[Any],
    offsets: IntArray,
    spans: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    chosen = np.zeros(len(chance), np.bool_)
    confidence = np.zeros(len(offsets) - 1)
    errors = np.zeros(len(offsets) - 1)
    expected = np.zeros(len(offsets) - 1)
    for s in range(len(offsets) - 1):
        alone = match_spans(candidates, s, labels, offsets[s], offsets[s + 1], chosen)
        sure, wrong, true = (1.0 if alone == 0 else 0.0), float(alone), 0.0
        for c in range(candidates.first[s], candidates.first[s + 1]):
            right = chance[c] if chosen[c] else 1.0 - chance[c]
            sure, wrong, true = sure * right, wrong + 1.0 - right, true + chance[c]
            if chosen[c]:
                spans[offsets[s] + candidates.start[c]] = chance[c]
        confidence[s], errors[s], expected[s] = sure, wrong, true
    return confidence, errors, expected


@kernel_part
def match_spans(
    candidates: Candidates,
    s: int,
    labels: npt.NDArray[Any],
    base: int,
    stop: int,
    chosen: BoolArray,
) -> int:
    """Mark the candidates that are spans of the labels; return how many spans are none."""
    alone = 0
    c, last = candidates.first[s], candidates.first[s + 1]
    start, end = next_span(labels, base, stop)
    while start < end:
        c, is_there = seek(candidates, c, last, labels[start], start - base, end - base)
        if is_there:
            chosen[c] = True
        else:
            alone += 1
        start, end = next_span(labels, end, stop)
    return alone


@kernel_part
def seek(
    candidates: Candidates, c: int, last: int, begin: int, start: int, end: int
) -> tuple[int, bool]:
    """Look for a span that begins with the code ``begin``, among candidates from ``c`` on.

    Return how far to look on for a span to the right of it, and whether this is the span: both
    are ordered by their ends, so nothing is looked at twice.
    """
    label = (np.int64(begin) - 1) // 2
    while c < last and candidates.end[c] < end:
        c += 1
    for k in range(c, last):
        if candidates.end[k] > end or candidates.start[k] > start:
            break
        if candidates.start[k] == start and candidates.label[k] == label:
            return k, True
    return c, False
