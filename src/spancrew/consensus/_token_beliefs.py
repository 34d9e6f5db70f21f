"""From the probabilities of the codes of every token to labels and what to believe of them.

Tokens count as independent. An I that continues nothing begins a span, so a span begins at a token
with the probability of B, plus that of I where the token before it does not belong to the label.
"""

from typing import Any

import numpy.typing as npt

from spancrew.core import FloatArray, kernel, kernel_part

_EQUAL = 1e-9
"""Rounding does not make one code more likely than another."""


@kernel
def most_likely(chance: FloatArray, out: npt.NDArray[Any]) -> bool:
    """Write the likeliest code of every token; tell whether two labels were equally likely.

    O loses a tie against a label, and between labels the lower code wins.
    """
    contested = False
    before = 0
    for token in range(len(out)):
        best = _best(chance[token])
        contested |= best > 0 and _has_rival(chance[token], best)
        if best > 0 and best % 2 == 0 and before != best and before != best - 1:
            best -= 1
        out[token] = best
        before = best
    return contested


@kernel_part
def _best(chance: FloatArray) -> int:
    best = 1
    for code in range(2, len(chance)):
        if chance[code] > chance[best] + _EQUAL:
            best = code
    return 0 if len(chance) == 1 or chance[0] > chance[best] + _EQUAL else best


@kernel_part
def _has_rival(chance: FloatArray, best: int) -> bool:
    for code in range(1, len(chance)):
        if (code - 1) // 2 != (best - 1) // 2 and chance[code] >= chance[best] - _EQUAL:
            return True
    return False


@kernel
def certainty(chance: FloatArray, codes: npt.NDArray[Any]) -> float:
    """Return the probability that all codes are right."""
    sure = 1.0
    before = 0
    for token in range(len(codes)):
        code = codes[token]
        right = chance[token, code]
        if code % 2 == 1 and before != code and before != code + 1:
            right += chance[token, code + 1]
        sure *= right
        before = code
    return min(sure, 1.0)


@kernel_part
def begin_chance(chance: FloatArray, token: int, begin: int) -> float:
    """Return the probability that a span with the code ``begin`` begins at a token."""
    continues = 0.0
    if token > 0:
        continues = chance[token - 1, begin] + chance[token - 1, begin + 1]
    return float(chance[token, begin] + chance[token, begin + 1] * max(1.0 - continues, 0.0))


@kernel
def expected_spans(chance: FloatArray, length: int) -> float:
    """Return how many spans of any label are expected to begin."""
    total = 0.0
    for token in range(length):
        for begin in range(1, chance.shape[1], 2):
            total += begin_chance(chance, token, begin)
    return total


@kernel
def span_chances(
    chance: FloatArray, codes: npt.NDArray[Any], out: FloatArray
) -> tuple[int, float]:
    """Write the probability of every span of the codes; return how many and their sum."""
    found, total = 0, 0.0
    for start in range(len(codes)):
        begin = codes[start]
        if begin % 2 == 0:
            continue
        whole = begin_chance(chance, start, begin)
        end = start + 1
        while end < len(codes) and codes[end] == begin + 1:
            whole *= chance[end, begin + 1]
            end += 1
        if end < len(codes):
            whole *= 1.0 - chance[end, begin + 1]
        out[start] = min(max(whole, 0.0), 1.0)
        found, total = found + 1, total + out[start]
    return found, total
