"""Weighted interval scheduling: the best spans of which no two overlap."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.consensus._candidates import Candidates
from spancrew.core import BoolArray, FloatArray, IntArray, Ragged, kernel, kernel_part, offsets_of

_EQUAL = 1e-9
"""Rounding does not make one sum larger than another."""


def best_spans(
    candidates: Candidates,
    chance: FloatArray,
    threshold: float,
    lengths: IntArray,
    dtype: npt.DTypeLike,
) -> tuple[Ragged, BoolArray]:
    """Return the codes of the candidates with the largest sum of ``chance - threshold``.

    No two of them overlap. Of equal sums that one wins whose last span ends first, then that whose
    last span is the longer one, then that with the lower label there; then the spans before it
    decide in the same way. The second array tells where a candidate of another label is as likely
    as one that was chosen and lies on the same tokens.
    """
    offsets = offsets_of(lengths)
    codes = np.zeros(offsets[-1], dtype)
    contested = _choose(candidates, chance, threshold, offsets, codes)
    return Ragged.unchecked(codes, offsets), contested


@kernel
def _choose(
    candidates: Candidates,
    chance: FloatArray,
    threshold: float,
    offsets: IntArray,
    codes: npt.NDArray[Any],
) -> BoolArray:
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    gain = np.zeros(longest + 1)
    pick = np.empty(longest + 1, np.int64)
    contested = np.zeros(len(offsets) - 1, np.bool_)
    for s in range(len(offsets) - 1):
        first, last = candidates.first[s], candidates.first[s + 1]
        if first == last:
            continue
        length = offsets[s + 1] - offsets[s]
        _look_ahead(candidates, first, last, chance, threshold, length, gain, pick)
        _write(candidates, length, pick, codes[offsets[s] : offsets[s + 1]])
        contested[s] = _is_contested(candidates, first, last, chance, pick)
    return contested


@kernel_part
def _look_ahead(  # noqa: PLR0913, PLR0917  a kernel takes arrays one by one
    candidates: Candidates,
    first: int,
    last: int,
    chance: FloatArray,
    threshold: float,
    length: int,
    gain: FloatArray,
    pick: IntArray,
) -> None:
    """Find the largest sum of all spans up to each token, and the span that ends there for it."""
    c = first
    for end in range(1, length + 1):
        gain[end], pick[end] = gain[end - 1], -1
        while c < last and candidates.end[c] == end:
            total = gain[candidates.start[c]] + chance[c] - threshold
            if total > gain[end] + _EQUAL:
                gain[end], pick[end] = total, c
            c += 1


@kernel_part
def _write(candidates: Candidates, length: int, pick: IntArray, codes: npt.NDArray[Any]) -> None:
    """Write the codes of the chosen spans; leave in ``pick`` the span that each token lies in."""
    end = length
    while end > 0:
        c = pick[end]
        start = end - 1 if c < 0 else candidates.start[c]
        for token in range(start, end):
            pick[token + 1] = c
            if c >= 0:
                codes[token] = 2 * candidates.label[c] + (1 if token == start else 2)
        end = start


@kernel_part
def _is_contested(
    candidates: Candidates, first: int, last: int, chance: FloatArray, pick: IntArray
) -> bool:
    for c in range(first, last):
        for token in range(candidates.start[c], candidates.end[c]):
            own = pick[token + 1]
            if (
                own >= 0
                and candidates.label[own] != candidates.label[c]
                and abs(chance[own] - chance[c]) < _EQUAL
            ):
                return True
    return False
