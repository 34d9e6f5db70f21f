"""Forward and backward over the tokens of a sentence: the posterior of a chain of codes."""

from typing import NamedTuple

import numpy as np

from spancrew.core._kernel import kernel_part
from spancrew.core._types import FloatArray


class Chain(NamedTuple):
    """The posterior of one sentence, token by code.

    ``evidence`` is what is known of a token alone, ``ahead`` the filtered
    probabilities, ``back`` what the rest of the sentence adds; ``scale`` divides each token.
    ``onward`` is room for one token.
    """

    evidence: FloatArray
    ahead: FloatArray
    back: FloatArray
    scale: FloatArray
    onward: FloatArray


def chain_for(tokens: int, codes: int) -> Chain:
    """Return room for so many tokens."""
    evidence, ahead, back = (np.empty((tokens, codes)) for _ in range(3))
    return Chain(evidence, ahead, back, np.empty(tokens), np.empty(codes))


@kernel_part
def chain_part(chain: Chain, begin: int, end: int) -> Chain:
    """Return some tokens of a chain, without a copy."""
    return Chain(
        chain.evidence[begin:end],
        chain.ahead[begin:end],
        chain.back[begin:end],
        chain.scale[begin:end],
        chain.onward,
    )


@kernel_part
def run_both_ways(size: int, moves: FloatArray, chain: Chain) -> None:
    """Work out the posterior from the evidence of every token.

    ``moves`` are the weights of moves from code to code, a row for each code before; the first
    row is for the first token.
    """
    run_ahead(size, moves, chain)
    _backward(size, moves, chain)


@kernel_part
def run_ahead(size: int, moves: FloatArray, chain: Chain) -> None:
    """Work out the filtered probabilities of every token, from the first on."""
    ahead, codes = chain.ahead, moves.shape[1]
    for token in range(size):
        total = 0.0
        for code in range(codes):
            value = moves[0, code]
            if token > 0:
                value = 0.0
                for before in range(codes):
                    value += ahead[token - 1, before] * moves[before + 1, code]
            ahead[token, code] = value * chain.evidence[token, code]
            total += ahead[token, code]
        chain.scale[token] = total
        per_total = 1.0 / total
        for code in range(codes):
            ahead[token, code] *= per_total


@kernel_part
def _backward(size: int, moves: FloatArray, chain: Chain) -> None:
    back, codes = chain.back, moves.shape[1]
    for code in range(codes):
        back[size - 1, code] = 1.0
    for token in range(size - 2, -1, -1):
        go_on(chain, token + 1)
        for before in range(codes):
            value = 0.0
            for code in range(codes):
                value += moves[before + 1, code] * chain.onward[code]
            back[token, before] = value


@kernel_part
def go_on(chain: Chain, token: int) -> None:
    """Write down what a token and all after it say of its code: divisions are slow."""
    per_scale = 1.0 / chain.scale[token]
    for code in range(len(chain.onward)):
        on = chain.evidence[token, code] * chain.back[token, code]
        chain.onward[code] = on * per_scale


@kernel_part
def chain_step(chain: Chain, moves: FloatArray, before: int, token: int, code: int) -> float:
    """Return the factor by which a path's probability changes when it goes on to a token."""
    return float(moves[before, code] * chain.evidence[token, code] / chain.scale[token])


@kernel_part
def span_ends(
    chain: Chain, moves: FloatArray, path: float, token: int, code: int, size: int
) -> float:
    """Return the probability that a path has come to a token and its span ends there."""
    # Rounding must not make anything more than certain.
    through = min(float(path * chain.back[token, code]), 1.0)
    if token + 1 == size:
        return through
    inside = code + code % 2
    on = chain_step(chain, moves, code + 1, token + 1, inside) * float(
        chain.back[token + 1, inside]
    )
    return max(through - path * on, 0.0)


@kernel_part
def span_chance(
    chain: Chain, moves: FloatArray, start: int, end: int, label: int, size: int
) -> float:
    """Return the probability that exactly this span is true."""
    code = 2 * label + 1
    path = float(chain.ahead[start, code])
    for token in range(start + 1, end):
        path *= chain_step(chain, moves, code + 1, token, 2 * label + 2)
        code = 2 * label + 2
    return span_ends(chain, moves, path, end - 1, code, size)
