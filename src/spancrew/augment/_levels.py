"""The reachable scores of a sentence, from low to high, with the keys that give them."""

from typing import NamedTuple

import numpy as np

from spancrew.augment._chain import ANY, Chain
from spancrew.augment._credit import Rules, exact_of, score_of
from spancrew.augment._order import order_of
from spancrew.augment._variants import Rows
from spancrew.core import FloatArray, IntArray, kernel, kernel_part

WAY = np.dtype([("key", "i8"), ("count", "f8")])
"""A key of the whole sentence and the number of combinations that reach it."""


class Levels(NamedTuple):
    """Scores from low to high; level ``k`` is reached by ``ways[first[k]:first[k + 1]]``."""

    score: FloatArray
    first: IntArray
    ways: Rows


@kernel
def levels_of(rules: Rules, chain: Chain, best: bool, empty: float) -> Levels:
    """Group the keys of the whole sentence by score; of one score, only the best if asked."""
    a, b = chain.bounds[ANY, 0], chain.bounds[ANY, 1]
    listed, score, loss = np.empty(b - a, WAY), np.empty(b - a), np.zeros(b - a)
    for k in range(b - a):
        listed[k].key = chain.entries[a + k].key // len(chain.bounds)
        listed[k].count = chain.entries[a + k].count
        score[k] = score_of(rules, listed[k].key) if rules.gold_spans else empty
        if best and rules.gold_spans:
            loss[k] = 1.0 - exact_of(rules, listed[k].key)
    return in_levels(listed, score, loss)


@kernel_part
def in_levels(listed: Rows, score: FloatArray, loss: FloatArray) -> Levels:
    """Sort ways by score; of one score, keep those with the least loss."""
    least = np.empty(len(score))
    found, first = np.empty(len(score)), np.empty(len(score) + 1, np.int64)
    ways = np.empty(len(score), WAY)
    levels = count = 0
    # The bits of floats that are not negative sort as the floats do.
    order = order_of(score.view(np.int64))
    for row in order:
        if levels == 0 or score[row] != found[levels - 1]:
            found[levels], least[levels] = score[row], loss[row]
            levels += 1
        least[levels - 1] = min(least[levels - 1], loss[row])
    level = -1
    for row in order:
        if level < 0 or score[row] != found[level]:
            level += 1
            first[level] = count
        if loss[row] == least[level]:
            ways[count].key, ways[count].count = listed[row].key, listed[row].count
            count += 1
    first[levels] = count
    return Levels(found[:levels], first[: levels + 1], ways)
