"""What a sequence model thinks of candidate spans, its own among them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.consensus._candidates import Candidates, match_spans, next_span
from spancrew.core import (
    BoolArray,
    Chain,
    FloatArray,
    IntArray,
    Ragged,
    chain_part,
    kernel,
    kernel_part,
    span_chance,
)


def with_spans_of(candidates: Candidates, labels: Ragged) -> Candidates:
    """Return the candidates and the spans of some labels; the latter alone have no votes."""
    return Candidates(*_merge(candidates, labels.values, labels.offsets))


def are_in(candidates: Candidates, labels: Ragged) -> tuple[BoolArray, IntArray]:
    """Tell which candidates are spans of labels, and how many spans of each row are none."""
    return _match(candidates, labels.values, labels.offsets)


@kernel
def chances(
    candidates: Candidates, begins: IntArray, moves: FloatArray, all_tokens: Chain
) -> FloatArray:
    """Return the probability of every candidate under the posteriors of all sentences."""
    chance = np.zeros(len(candidates.start))
    for s in range(len(begins) - 1):
        chain, size = chain_part(all_tokens, begins[s], begins[s + 1]), begins[s + 1] - begins[s]
        for c in range(candidates.first[s], candidates.first[s + 1]):
            start, end, label = candidates.start[c], candidates.end[c], candidates.label[c]
            chance[c] = span_chance(chain, moves, start, end, label, size)
    return chance


@kernel
def _merge(
    candidates: Candidates, codes: npt.NDArray[Any], offsets: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    bound = np.int64(len(candidates.start))
    for code in codes:
        bound += np.int64(code % 2)
    first = np.zeros(len(offsets), np.int64)
    rows = np.empty((4, bound), np.int64)
    size = 0
    for s in range(len(offsets) - 1):
        c, base = candidates.first[s], offsets[s]
        start, end = next_span(codes, base, offsets[s + 1])
        while c < candidates.first[s + 1] or start < end:
            label = -1 if start == end else (int(codes[start]) - 1) // 2
            order = _compare(candidates, c, s, start - base, end - base, label)
            if order <= 0:
                rows[0, size], rows[1, size] = candidates.start[c], candidates.end[c]
                rows[2, size], rows[3, size] = candidates.label[c], candidates.votes[c]
                c += 1
            else:
                rows[0, size], rows[1, size] = start - base, end - base
                rows[2, size], rows[3, size] = label, 0
            if order >= 0:
                start, end = next_span(codes, end, offsets[s + 1])
            size += 1
        first[s + 1] = size
    return first, rows[0, :size], rows[1, :size], rows[2, :size], rows[3, :size]


@kernel_part
def _compare(candidates: Candidates, c: int, s: int, start: int, end: int, label: int) -> int:
    """Return -1 if a candidate stands before a span, 1 if after it, 0 if they are the same.

    No label means no span, and after the last candidate there is none either.
    """
    if label < 0:
        return -1
    if c == candidates.first[s + 1]:
        return 1
    for one, other in (
        (candidates.end[c], end),
        (candidates.start[c], start),
        (candidates.label[c], label),
    ):
        if one != other:
            return -1 if one < other else 1
    return 0


@kernel
def _match(
    candidates: Candidates, codes: npt.NDArray[Any], offsets: IntArray
) -> tuple[BoolArray, IntArray]:
    is_in = np.zeros(len(candidates.start), np.bool_)
    missing = np.zeros(len(offsets) - 1, np.int64)
    for s in range(len(offsets) - 1):
        missing[s] = match_spans(candidates, s, codes, offsets[s], offsets[s + 1], is_in)
    return is_in, missing
