"""Variants of one span grouped by what they add, so that the chain is walked once per group."""

from typing import NamedTuple

import numpy as np

from spancrew.augment._credit import Rules, key_of, pair, single
from spancrew.augment._variants import LEFT, PAIR, RIGHT, Rows, Variants
from spancrew.core import IntArray, kernel, kernel_part

MEMBER = np.dtype([("one", "i8"), ("two", "i8")])
"""A choice: a variant, and the variant of the next span if it is a pair (else -1)."""

OPTION = np.dtype([("key", "i8"), ("reach", "i8"), ("first", "i8"), ("last", "i8")])
"""A group of choices: the key they add, where they reach, which members they are."""


class Options(NamedTuple):
    """The groups of a sentence; those of span ``i`` are ``rows[first[i]:first[i + 1]]``."""

    rows: Rows
    first: IntArray
    members: Rows


@kernel
def list_options(rules: Rules, gold: Rows, variants: Variants) -> Options:
    """Group the variants of every span, and its pairs with the next one, by reach and key."""
    begins = np.zeros(len(gold) + 1, np.int64)
    for i in range(len(gold)):
        begins[i + 1] = begins[i] + count_members(variants, i)
    total = begins[-1]
    rows, members = np.empty(total, OPTION), np.empty(total, MEMBER)
    marks, listed = np.empty(total, np.int64), np.empty(total, MEMBER)
    first = np.zeros(len(gold) + 1, np.int64)
    for i in range(len(gold)):
        a, b = begins[i], begins[i + 1]
        list_members(rules, gold, variants, i, marks[a:b], listed[a:b])
        first[i + 1] = group(marks[a:b], listed[a:b], members, a, rows, first[i])
    return Options(rows, first, members)


@kernel_part
def reaching(variants: Variants, i: int, reach: int) -> tuple[int, int]:
    """Return from where to where the variants of span ``i`` reach right, or left."""
    first, last = variants.first[i], variants.first[i + 1]
    while first < last and variants.rows[first].reach != reach:
        first += 1
    end = first
    while end < last and variants.rows[end].reach == reach:
        end += 1
    return first, end


@kernel_part
def count_members(variants: Variants, i: int) -> int:
    """Count the variants of span ``i`` and its pairs with the next span."""
    count = int(variants.first[i + 1] - variants.first[i])
    if i + 2 < len(variants.first):
        a, b = reaching(variants, i, RIGHT)
        c, d = reaching(variants, i + 1, LEFT)
        count += (b - a) * (d - c)
    return count


@kernel_part
def list_members(
    rules: Rules, gold: Rows, variants: Variants, i: int, marks: IntArray, out: Rows
) -> None:
    """Write the variants of span ``i``, then its pairs; a mark is the key with the reach."""
    rows, k = variants.rows, 0
    for v in range(variants.first[i], variants.first[i + 1]):
        marks[k] = key_of(rules, single(rules, gold[i], rows[v])) * 4 + rows[v].reach
        out[k].one, out[k].two = v, -1
        k += 1
    if i + 1 == len(gold):
        return
    a, b = reaching(variants, i, RIGHT)
    c, d = reaching(variants, i + 1, LEFT)
    for v in range(a, b):
        for w in range(c, d):
            sums = pair(rules, gold[i], rows[v], gold[i + 1], rows[w])
            marks[k] = key_of(rules, sums) * 4 + PAIR
            out[k].one, out[k].two = v, w
            k += 1


@kernel_part
def group(marks: IntArray, listed: Rows, members: Rows, at: int, rows: Rows, count: int) -> int:
    """Sort choices by their mark into ``members`` from ``at`` on; write a row for each mark."""
    order = order_of(marks)
    for k in range(len(order)):
        members[at + k].one, members[at + k].two = listed[order[k]].one, listed[order[k]].two
        mark = marks[order[k]]
        if k == 0 or mark != marks[order[k - 1]]:
            rows[count].key, rows[count].reach = mark >> 2, mark & 3
            rows[count].first = at + k
            count += 1
        rows[count - 1].last = at + k + 1
    return count


@kernel_part
def order_of(values: IntArray) -> IntArray:
    """Return the rows in ascending order of value, equal ones as they stand.

    numba's own sorts take seconds to compile.
    """
    count = len(values)
    order, other = np.arange(count), np.empty(count, np.int64)
    width = 1
    while width < count:
        for low in range(0, count, 2 * width):
            merge(values, order, other, low, min(low + width, count), min(low + 2 * width, count))
        order, other = other, order
        width *= 2
    return order


@kernel_part
def merge(
    values: IntArray, order: IntArray, out: IntArray, low: int, middle: int, high: int
) -> None:
    """Merge two sorted runs."""
    a, b = low, middle
    for k in range(low, high):
        if a < middle and (b >= high or values[order[a]] <= values[order[b]]):
            out[k] = order[a]
            a += 1
        else:
            out[k] = order[b]
            b += 1
