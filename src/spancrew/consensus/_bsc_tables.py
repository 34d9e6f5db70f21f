"""What a sequence model has counted, and the probabilities that follow from the counts."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray, IntArray, kernel, kernel_part

FULL = 32_000_000
"""Most cells of workers' tables with a context for every code an answer had on the last token."""


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


class Tables(NamedTuple):
    """The same cells as exponentials of expected logarithms; impossible moves are 0."""

    workers: FloatArray
    moves: FloatArray
    words: FloatArray
    context: IntArray


def contexts_of(labels: int, workers: int) -> Contexts:
    """Return one context for every code, or inside and outside alone where that is too much."""
    codes = 2 * labels + 1
    can_move = np.array([[may_follow(p, c) for c in range(codes)] for p in range(codes)])
    if workers * (codes + 1) * codes * codes <= FULL:
        return Contexts(np.arange(codes + 1), np.concatenate([can_move[:1], can_move]))
    inside = np.minimum(np.arange(codes + 1), 2) // 2
    return Contexts(inside, np.stack([can_move[0], np.ones(codes, bool)]))


@kernel
def may_follow(before: int, code: int) -> bool:
    """Tell whether a code can stand after another; I continues its own label only."""
    return code == 0 or code % 2 == 1 or before in (code, code - 1)


def tables_of(counts: Counts, contexts: Contexts, seen: BoolArray) -> Tables:
    """Return the probabilities; workers that were not ``seen`` get those of the last one."""
    workers = np.empty_like(counts.workers)
    _expect_workers(counts.workers, contexts.allows, seen, workers)
    moves = np.zeros_like(counts.moves)
    _expect_moves(counts.moves, moves)
    words = np.empty_like(counts.words)
    _expect_words(counts.words, words)
    return Tables(workers, moves, words, contexts.of)


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
    _expect_worker(counts[last], allows, out[last])
    for w in range(last):
        if seen[w]:
            _expect_worker(counts[w], allows, out[w])
        else:
            _copy(out[last].ravel(), out[w].ravel())


@kernel_part
def _copy(values: FloatArray, out: FloatArray) -> None:
    """Copy numbers one by one, which compiles much faster than a copy of arrays."""
    for k in range(len(values)):
        out[k] = values[k]


@kernel_part
def _expect_worker(counts: FloatArray, allows: BoolArray, out: FloatArray) -> None:
    contexts, codes, _ = counts.shape
    for c in range(contexts):
        for true in range(codes):
            total = 0.0
            for answered in range(codes):
                if allows[c, answered]:
                    total += counts[c, answered, true]
            of_total = digamma(total)
            for answered in range(codes):
                cell = digamma(counts[c, answered, true]) - of_total
                out[c, answered, true] = math.exp(cell) if allows[c, answered] else 1.0


@kernel
def _expect_moves(counts: FloatArray, out: FloatArray) -> None:
    for p in range(len(counts)):
        before = max(p - 1, 0)
        total = 0.0
        for code in range(counts.shape[1]):
            if may_follow(before, code):
                total += counts[p, code]
        of_total = digamma(total)
        for code in range(counts.shape[1]):
            if may_follow(before, code):
                out[p, code] = math.exp(digamma(counts[p, code]) - of_total)


@kernel
def _expect_words(counts: FloatArray, out: FloatArray) -> None:
    for code in range(counts.shape[1]):
        total = 0.0
        for word in range(len(counts)):
            total += counts[word, code]
        of_total = digamma(max(total, 1e-9))
        for word in range(len(counts)):
            out[word, code] = math.exp(digamma(counts[word, code]) - of_total)
