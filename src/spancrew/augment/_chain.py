"""All reachable keys of a sentence with the number of combinations that reach them.

Spans are added from right to left. The layer ``ANY`` of span ``i`` counts the combinations of the
spans from ``i`` on by their key; the layer ``OPEN`` only those whose span ``i`` does not reach
left, which are the ones that may follow a variant that reaches right. All layers live in one hash
table. Counts are floats: exact up to 2^53, to 15 digits beyond.
"""

from typing import Any, NamedTuple

import numpy as np

from spancrew.augment._options import Options
from spancrew.augment._variants import LEFT, PAIR, RIGHT, Rows
from spancrew.core import FloatArray, IntArray, kernel, kernel_part

OPEN, ANY = 0, 1

ENTRY = np.dtype([("key", "i8"), ("count", "f8")])
"""A key, kept as ``key * layers + layer``, and the number of combinations that reach it."""

_SPREAD = -7046029254386353131
"""2^64 over the golden ratio, as a signed number."""

_HUGE = 2.0**600
RAREST = 2.0**-1000
"""What is rarer is counted as this: such a state can be drawn, if not quite uniformly."""


class SpanChain(NamedTuple):
    """Entries by layer; ``slots`` is a hash table of them, -1 where there is none.

    Layer ``2 * i + OPEN`` or ``2 * i + ANY`` has the entries ``bounds[layer, 0]`` to
    ``bounds[layer, 1]``. The counts of both layers of span ``i`` are what they should be times
    ``shrunk[i]`` times all later ``shrunk``.
    """

    entries: Rows
    slots: IntArray
    bounds: IntArray
    shrunk: FloatArray


@kernel_part
def slot_of(slots: IntArray, entries: Rows, key: int) -> int:
    """Return the slot where a key is, or where it would go."""
    mask = len(slots) - 1
    mixed = key * _SPREAD
    at = (mixed ^ (mixed >> 32)) & mask
    while slots[at] >= 0 and entries[slots[at]].key != key:
        at = (at + 1) & mask
    return at


@kernel_part
def count_at(chain: SpanChain, layer: int, key: int) -> float:
    """Return the number of combinations of a layer that have this key."""
    marked = key * len(chain.bounds) + layer
    row = chain.slots[slot_of(chain.slots, chain.entries, marked)]
    return chain.entries[row].count if row >= 0 else 0.0


@kernel
def build(options: Options, limit: int) -> SpanChain:
    """Return the chain of a sentence; stop early, with the last layer empty, beyond ``limit``."""
    spans = len(options.first) - 1
    chain = begin(spans)
    for i in range(spans - 1, -1, -1):
        for part in range(2):
            chain = extend(chain, options, i, part)
        if chain.bounds[2 * i + ANY, 1] > limit:
            chain.bounds[ANY, 0] = chain.bounds[ANY, 1] = 0
            break
        shrink(chain, i)
    return chain


@kernel_part
def begin(spans: int) -> SpanChain:
    """Return the chain after the last span: one combination, of nothing."""
    bounds, shrunk = np.zeros((2 * spans + 2, 2), np.int64), np.empty(spans + 1)
    entries, slots = np.empty(64, ENTRY), np.empty(256, np.int64)
    slots[:], shrunk[:] = -1, 1.0
    for row in range(2):
        layer = 2 * spans + row
        bounds[layer, 0], bounds[layer, 1] = row, row + 1
        entries[row].key, entries[row].count = layer, 1.0
        slots[slot_of(slots, entries, layer)] = row
    return SpanChain(entries, slots, bounds, shrunk)


@kernel_part
def extend(chain: SpanChain, options: Options, i: int, part: int) -> SpanChain:
    """Fill a layer of span ``i`` from those right of it."""
    layer = 2 * i + part
    used = chain.bounds[2 * i + OPEN if part == ANY else 2 * i + 2 + ANY, 1]
    chain.bounds[layer, 0] = chain.bounds[layer, 1] = used
    if part == ANY:
        chain = add(chain, 2 * i + OPEN, layer, 0, 1.0)
    for o in range(options.first[i], options.first[i + 1]):
        option = options.rows[o]
        if (option.reach == LEFT) == (part == ANY):
            source, weight = source_of(chain, i, option)
            chain = add(chain, source, layer, option.key, weight)
    return chain


@kernel_part
def source_of(chain: SpanChain, i: int, option: Any) -> tuple[int, float]:
    """Return the layer that goes on after an option of span ``i``, and the weight it gets."""
    count = float(option.last - option.first)
    if option.reach == PAIR:
        return 2 * i + 4 + ANY, count * chain.shrunk[i + 1]
    return 2 * i + 2 + (OPEN if option.reach == RIGHT else ANY), count


@kernel_part
def add(chain: SpanChain, source: int, layer: int, key: int, weight: float) -> SpanChain:
    """Add the counts of one layer to another, with their keys raised by ``key``."""
    first, last = chain.bounds[source, 0], chain.bounds[source, 1]
    used = chain.bounds[layer, 1]
    if used + last - first > len(chain.entries):
        chain = grow(chain, used, used + last - first)
    entries, slots = chain.entries, chain.slots
    rise = key * len(chain.bounds) + layer - source
    for row in range(first, last):
        raised = entries[row].key + rise
        at = slot_of(slots, entries, raised)
        if slots[at] < 0:
            slots[at] = used
            entries[used].key, entries[used].count = raised, 0.0
            used += 1
        entries[slots[at]].count += max(weight * entries[row].count, RAREST)
    chain.bounds[layer, 1] = used
    return chain


@kernel_part
def grow(chain: SpanChain, used: int, wanted: int) -> SpanChain:
    """Return the chain with at least twice the room."""
    size = 2 * len(chain.entries)
    while size < wanted:
        size *= 2
    entries, slots = np.empty(size, ENTRY), np.empty(4 * size, np.int64)
    slots[:] = -1
    for row in range(used):
        entries[row].key, entries[row].count = chain.entries[row].key, chain.entries[row].count
        slots[slot_of(slots, entries, entries[row].key)] = row
    return SpanChain(entries, slots, chain.bounds, chain.shrunk)


@kernel_part
def shrink(chain: SpanChain, i: int) -> None:
    """Scale the counts of span ``i`` down before they leave the range of floats."""
    first, last = chain.bounds[2 * i + OPEN, 0], chain.bounds[2 * i + ANY, 1]
    most = 0.0
    for row in range(first, last):
        most = max(most, chain.entries[row].count)
    if most > _HUGE:
        for row in range(first, last):
            chain.entries[row].count = max(chain.entries[row].count / _HUGE, RAREST)
        chain.shrunk[i] = 1.0 / _HUGE
