"""What a sequence model has counted, and the probabilities that follow from the counts."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray, IntArray, kernel, kernel_part

FULL = 32_000_000
"""Most cells of workers' tables with a context for every code an answer had on the last token."""

LEAST_SHARE = 1e-30
"""What is all but impossible stays possible, or a sentence could have no reading at all."""


class Contexts(NamedTuple):
    """What is kept of the code that an answer had on the token before.

    ``of`` has a place for "none" and one for each code; ``allows`` tells which codes can follow
    in each context (contexts x codes).
    """

    of: IntArray
    allows: BoolArray


class Counts(NamedTuple):
    """Expected counts with their priors.

    ``workers``: worker x context x answered code x true code, with a last worker whom nobody has
    seen. ``moves``: code before (0 for none) x code. ``words``: word x code.
    """

    workers: FloatArray
    moves: FloatArray
    words: FloatArray


class BscTables(NamedTuple):
    """The same cells as exponentials of expected logarithms; impossible moves are 0."""

    workers: FloatArray
    moves: FloatArray
    words: FloatArray
    context: IntArray


def contexts_of(labels: int, workers: int) -> Contexts:
    """Return one context for every code, or inside and outside alone where that is too much."""
    codes = 2 * labels + 1
    can_move = _can_move(codes)
    if workers * (codes + 1) * codes * codes <= FULL:
        return Contexts(np.arange(codes + 1), can_move)
    inside = np.minimum(np.arange(codes + 1), 2) // 2
    return Contexts(inside, np.stack([can_move[0], np.ones(codes, bool)]))


def may_follow(before: int, code: int) -> bool:
    """Tell whether a code can stand after another; I continues its own label only."""
    return code == 0 or code % 2 == 1 or before in (code, code - 1)


def tables_of(counts: Counts, contexts: Contexts, seen: BoolArray) -> BscTables:
    """Return the probabilities; workers that were not ``seen`` get those of the last one."""
    workers, moves, words = (np.empty_like(part) for part in counts)
    _expect_workers(counts.workers, contexts.allows, seen, workers)
    codes = counts.moves.shape[1]
    _expect(counts.moves[:, :, None], _can_move(codes), 0.0, moves[:, :, None])
    _expect(counts.words[None], np.ones((1, len(words)), bool), 0.0, words[None])
    return BscTables(workers, moves, words, contexts.of)


def _can_move(codes: int) -> BoolArray:
    """Tell which codes can stand after which; the first row is for the first token."""
    rows = [[may_follow(before, code) for code in range(codes)] for before in range(codes)]
    return np.array([rows[0], *rows])


@kernel
def digamma(x: float) -> float:
    """Return the derivative of the logarithm of the gamma function of a positive number."""
    shift = 0.0
    while x < 6.0:
        shift -= 1.0 / x
        x += 1.0
    y = 1.0 / (x * x)
    tail = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
    return shift + math.log(x) - 0.5 / x - tail


@kernel
def _expect_workers(
    counts: FloatArray, allows: BoolArray, seen: BoolArray, out: FloatArray
) -> None:
    last = len(counts) - 1
    _expect(counts[last], allows, 1.0, out[last])
    for w in range(last):
        if seen[w]:
            _expect(counts[w], allows, 1.0, out[w])
        else:
            _copy(out[last].ravel(), out[w].ravel())


@kernel_part
def _copy(values: FloatArray, out: FloatArray) -> None:
    """Copy numbers one by one, which compiles much faster than a copy of arrays."""
    for k in range(len(values)):
        out[k] = values[k]


@kernel
def _expect(counts: FloatArray, allows: BoolArray, otherwise: float, out: FloatArray) -> None:
    """Write exp(E[log p]) of Dirichlet counts: context x outcome x condition.

    The outcomes of a context and a condition share one distribution; those that a context does
    not allow are left out of it and get ``otherwise``.
    """
    contexts, outcomes, conditions = counts.shape
    for c in range(contexts):
        for given in range(conditions):
            total = 0.0
            for k in range(outcomes):
                if allows[c, k]:
                    total += counts[c, k, given]
            of_total = digamma(max(total, 1e-9))
            last, share = -1.0, 0.0
            for k in range(outcomes):
                if counts[c, k, given] != last:  # words that nobody has seen have equal counts
                    last = counts[c, k, given]
                    share = max(math.exp(digamma(last) - of_total), LEAST_SHARE)
                out[c, k, given] = share if allows[c, k] else otherwise
