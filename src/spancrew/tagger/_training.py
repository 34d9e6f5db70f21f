"""A conditional random field for codes, trained sentence by sentence."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import (
    Chain,
    CodeArray,
    FloatArray,
    IntArray,
    chain_step,
    kernel,
    kernel_part,
    run_both_ways,
    span_chance,
)
from spancrew.tagger._features import FEATURES, NONE, find_features, sum_weights

_RATE = 0.05
"""By how much a weight changes at first; later by less, the more it has changed (AdaGrad)."""
_SLIGHT = 1e-3
"""Errors of a probability that teach nothing."""


class Field(NamedTuple):
    """Weights of features and codes, and of moves from code to code.

    The first row of ``moves`` is for the first token, row ``c + 1`` for tokens after code ``c``.
    Moves that no spans can make have minus infinity.
    """

    features: npt.NDArray[np.float32]
    moves: FloatArray


def blank_field(size: int, codes: int) -> Field:
    """Return a field that has seen nothing; I follows only B and I of its own label."""
    before, after = np.arange(codes + 1)[:, None] - 1, np.arange(codes)[None, :]
    is_inside = (after > 0) & (after % 2 == 0)
    can = ~is_inside | ((before >= 1) & ((before == after) | (before == after - 1)))
    return Field(np.zeros((size, codes), np.float32), np.where(can, 0.0, -np.inf))


@kernel
def train(  # noqa: PLR0913, PLR0917  a kernel takes arrays one by one
    field: Field,
    facets: IntArray,
    words: IntArray,
    begins: IntArray,
    codes: CodeArray,
    weight: FloatArray,
    order: IntArray,
    chain: Chain,
) -> None:
    """Learn the codes of sentences, in an order that may name each several times.

    Sentence ``s`` has the tokens ``begins[s]`` to ``begins[s + 1]`` and counts by its weight. A
    chain is room for the longest of them.
    """
    size = len(field.features)
    places = np.empty((len(chain.scale), FEATURES), np.int64)
    steps = np.full(field.features.shape, 1e-4, np.float32)
    move_steps = np.full(field.moves.shape, 1e-2)
    moves, counts = np.exp(field.moves), np.empty(field.moves.shape)
    for s in order:
        begin, end = begins[s], begins[s + 1]
        if begin == end:
            continue
        find_features(facets, words[begin:end], size, places)
        sum_weights(places, end - begin, field.features, chain.evidence)
        _exponentiate(end - begin, chain.evidence)
        run_both_ways(end - begin, moves, chain)
        _count_moves(codes[begin:end], moves, chain, counts)
        _learn_features(codes[begin:end], chain, places, weight[s], field.features, steps)
        _learn_moves(counts, weight[s], field.moves, move_steps, moves)


@kernel_part
def _exponentiate(tokens: int, evidence: FloatArray) -> None:
    for t in range(tokens):
        most = evidence[t].max()
        for code in range(evidence.shape[1]):
            evidence[t, code] = np.exp(evidence[t, code] - most)


@kernel_part
def _count_moves(codes: CodeArray, moves: FloatArray, chain: Chain, counts: FloatArray) -> None:
    """Count the moves that the field expects in excess of those that are made."""
    counts[:] = 0.0
    states = moves.shape[1]
    for code in range(states):
        counts[0, code] = chain.ahead[0, code] * chain.back[0, code]
    counts[0, codes[0]] -= 1.0
    for t in range(1, len(codes)):
        for before in range(states):
            share = chain.ahead[t - 1, before] / chain.scale[t]
            for code in range(states):
                through = chain.evidence[t, code] * chain.back[t, code]
                counts[before + 1, code] += share * moves[before + 1, code] * through
        counts[codes[t - 1] + 1, codes[t]] -= 1.0


@kernel_part
def _learn_features(
    codes: CodeArray,
    chain: Chain,
    places: IntArray,
    weight: float,
    table: npt.NDArray[np.float32],
    steps: npt.NDArray[np.float32],
) -> None:
    for t in range(len(codes)):
        for code in range(table.shape[1]):
            error = chain.ahead[t, code] * chain.back[t, code]
            if code == codes[t]:
                error -= 1.0
            if abs(error) < _SLIGHT:
                continue
            change = np.float32(error * weight)
            for place in places[t]:
                if place != NONE:
                    steps[place, code] += change * change
                    table[place, code] -= np.float32(_RATE) * change / np.sqrt(steps[place, code])


@kernel_part
def _learn_moves(
    counts: FloatArray,
    weight: float,
    weights: FloatArray,
    steps: FloatArray,
    moves: FloatArray,
) -> None:
    for before in range(counts.shape[0]):
        for code in range(counts.shape[1]):
            if weights[before, code] > -np.inf:
                change = counts[before, code] * weight
                steps[before, code] += change * change
                weights[before, code] -= _RATE * change / np.sqrt(steps[before, code])
                moves[before, code] = np.exp(weights[before, code])


@kernel
def tag_all(
    fields: tuple[npt.NDArray[np.float32], FloatArray],
    part: IntArray,
    facets: IntArray,
    words: IntArray,
    begins: IntArray,
    chain: Chain,
    codes: IntArray,
) -> None:
    """Write the likeliest codes of every sentence, by the field of its part."""
    tables, moves = fields
    size, states = tables.shape[1:]
    places = np.empty((len(chain.scale), FEATURES), np.int64)
    came_from = np.empty((len(chain.scale), states), np.int64)
    for s in range(len(begins) - 1):
        begin, end = begins[s], begins[s + 1]
        if begin == end:
            continue
        find_features(facets, words[begin:end], size, places)
        sum_weights(places, end - begin, tables[part[s]], chain.evidence)
        _walk(moves[part[s]], chain.evidence, came_from, codes[begin:end])


@kernel
def span_chances(
    fields: tuple[npt.NDArray[np.float32], FloatArray],
    part: IntArray,
    facets: IntArray,
    words: IntArray,
    begins: IntArray,
    chain: Chain,
    spans: tuple[IntArray, IntArray, IntArray, IntArray],
) -> FloatArray:
    """Return the probability of spans, by the field of the part that their sentence is in.

    ``spans`` are the first of every sentence, and the start, end and label of each.
    """
    tables, moves = fields
    first, start, end, label = spans
    size = tables.shape[1]
    places = np.empty((len(chain.scale), FEATURES), np.int64)
    chance = np.zeros(len(start))
    weights = np.exp(moves)
    for s in range(len(begins) - 1):
        tokens = begins[s + 1] - begins[s]
        if tokens == 0 or first[s] == first[s + 1]:
            continue
        find_features(facets, words[begins[s] : begins[s + 1]], size, places)
        sum_weights(places, tokens, tables[part[s]], chain.evidence)
        _exponentiate(tokens, chain.evidence)
        run_both_ways(tokens, weights[part[s]], chain)
        for k in range(first[s], first[s + 1]):
            chance[k] = span_chance(chain, weights[part[s]], start[k], end[k], label[k], tokens)
    return chance


@kernel
def sequence_chances(
    fields: tuple[npt.NDArray[np.float32], FloatArray],
    part: IntArray,
    facets: IntArray,
    words: IntArray,
    begins: IntArray,
    chain: Chain,
    codes: IntArray,
) -> FloatArray:
    """Return the probability of all codes of every sentence together."""
    tables, moves = fields
    size = tables.shape[1]
    places = np.empty((len(chain.scale), FEATURES), np.int64)
    chance = np.ones(len(begins) - 1)
    weights = np.exp(moves)
    for s in range(len(chance)):
        begin, tokens = begins[s], begins[s + 1] - begins[s]
        if tokens == 0:
            continue
        find_features(facets, words[begin : begin + tokens], size, places)
        sum_weights(places, tokens, tables[part[s]], chain.evidence)
        _exponentiate(tokens, chain.evidence)
        run_both_ways(tokens, weights[part[s]], chain)
        before = 0
        for t in range(tokens):
            code = codes[begin + t]
            chance[s] *= chain_step(chain, weights[part[s]], before, t, code)
            before = code + 1
    return chance


@kernel_part
def _walk(moves: FloatArray, sums: FloatArray, came_from: IntArray, codes: IntArray) -> None:
    """Find the best path; ``sums`` become those of the best path to each token and code."""
    states, tokens = moves.shape[1], len(codes)
    for code in range(states):
        sums[0, code] += moves[0, code]
    for t in range(1, tokens):
        for code in range(states):
            best = 0
            for before in range(1, states):
                if sums[t - 1, before] + moves[before + 1, code] > (
                    sums[t - 1, best] + moves[best + 1, code]
                ):
                    best = before
            came_from[t, code] = best
            sums[t, code] += sums[t - 1, best] + moves[best + 1, code]
    codes[tokens - 1] = np.argmax(sums[tokens - 1])
    for t in range(tokens - 1, 0, -1):
        codes[t - 1] = came_from[t, codes[t]]
