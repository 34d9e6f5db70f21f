"""The SES variants of gold spans: shrunk, shifted, expanded step by step in words."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import BoolArray, IntArray, kernel, kernel_part

Rows = npt.NDArray[Any]
"""An array of records, with the fields that its dtype names."""

SPAN = np.dtype([("start", "i8"), ("end", "i8"), ("label", "i8")])
VARIANT = np.dtype([("start", "i8"), ("end", "i8"), ("label", "i8"), ("reach", "i8")])

FREE, RIGHT, LEFT, PAIR = 0, 1, 2, 3
"""Where a variant reaches: not beyond its gold span, beyond its end, beyond its start.

A pair is a variant that reaches right with one of the next span that reaches left. No others can
overlap: each stays between the neighbouring gold spans, and none reaches both ways, so that never
more than two spans meet.
"""


class Variants(NamedTuple):
    """The variants of a sentence; those of span ``i`` are ``rows[first[i]:first[i + 1]]``.

    A variant that ends where it starts is a span that vanished.
    """

    rows: Rows
    first: IntArray


class Borders(NamedTuple):
    """Where words begin and end, from 0 to the length, and the place of each position in it."""

    at: IntArray
    place: IntArray


@kernel
def list_variants(starts: BoolArray, gold: Rows, labels: int, flips: bool) -> Variants:
    """List the distinct variants of every gold span of a sentence.

    ``starts`` tells for every token whether a word starts there; gold borders count as word
    borders, too. The variants of one span are, in this order: the span itself; shrunk at its end,
    at its start, to nothing; with ``flips``, under every other label; shifted right, expanded
    right; shifted left, expanded left.
    """
    borders = word_borders(starts, gold)
    first = np.zeros(len(gold) + 1, np.int64)
    for i in range(len(gold)):
        words, left, right = room(gold, borders.place, i)
        moved = left + right + min(words, left) + min(words, right)
        first[i + 1] = first[i] + 2 * words + moved + (labels - 1 if flips else 0)
    rows = np.empty(first[-1], VARIANT)
    for i in range(len(gold)):
        at = put_shrunk(rows, first[i], borders, gold[i])
        if flips:
            at = put_flipped(rows, at, gold[i], labels)
        words, left, right = room(gold, borders.place, i)
        at = put_moved(rows, at, borders, gold[i], right, RIGHT)
        put_moved(rows, at, borders, gold[i], left, LEFT)
    return Variants(rows, first)


@kernel_part
def word_borders(starts: BoolArray, gold: Rows) -> Borders:
    """Return the borders of the words and of the gold spans."""
    length = len(starts)
    place = np.zeros(length + 1, np.int64)
    for k in range(length):
        place[k] = starts[k]
    place[0] = place[length] = 1
    for span in gold:
        place[span.start] = place[span.end] = 1
    at = np.empty(length + 1, np.int64)
    count = 0
    for k in range(length + 1):
        if place[k]:
            at[count], place[k] = k, count
            count += 1
    return Borders(at, place)


@kernel_part
def room(gold: Rows, place: IntArray, i: int) -> tuple[int, int, int]:
    """Return the words of span ``i``, and those left and right of it up to its neighbours."""
    before = gold[i - 1].end if i > 0 else 0
    after = gold[i + 1].start if i + 1 < len(gold) else len(place) - 1
    first, last = place[gold[i].start], place[gold[i].end]
    return last - first, first - place[before], place[after] - last


@kernel_part
def put(rows: Rows, at: int, start: int, end: int, label: int, reach: int) -> int:
    """Write one variant; return where the next one goes."""
    row = rows[at]
    row.start, row.end, row.label, row.reach = start, end, label, reach
    return at + 1


@kernel_part
def put_shrunk(rows: Rows, at: int, borders: Borders, span: Any) -> int:
    """Write the span itself, what is left when a border moves inward, and nothing."""
    first, last = borders.place[span.start], borders.place[span.end]
    for k in range(last, first, -1):
        at = put(rows, at, span.start, borders.at[k], span.label, FREE)
    for k in range(first + 1, last):
        at = put(rows, at, borders.at[k], span.end, span.label, FREE)
    return put(rows, at, span.start, span.start, span.label, FREE)


@kernel_part
def put_flipped(rows: Rows, at: int, span: Any, labels: int) -> int:
    """Write the span under every other label."""
    for label in range(labels):
        if label != span.label:
            at = put(rows, at, span.start, span.end, label, FREE)
    return at


@kernel_part
def put_moved(rows: Rows, at: int, borders: Borders, span: Any, steps: int, reach: int) -> int:
    """Write the span shifted, then expanded, by up to ``steps`` words in one direction.

    A shift ends with the first position that does not overlap the gold span.
    """
    first, last = borders.place[span.start], borders.place[span.end]
    sign = 1 if reach == RIGHT else -1
    for k in range(1, min(last - first, steps) + 1):
        start, end = borders.at[first + sign * k], borders.at[last + sign * k]
        at = put(rows, at, start, end, span.label, reach)
    for k in range(1, steps + 1):
        start = span.start if reach == RIGHT else borders.at[first - k]
        end = borders.at[last + k] if reach == RIGHT else span.end
        at = put(rows, at, start, end, span.label, reach)
    return at
