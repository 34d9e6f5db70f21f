"""Which span of an answer stands for which gold span."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import (
    IntArray,
    Ragged,
    SpanTable,
    checked_numbers,
    kernel,
    kernel_part,
    span_table,
)

NOBODY = -1


class Pairing(NamedTuple):
    """The spans of answers and of their golds, and who is whose partner.

    Spans of answer ``k`` are ``given_first[k]`` to ``given_first[k + 1]`` of ``given``; those of
    its gold are ``gold_first[r]`` on of ``gold``, with ``r`` the gold row of the answer.
    ``partner`` has a gold span, or -1, for every given span. ``found`` has a given span, or -1,
    for every pair of an answer and a gold span; those of answer ``k`` begin at ``found_first[k]``.
    """

    given: SpanTable
    given_first: IntArray
    gold: SpanTable
    gold_first: IntArray
    gold_row: IntArray
    partner: IntArray
    found: IntArray
    found_first: IntArray


def pair_spans(answers: Ragged, gold: Ragged, gold_row: npt.NDArray[np.integer]) -> Pairing:
    """Pair the spans of answer ``k`` with the gold spans of row ``gold_row[k]``.

    The largest overlap comes first, then equal labels, then the leftmost.
    """
    rows = checked_numbers("rows of gold", gold_row, count=len(answers), below=len(gold))
    rows = rows.astype(np.int64, copy=False)
    given, golden = span_table(answers), span_table(gold)
    given_first, gold_first = _first(given, answers), _first(golden, gold)
    found_first = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(np.diff(gold_first)[rows], out=found_first[1:])
    partner, found = _pair_all(given, given_first, golden, gold_first, rows, found_first)
    return Pairing(given, given_first, golden, gold_first, rows, partner, found, found_first)


def _first(table: SpanTable, codes: Ragged) -> IntArray:
    """Return where the spans of each row begin in the table."""
    return np.searchsorted(table.row, np.arange(len(codes) + 1)).astype(np.int64)


@kernel
def _pair_all(
    given: SpanTable,
    given_first: IntArray,
    gold: SpanTable,
    gold_first: IntArray,
    gold_row: IntArray,
    found_first: IntArray,
) -> tuple[IntArray, IntArray]:
    partner = np.full(len(given.start), NOBODY, np.int64)
    found = np.full(found_first[-1], NOBODY, np.int64)
    for k in range(len(gold_row)):
        g, g_end = gold_first[gold_row[k]], gold_first[gold_row[k] + 1]
        while True:
            i, j = _closest(
                given, given_first[k], given_first[k + 1], gold, g, g_end, partner, found,
                found_first[k],
            )  # fmt: skip
            if i == NOBODY:
                break
            partner[i] = j
            found[found_first[k] + j - g] = i
    return partner, found


@kernel_part
def _closest(  # noqa: PLR0913, PLR0917  a kernel gets its columns one by one
    given: SpanTable,
    a: int,
    a_end: int,
    gold: SpanTable,
    g: int,
    g_end: int,
    partner: IntArray,
    found: IntArray,
    base: int,
) -> tuple[int, int]:
    """Return the pair with the largest overlap among the spans that are still alone."""
    best, best_i, best_j = 0, NOBODY, NOBODY
    for i in range(a, a_end):
        if partner[i] != NOBODY:
            continue
        for j in range(g, g_end):
            overlap = min(given.end[i], gold.end[j]) - max(given.start[i], gold.start[j])
            if overlap <= 0 or found[base + j - g] != NOBODY:
                continue
            rank = 2 * overlap + (given.label[i] == gold.label[j])
            if rank > best:
                best, best_i, best_j = rank, i, j
    return best_i, best_j
