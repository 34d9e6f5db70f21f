"""The candidates of one sentence as the authors' code makes them, oddities included.

Spans are varied from left to right: every sequence of variants so far is continued by every
variant of the next span. Where this differs from the paper's text, a comment says so; the figures
that are published hang on it.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import BoolArray, IntArray, LabelSet, kernel, stream, uniform

CAP = 30_000
"""From the second span on, no sequence is added once there are more than this."""

NODE = np.dtype([("before", "i8"), ("start", "i8"), ("end", "i8"), ("label", "i8")])
"""A variant of a span, and which row of the level before it continues."""

Nodes = npt.NDArray[Any]
Codes = npt.NDArray[Any]

_MORE = 2
"""Expanding and shrinking each add one more row to a level that shifting has filled."""


class Level(NamedTuple):
    """One gold span and the room that its variants have.

    ``borders`` tells for every position, the length included, whether a word begins or ends there.
    """

    borders: BoolArray
    start: int
    end: int
    label: int
    right: int
    labels: int
    cap: int


def authors_candidates(
    gold: IntArray,
    borders: BoolArray,
    labels: LabelSet,
    place: tuple[int, int],
    cap: int = CAP,
) -> Codes:
    """Return the codes of all candidates of a sentence, a row each, without the empty one.

    ``gold`` has a row of start, end and label id for each span; ``place`` is the seed and the
    number of the sentence, from which labels are drawn. Candidates are told apart by their spans,
    empty ones included, so that two may have the same codes.
    """
    length = len(borders) - 1
    levels = [np.zeros(1, NODE)]
    for i, (start, end, label) in enumerate(gold.tolist()):
        right = _right(gold, i, length)
        limit = cap if i > 0 else 4 * length + 2  # more than one span can have
        rows = np.empty(limit + _MORE + 1, NODE)
        level = Level(borders, start, end, label, right, len(labels), limit)
        state = np.uint64(stream(*place, i))
        levels.append(rows[: vary(level, levels[-1], state, rows)])
    codes = _codes(levels, _distinct(levels, length, len(labels)), length, labels)
    return codes[codes.any(axis=1)]


def _right(gold: IntArray, i: int, length: int) -> int:
    """Return the border on the right of a span: a token short of the next one, save at first."""
    if i + 1 == len(gold):
        return length
    return int(gold[i + 1, 0]) - (i > 0)


def _distinct(levels: list[Nodes], length: int, labels: int) -> IntArray:
    """Return one row of the last level for every list of spans that leads to it."""
    group, first = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for rows in levels[1:]:
        key = group[rows["before"]]
        for field, size in (("start", length + 1), ("end", length + 1), ("label", labels)):
            key = key * size + rows[field]
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first


def _codes(levels: list[Nodes], rows: IntArray, length: int, labels: LabelSet) -> Codes:
    codes = np.zeros((len(rows), length), labels.dtype)
    for nodes in levels[:0:-1]:
        write(nodes, rows, codes)
        rows = nodes["before"][rows]
    return codes


@kernel
def write(nodes: Nodes, rows: IntArray, out: Codes) -> None:
    """Write the span of each of the rows into the codes of its candidate."""
    for k in range(len(rows)):
        node = nodes[rows[k]]
        for at in range(node.start, node.end):
            out[k, at] = 2 * node.label + (1 if at == node.start else 2)


@kernel
def vary(level: Level, before: Nodes, state: np.uint64, out: Nodes) -> int:
    """Continue the sequences by the variants of a span; return how many there are now."""
    used = 0
    for row in range(len(before)):
        left = before[row].end
        used = put_shifted(level, out, used, row, left, uniform(state, row))
        used = put_expanded(level, out, used, row, left)
        used = put_shrunk(level, out, used, row)
        if used > level.cap:
            break
    return used


@kernel
def put(out: Nodes, used: int, row: int, start: int, end: int, label: int) -> int:
    """Write one variant; return where the next one goes."""
    node = out[used]
    node.before, node.start, node.end, node.label = row, start, end, label
    return used + 1


@kernel
def put_shifted(level: Level, out: Nodes, used: int, row: int, left: int, drawn: float) -> int:
    """Write the span, the span under another label, and the span shifted right and left.

    A shift ends with the first position beyond the gold span. A border stops only one end, so
    that the span gets shorter, or empty. Where the border lies before the end of the gold span
    (its neighbour follows at once) there is no such position: the level is filled with repeats.
    """
    used = put(out, used, row, level.start, level.end, level.label)
    if used <= level.cap and level.labels > 1:
        other = int(drawn * (level.labels - 1))
        other += other >= level.label
        used = put(out, used, row, level.start, level.end, other)
    start, end = level.start, level.end
    while start < level.end and used <= level.cap:
        start = next_word(level.borders, start, level.right)
        end = next_word(level.borders, end, level.right)
        used = put(out, used, row, start, end, level.label)
    start, end = level.start, level.end
    while end > level.start and used <= level.cap:
        start = word_before(level.borders, start, left)
        end = word_before(level.borders, end, left)
        used = put(out, used, row, start, end, level.label)
    return used


@kernel
def put_expanded(level: Level, out: Nodes, used: int, row: int, left: int) -> int:
    """Write the span expanded to the right and to the left, word by word up to the borders."""
    end = level.end
    while end < level.right:
        end = next_word(level.borders, end, level.right)
        used = put(out, used, row, level.start, end, level.label)
        if used > level.cap:
            return used
    start = level.start
    while start > left:
        start = word_before(level.borders, start, left)
        used = put(out, used, row, start, level.end, level.label)
        if used > level.cap:
            return used
    return used


@kernel
def put_shrunk(level: Level, out: Nodes, used: int, row: int) -> int:
    """Write what is left of the span when its start or its end moves inwards; never nothing.

    An end does not come as close as one token to the start; a start does to the end.
    """
    start = next_word(level.borders, level.start, level.end)
    while start < level.end:
        used = put(out, used, row, start, level.end, level.label)
        if used > level.cap:
            return used
        start = next_word(level.borders, start, level.end)
    end = word_before(level.borders, level.end, level.start)
    while end > level.start + 1:
        used = put(out, used, row, level.start, end, level.label)
        if used > level.cap:
            return used
        end = word_before(level.borders, end, level.start)
    return used


@kernel
def next_word(borders: BoolArray, at: int, right: int) -> int:
    """Return the next border of words, at most ``right``."""
    at += 1
    while at < right and not borders[at]:
        at += 1
    return min(at, right)


@kernel
def word_before(borders: BoolArray, at: int, left: int) -> int:
    """Return where the word before begins, at least ``left``.

    From inside a word this is not the start of that word but of the one before it.
    """
    while at > left and not borders[at]:
        at -= 1
    at -= 1
    while at > left and not borders[at]:
        at -= 1
    return max(at, left)
