"""What went wrong in answers: every wrong span taken apart into basic kinds of error."""

from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, Dataset, IntArray
from spancrew.metrics._pairing import NOBODY, Pairing, pair_spans

ERROR_KINDS = ("shift", "expand", "shrink", "missed", "spurious", "mislabelled")
_SHIFT, _EXPAND, _SHRINK, _MISSED, _SPURIOUS, _MISLABELLED = (1 << k for k in range(6))


class ErrorTable(NamedTuple):
    """Wrong spans as columns: answer, kinds as bits, the gold span and the answer's span.

    Bit ``k`` of ``kinds`` stands for ``ERROR_KINDS[k]``. A missed span has no span of the answer
    and a spurious one no gold span: start and end are then -1. Rows are in the order of answers.
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
    pairing = pair_spans(
        dataset.answers.codes.take(rows), dataset.gold, dataset.answers.sentence[rows]
    )
    parts = [_missed(pairing), _alone_or_wrong(pairing)]
    columns = [np.concatenate(pair) for pair in zip(*parts, strict=True)]
    order = np.lexsort((columns[4], columns[0]))
    answer, *others = (column[order] for column in columns)
    return ErrorTable(rows[answer], *others)


def _missed(pairing: Pairing) -> tuple[IntArray, ...]:
    """Return the gold spans that no span of the answer stands for."""
    places = np.flatnonzero(pairing.found == NOBODY)
    answer = np.searchsorted(pairing.found_first, places, side="right") - 1
    gold = pairing.gold_first[pairing.gold_row[answer]] + places - pairing.found_first[answer]
    nobody = np.full(len(places), NOBODY)
    kinds = np.full(len(places), _MISSED)
    return answer, kinds, pairing.gold.start[gold], pairing.gold.end[gold], nobody, nobody


def _alone_or_wrong(pairing: Pairing) -> tuple[IntArray, ...]:
    """Return the spans of answers that have no partner or differ from it."""
    given, partner = pairing.given, pairing.partner
    # One more row at the end is the partner, number -1, of those who have none.
    start, end, label = (np.append(column, NOBODY)[partner] for column in pairing.gold[1:])
    alone = partner == NOBODY
    left = np.where(alone, 0, given.start - start)
    right = np.where(alone, 0, given.end - end)
    kinds = (
        _SHIFT * (left * right > 0)  # both borders moved the same way
        + _EXPAND * (right > left)
        + _SHRINK * (right < left)
        + _SPURIOUS * alone
        + _MISLABELLED * (~alone & (given.label != label))
    )
    wrong = np.flatnonzero(kinds)
    columns = (given.row, kinds, start, end, given.start, given.end)
    return tuple(column[wrong] for column in columns)
