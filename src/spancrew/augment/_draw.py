"""The reachable scores of a sentence, and combinations drawn for one of them."""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from spancrew.augment._chain import ANY, OPEN, RAREST, SpanChain, count_at, source_of
from spancrew.augment._credit import Rules, exact_of, score_of
from spancrew.augment._options import Options, order_of
from spancrew.augment._variants import LEFT, PAIR, RIGHT, Rows, Variants
from spancrew.core import (
    CodeArray,
    FloatArray,
    IntArray,
    kernel,
    kernel_part,
    stream,
    uniform,
)

Streams: TypeAlias = npt.NDArray[np.uint64]


WAY = np.dtype([("key", "i8"), ("count", "f8")])
"""A key of the whole sentence and the number of combinations that reach it."""


class Levels(NamedTuple):
    """Scores from low to high; level ``k`` is reached by ``ways[first[k]:first[k + 1]]``."""

    score: FloatArray
    first: IntArray
    ways: Rows


@kernel
def levels_of(rules: Rules, chain: SpanChain, best: bool, empty: float) -> Levels:
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


@kernel
def streams(seed: int, sentence: int, workers: IntArray) -> Streams:
    """Return where the random numbers for the answers of some workers begin."""
    out = np.empty(len(workers), np.uint64)
    for k in range(len(workers)):
        out[k] = stream(seed, sentence, workers[k])
    return out


class Reachable(NamedTuple):
    """The reachable scores of one sentence, and all that draws need."""

    variants: Variants
    options: Options
    chain: SpanChain
    levels: Levels


@kernel
def draw_any(reachable: Reachable, chosen: IntArray, streams: Streams, out: CodeArray) -> None:
    """Write for every chosen level the codes of one of its combinations, all equally likely."""
    picked = np.empty(len(reachable.options.first) - 1, np.int64)
    for k in range(len(chosen)):
        a, b = reachable.levels.first[chosen[k]], reachable.levels.first[chosen[k] + 1]
        key = random_key(reachable.levels.ways[a:b], uniform(streams[k], 0))
        random_walk(reachable.chain, reachable.options, key, streams[k], picked)
        paint(reachable.variants, picked, out[k])


@kernel
def draw_first(reachable: Reachable, chosen: IntArray, out: CodeArray) -> None:
    """Write for every chosen level the codes of the first of its combinations.

    First in the order of the variants, the leftmost span counting most.
    """
    spans = len(reachable.options.first) - 1
    picked, trial = np.empty(spans, np.int64), np.empty(spans, np.int64)
    for k in range(len(chosen)):
        a, b = reachable.levels.first[chosen[k]], reachable.levels.first[chosen[k] + 1]
        first_walk(reachable.chain, reachable.options, reachable.levels.ways[a].key, picked)
        for way in range(a + 1, b):
            first_walk(reachable.chain, reachable.options, reachable.levels.ways[way].key, trial)
            if precedes(trial, picked):
                picked, trial = trial, picked
        paint(reachable.variants, picked, out[k])


@kernel_part
def random_key(ways: Rows, at: float) -> int:
    """Return one of the keys of a level, in proportion to its combinations."""
    total = 0.0
    for way in ways:
        total += way.count
    left, last = at * total, len(ways) - 1
    for k in range(last):
        if left < ways[k].count:
            return int(ways[k].key)
        left -= ways[k].count
    return int(ways[last].key)


@kernel_part
def random_walk(
    chain: SpanChain, options: Options, key: int, stream: np.uint64, picked: IntArray
) -> None:
    """Pick a variant for every span, uniformly among the combinations with this key."""
    i, part = 0, ANY
    while i < len(picked):
        left = uniform(stream, 2 * i + 1) * count_at(chain, 2 * i + part, key) / chain.shrunk[i]
        o = -1
        for other in range(options.first[i], options.first[i + 1]):
            here = ways_on(chain, options, i, part, other, key)
            if here == 0.0:
                continue
            o = other
            if left < here:
                break
            left -= here
        a, b = options.rows[o].first, options.rows[o].last
        member = a + int(uniform(stream, 2 * i + 2) * (b - a))
        key -= options.rows[o].key
        i, part = take(options, o, member, i, picked)


@kernel_part
def ways_on(chain: SpanChain, options: Options, i: int, part: int, o: int, key: int) -> float:
    """Return the number of combinations with this key that go on with option ``o``."""
    option = options.rows[o]
    if option.key > key or (part == OPEN and option.reach == LEFT):
        return 0.0
    source, weight = source_of(chain, i, option)
    count = count_at(chain, source, key - option.key)
    return max(weight * count, RAREST) if count > 0.0 else 0.0


@kernel_part
def take(options: Options, o: int, member: int, i: int, picked: IntArray) -> tuple[int, int]:
    """Note the choice for span ``i``; return the next span and which layer it is in."""
    picked[i] = options.members[member].one
    if options.rows[o].reach == PAIR:
        picked[i + 1] = options.members[member].two
        return i + 2, ANY
    return i + 1, OPEN if options.rows[o].reach == RIGHT else ANY


@kernel_part
def precedes(one: IntArray, other: IntArray) -> bool:
    """Tell whether a combination comes before another one."""
    for i in range(len(one)):
        if one[i] != other[i]:
            return bool(one[i] < other[i])
    return False


@kernel_part
def first_walk(chain: SpanChain, options: Options, key: int, picked: IntArray) -> None:
    """Pick the first combination with this key.

    A pair comes after the same variant alone: variants that reach left are last in the list.
    """
    i, part = 0, ANY
    while i < len(picked):
        best = -1
        for o in range(options.first[i], options.first[i + 1]):
            if ways_on(chain, options, i, part, o, key) == 0.0:
                continue
            if best < 0 or leads(options, options.rows[o].first, options.rows[best].first):
                best = o
        key -= options.rows[best].key
        i, part = take(options, best, options.rows[best].first, i, picked)


@kernel_part
def leads(options: Options, j: int, k: int) -> bool:
    """Tell whether member ``j`` comes before member ``k``."""
    one, other = options.members[j], options.members[k]
    if one.one != other.one:
        return bool(one.one < other.one)
    return bool(one.two < other.two)


@kernel_part
def paint(variants: Variants, picked: IntArray, codes: CodeArray) -> None:
    """Write the codes of a combination; spans that overlap become one, with the left label."""
    codes[:] = 0
    done = begin = 0
    for v in picked:
        variant = variants.rows[v]
        if variant.start == variant.end:
            continue
        if variant.start >= done:
            begin = 2 * variant.label + 1
            codes[variant.start] = begin
            done = variant.start + 1
        codes[done : variant.end] = begin + 1
        done = variant.end
