"""Token majority vote."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import Answers, IntArray, Ragged, kernel, offsets_of


def majority_vote(answers: Answers, lengths: IntArray) -> Ragged:
    """Return the majority's codes for every sentence; all O where nobody answered.

    ``lengths`` are the tokens of each sentence. The vote is per token: O loses a tie against a
    label, between labels the lower code wins, and an I that continues nothing becomes a B. The
    order of the answers never matters.
    """
    offsets = offsets_of(lengths)
    codes = answers.codes
    highest = int(codes.values.max()) if codes.values.size else 0
    out = np.zeros(offsets[-1], codes.values.dtype)
    _vote(codes.values, codes.offsets, answers.first, offsets, highest + 1, out)
    return Ragged(out, offsets)


@kernel
def _vote(
    codes: npt.NDArray[Any],
    offsets: IntArray,
    first: IntArray,
    out_offsets: IntArray,
    classes: int,
    out: npt.NDArray[Any],
) -> None:
    votes = np.zeros(classes, np.int64)
    for s in range(len(first) - 1):
        before = 0
        for token in range(out_offsets[s + 1] - out_offsets[s]):
            votes[:] = 0
            for a in range(first[s], first[s + 1]):
                votes[codes[offsets[a] + token]] += 1
            best = _winner(votes)
            if best > 0 and best % 2 == 0 and before != best and before != best - 1:
                best -= 1
            out[out_offsets[s] + token] = best
            before = best


@kernel
def _winner(votes: IntArray) -> int:
    best = 0
    for code in range(1, len(votes)):
        ahead = votes[code] > votes[best]
        ties_with_outside = best == 0 and votes[code] == votes[best] and votes[code] > 0
        if ahead or ties_with_outside:
            best = code
    return best
