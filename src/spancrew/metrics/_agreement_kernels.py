"""Kernels for agreement: what the answers on each sentence have in common, token by token."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, PlacedAnswers, kernel, kernel_part

FLEISS, DAVIES_FLEISS, ALPHA = 0, 1, 2


@kernel_part
def count_sentence(
    codes: npt.NDArray[Any], starts: IntArray, length: int, apart: int, counts: IntArray
) -> int:
    """Fill ``counts`` with how often each code was given; return the pairs that agree, by token.

    With ``apart`` 1 there is a row for every answer, with 0 one row for all of them.
    """
    answers = len(starts)
    counts[:] = 0
    agreeing = outside = 0
    for token in range(length):
        # Nearly all tokens are outside any span in every answer; these are counted at once.
        seen = codes[starts[0] + token]
        for a in range(1, answers):
            seen |= codes[starts[a] + token]
        if seen == 0:
            outside += 1
            continue
        for a in range(answers):
            code = codes[starts[a] + token]
            counts[a * apart, code] += 1
            for b in range(a):
                agreeing += codes[starts[b] + token] == code
    for a in range(answers):
        counts[a * apart, 0] += outside
    return agreeing + outside * (answers * (answers - 1) // 2)


@kernel_part
def by_chance(method: int, counts: IntArray, answers: int, length: int) -> float:
    """Return the share of agreeing pairs that chance alone would give."""
    total = float(answers * length)
    expected = own = 0.0
    for code in range(counts.shape[1]):
        count = 0.0
        for row in range(len(counts)):
            count += counts[row, code]
            if method == DAVIES_FLEISS:
                own += (counts[row, code] / length) ** 2
        if method == ALPHA:
            expected += count * (count - 1) / (total * (total - 1))
        elif count > 0:
            expected += (count / total) ** 2
    if method == DAVIES_FLEISS:
        return (expected * answers**2 - own) / (answers * (answers - 1))
    return expected


@kernel
def agreement_rows(method: int, answers: PlacedAnswers, out: FloatArray) -> None:
    """Write the agreement on every sentence."""
    first = answers.first
    most = 1
    for s in range(len(first) - 1):
        most = max(most, first[s + 1] - first[s])
    counts = np.empty((most, answers.classes), np.int64)
    for s in range(len(first) - 1):
        starts = answers.starts[first[s] : first[s + 1]]
        out[s] = agreement_on(method, answers.codes, starts, answers.lengths[s], counts)


@kernel_part
def agreement_on(
    method: int, codes: npt.NDArray[Any], starts: IntArray, length: int, counts: IntArray
) -> float:
    """Return the agreement of the answers that begin at ``starts``; NaN where there is but one.

    ``counts`` is room for a row of codes for every answer.
    """
    given, apart = len(starts), int(method == DAVIES_FLEISS)
    if given < 2:
        return math.nan
    rows = counts[: given if apart else 1]
    agreeing = count_sentence(codes, starts, length, apart, rows)
    pairs = length * (given * (given - 1) // 2)
    if agreeing == pairs:
        return 1.0
    observed, expected = agreeing / pairs, by_chance(method, rows, given, length)
    return (observed - expected) / (1 - expected)


@kernel
def worker_tag_counts(
    codes: npt.NDArray[Any],
    offsets: IntArray,
    first: IntArray,
    worker: npt.NDArray[np.int32],
    out: FloatArray,
) -> None:
    """Count tags per worker over the sentences with at least two answers."""
    for s in range(len(first) - 1):
        if first[s + 1] - first[s] < 2:
            continue
        for a in range(first[s], first[s + 1]):
            for at in range(offsets[a], offsets[a + 1]):
                out[worker[a], codes[at]] += 1


@kernel
def pooled_parts(
    codes: npt.NDArray[Any], offsets: IntArray, first: IntArray, classes: int
) -> tuple[float, float, float, FloatArray, FloatArray]:
    """Return what pooled agreement is made of, over the sentences with at least two answers.

    Observed agreement summed over tokens, the same weighted by answers, the number of tokens,
    the mean share of each code, and the number of times each code was given.
    """
    here = np.empty((1, classes), np.int64)
    shares, counts = np.zeros(classes), np.zeros(classes)
    observed = weighted = tokens = 0.0
    for s in range(len(first) - 1):
        answers = first[s + 1] - first[s]
        if answers < 2:
            continue
        length = offsets[first[s] + 1] - offsets[first[s]]
        agreeing = count_sentence(codes, offsets[first[s] : first[s + 1]], length, 0, here)
        share = agreeing / (length * (answers * (answers - 1) // 2))
        observed += share * length
        weighted += share * length * answers
        tokens += length
        for code in range(classes):
            counts[code] += here[0, code]
            shares[code] += here[0, code] / answers
    return observed, weighted, tokens, shares, counts


@kernel
def pair_chance(
    offsets: IntArray,
    first: IntArray,
    worker: npt.NDArray[np.int32],
    shares: FloatArray,
) -> tuple[float, float]:
    """Return the chance agreement and the number of tokens, summed over pairs of answers.

    ``shares`` has each worker's share of each code.
    """
    chance = pairs = 0.0
    for s in range(len(first) - 1):
        for a in range(first[s], first[s + 1]):
            length = offsets[a + 1] - offsets[a]
            for b in range(first[s], a):
                chance += length * (shares[worker[a]] * shares[worker[b]]).sum()
                pairs += length
    return chance, pairs


@kernel
def agreeing_pairs(codes: npt.NDArray[Any], offsets: IntArray, first: IntArray) -> float:
    """Count the tokens on which two answers agree, summed over pairs of answers."""
    agreeing = 0.0
    for s in range(len(first) - 1):
        for a in range(first[s], first[s + 1]):
            for b in range(first[s], a):
                for token in range(offsets[a + 1] - offsets[a]):
                    agreeing += codes[offsets[a] + token] == codes[offsets[b] + token]
    return agreeing
