"""What went wrong in answers: every wrong span taken apart into basic kinds of error."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import BoolArray, Dataset, IntArray, Ragged, SpanTable, kernel, span_table

ERROR_KINDS = ("shift", "expand", "shrink", "missed", "spurious", "mislabelled")
_SHIFT, _EXPAND, _SHRINK, _MISSED, _SPURIOUS, _MISLABELLED = (1 << k for k in range(6))
_NONE = -1


class ErrorTable(NamedTuple):
    """Wrong spans as columns: answer, kinds as bits, the gold span and the answer's span.

    Bit ``k`` of ``kinds`` stands for ``ERROR_KINDS[k]``. A missed span has no span of the answer
    and a spurious one no gold span: start and end are then -1.
    """

    answer: IntArray
    kinds: IntArray
    gold_start: IntArray
    gold_end: IntArray
    start: IntArray
    end: IntArray

    def has(self, kind: str) -> BoolArray:
        """Tell for every row whether the kind is part of it."""
        return np.bitwise_and(self.kinds, 1 << ERROR_KINDS.index(kind)) > 0


def error_name(kinds: int) -> str:
    """Return the kinds of one error joined by plus signs.

    >>> error_name(0b100001)
    'shift+mislabelled'
    """
    return "+".join(name for k, name in enumerate(ERROR_KINDS) if kinds >> k & 1)


def error_table(dataset: Dataset) -> ErrorTable:
    """Take apart every wrong span of every answer whose sentence has gold.

    Spans are paired by the largest overlap, equal labels first, leftmost first; what has no
    partner is missed or spurious. A partner with other borders is shifted (same length), expanded
    (covers the gold span), shrunk (lies inside it), or both shifted and expanded or shrunk; with
    another label it is mislabelled as well.
    """
    rows = np.flatnonzero(dataset.has_gold[dataset.answers.sentence])
    given = span_table(dataset.answers.codes)
    gold = span_table(dataset.gold)
    columns = _take_apart(
        rows,
        dataset.answers.sentence[rows].astype(np.int64),
        given,
        _first(given, dataset.answers.codes),
        gold,
        _first(gold, dataset.gold),
    )
    return ErrorTable(*columns.T)


def _first(table: SpanTable, codes: Ragged) -> IntArray:
    """Return where the spans of each row begin in the table."""
    return np.searchsorted(table.row, np.arange(len(codes) + 1)).astype(np.int64)


@kernel
def _take_apart(
    rows: IntArray,
    sentences: IntArray,
    given: SpanTable,
    given_first: IntArray,
    gold: SpanTable,
    gold_first: IntArray,
) -> npt.NDArray[Any]:
    most = 0
    for k in range(len(rows)):
        most += given_first[rows[k] + 1] - given_first[rows[k]]
        most += gold_first[sentences[k] + 1] - gold_first[sentences[k]]
    out = np.empty((most, 6), np.int64)
    count = 0
    for k in range(len(rows)):
        a, a_end = given_first[rows[k]], given_first[rows[k] + 1]
        g, g_end = gold_first[sentences[k]], gold_first[sentences[k] + 1]
        partner = _pair_up(given, a, a_end, gold, g, g_end)
        for i in range(g, g_end):
            if not np.any(partner == i):
                out[count] = (rows[k], _MISSED, gold.start[i], gold.end[i], _NONE, _NONE)
                count += 1
        for i in range(a, a_end):
            j = partner[i - a]
            if j == _NONE:
                out[count] = (rows[k], _SPURIOUS, _NONE, _NONE, given.start[i], given.end[i])
                count += 1
                continue
            kinds = _compare(given, i, gold, j)
            if kinds:
                out[count] = (
                    rows[k], kinds, gold.start[j], gold.end[j], given.start[i], given.end[i],
                )  # fmt: skip
                count += 1
    return out[:count]


@kernel
def _pair_up(
    given: SpanTable, a: int, a_end: int, gold: SpanTable, g: int, g_end: int
) -> IntArray:
    """Return for each given span its gold span, or -1."""
    partner = np.full(a_end - a, _NONE, np.int64)
    taken = np.zeros(g_end - g, np.bool_)
    while True:
        best = best_i = best_j = 0
        for i in range(a, a_end):
            if partner[i - a] != _NONE:
                continue
            for j in range(g, g_end):
                overlap = min(given.end[i], gold.end[j]) - max(given.start[i], gold.start[j])
                if taken[j - g] or overlap <= 0:
                    continue
                rank = 2 * overlap + (given.label[i] == gold.label[j])
                if rank > best:
                    best, best_i, best_j = rank, i, j
        if best == 0:
            return partner
        partner[best_i - a] = best_j
        taken[best_j - g] = True


@kernel
def _compare(given: SpanTable, i: int, gold: SpanTable, j: int) -> int:
    """Return the kinds of error of one pair; 0 if the spans are equal."""
    left = given.start[i] - gold.start[j]
    right = given.end[i] - gold.end[j]
    kinds = 0
    if left * right > 0:  # both borders moved the same way
        kinds |= _SHIFT
    if right - left > 0:
        kinds |= _EXPAND
    elif right - left < 0:
        kinds |= _SHRINK
    if given.label[i] != gold.label[j]:
        kinds |= _MISLABELLED
    return kinds
