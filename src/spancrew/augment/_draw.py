"""Draw combinations that have a given score: uniformly, or the first of them."""

from typing import NamedTuple

import numpy as np

from spancrew.augment._chain import ANY, OPEN, RAREST, Chain, count_at, source_of
from spancrew.augment._levels import Levels
from spancrew.augment._options import Options
from spancrew.augment._stream import Streams
from spancrew.augment._variants import LEFT, PAIR, RIGHT, Rows, Variants
from spancrew.core import CodeArray, IntArray, kernel, kernel_part, uniform


class Solved(NamedTuple):
    """All that draws from one sentence need."""

    variants: Variants
    options: Options
    chain: Chain
    levels: Levels


@kernel
def draw_any(solved: Solved, chosen: IntArray, streams: Streams, out: CodeArray) -> None:
    """Write for every chosen level the codes of one of its combinations, all equally likely."""
    picked = np.empty(len(solved.options.first) - 1, np.int64)
    for k in range(len(chosen)):
        a, b = solved.levels.first[chosen[k]], solved.levels.first[chosen[k] + 1]
        key = random_key(solved.levels.ways[a:b], uniform(streams[k], 0))
        random_walk(solved.chain, solved.options, key, streams[k], picked)
        paint(solved.variants, picked, out[k])


@kernel
def draw_first(solved: Solved, chosen: IntArray, out: CodeArray) -> None:
    """Write for every chosen level the codes of the first of its combinations.

    First in the order of the variants, the leftmost span counting most.
    """
    spans = len(solved.options.first) - 1
    picked, trial = np.empty(spans, np.int64), np.empty(spans, np.int64)
    for k in range(len(chosen)):
        a, b = solved.levels.first[chosen[k]], solved.levels.first[chosen[k] + 1]
        first_walk(solved.chain, solved.options, solved.levels.ways[a].key, picked)
        for way in range(a + 1, b):
            first_walk(solved.chain, solved.options, solved.levels.ways[way].key, trial)
            if precedes(trial, picked):
                picked, trial = trial, picked
        paint(solved.variants, picked, out[k])


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
    chain: Chain, options: Options, key: int, stream: np.uint64, picked: IntArray
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
def ways_on(chain: Chain, options: Options, i: int, part: int, o: int, key: int) -> float:
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
def first_walk(chain: Chain, options: Options, key: int, picked: IntArray) -> None:
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
