"""Kernels for agreement: what the answers on each sentence have in common, token by token."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, PlacedAnswers, kernel, kernel_part

FLEISS, DAVIES_FLEISS, ALPHA = 0, 1, 2


@kernel_part
def count_sentence(
    codes: npt.NDArray[Any], starts: IntArray, length: int, by_answer: FloatArray
) -> float:
    """Fill ``by_answer`` (answer x code) with token counts; return the share of agreeing pairs."""
    answers = len(starts)
    by_answer[:answers] = 0.0
    pairs = answers * (answers - 1) // 2
    agreeing = outside = 0
    for token in range(length):
        # Nearly all tokens are outside any span in every answer; these are counted at once.
        seen = 0
        for a in range(answers):
            seen |= codes[starts[a] + token]
        if seen == 0:
            outside += 1
            continue
        for a in range(answers):
            code = codes[starts[a] + token]
            by_answer[a, code] += 1
            for b in range(a):
                agreeing += codes[starts[b] + token] == code
    for a in range(answers):
        by_answer[a, 0] += outside
    return float((agreeing + outside * pairs) / (length * pairs))


@kernel_part
def are_unanimous(codes: npt.NDArray[Any], starts: IntArray, length: int) -> bool:
    """Tell whether all answers on a sentence are the same."""
    for a in range(1, len(starts)):
        for token in range(length):
            if codes[starts[a] + token] != codes[starts[0] + token]:
                return False
    return True


@kernel_part
def by_chance(method: int, by_answer: FloatArray, answers: int, length: int) -> float:
    """Return the share of agreeing pairs that chance alone would give."""
    total = float(answers * length)
    expected = own = 0.0
    for code in range(by_answer.shape[1]):
        count = 0.0
        for a in range(answers):
            count += by_answer[a, code]
            if method == DAVIES_FLEISS:
                own += (by_answer[a, code] / length) ** 2
        if method == ALPHA:
            expected += count * (count - 1) / (total * (total - 1))
        elif count > 0:
            expected += (count / total) ** 2
    if method == DAVIES_FLEISS:
        return (expected * answers**2 - own) / (answers * (answers - 1))
    return expected


@kernel
def agreement_rows(method: int, answers: PlacedAnswers, out: FloatArray) -> None:
    """Write the agreement on every sentence with at least two answers."""
    first = answers.first
    most = 0
    for s in range(len(first) - 1):
        most = max(most, first[s + 1] - first[s])
    by_answer = np.empty((most, answers.classes))
    for s in range(len(first) - 1):
        starts, length = answers.starts[first[s] : first[s + 1]], answers.lengths[s]
        if len(starts) < 2:
            continue
        if are_unanimous(answers.codes, starts, length):
            out[s] = 1.0
            continue
        observed = count_sentence(answers.codes, starts, length, by_answer)
        expected = by_chance(method, by_answer, len(starts), length)
        out[s] = (observed - expected) / (1 - expected)


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
    most = 0
    for s in range(len(first) - 1):
        most = max(most, first[s + 1] - first[s])
    by_answer = np.empty((most, classes))
    shares, counts = np.zeros(classes), np.zeros(classes)
    observed = weighted = tokens = 0.0
    for s in range(len(first) - 1):
        answers = first[s + 1] - first[s]
        if answers < 2:
            continue
        length = offsets[first[s] + 1] - offsets[first[s]]
        here = count_sentence(codes, offsets[first[s] : first[s + 1]], length, by_answer)
        observed += here * length
        weighted += here * length * answers
        tokens += length
        for code in range(classes):
            given = by_answer[:answers, code].sum()
            counts[code] += given
            shares[code] += given / answers
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
