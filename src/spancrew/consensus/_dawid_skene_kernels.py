"""The loops of Dawid and Skene's method."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.consensus._sheets import AnswerSheets
from spancrew.consensus._token_beliefs import (
    certainty,
    expected_spans,
    most_likely,
    span_chances,
)
from spancrew.core import BoolArray, FloatArray, IndexArray, IntArray, kernel, kernel_part


class Confusion(NamedTuple):
    """What is known of every worker, as logarithms of probabilities.

    ``rates`` has a row for every code that a worker gave in the evidence: how likely the worker
    gives it under each true code; ``row`` tells which one it is, -1 where the worker never gave
    the code. Few workers give many codes, so this is far smaller than a matrix for each. A code
    without a row has the ``right`` or ``wrong`` of the prior, less the worker's ``total`` under
    each true code. The last worker is one of whom nothing is known. ``prior`` is of true codes.
    """

    prior: FloatArray
    row: IndexArray
    rates: FloatArray
    total: FloatArray
    right: float
    wrong: float


class CodeCounts(NamedTuple):
    """How often each worker is thought to have given each code under each true one.

    ``counts`` has the rows of :class:`Confusion`; ``prior`` counts the true codes.
    """

    counts: FloatArray
    prior: FloatArray


@kernel
def given_codes(sheets: AnswerSheets, workers: int, classes: int) -> BoolArray:
    """Tell for every worker, and one more, which codes the worker gave."""
    given = np.zeros((workers + 1, classes), np.bool_)
    for a in range(len(sheets.worker)):
        for k in range(sheets.offsets[a], sheets.offsets[a + 1]):
            given[sheets.worker[a], sheets.codes[k]] = True
    return given


@kernel
def count(
    sheets: AnswerSheets,
    known: npt.NDArray[Any],
    known_first: IntArray,
    confusion: Confusion,
    by_votes: bool,
    row: IndexArray,
    tally: CodeCounts,
) -> None:
    """Count each code as far as it is true: by the votes, else by what is known of workers.

    Where an expert has given labels, these are true.
    """
    chance = np.empty(len(tally.prior))
    for s in range(len(sheets.first) - 1):
        first, last = sheets.first[s], sheets.first[s + 1]
        is_known = known_first[s + 1] > known_first[s]
        if first == last and not is_known:
            continue
        for token in range(sheets.begins[s + 1] - sheets.begins[s]):
            if is_known:
                chance[:] = 0.0
                chance[known[known_first[s] + token]] = 1.0
            elif by_votes:
                _shares(sheets, first, last, token, chance)
            else:
                _posterior(sheets, confusion, first, last, token, chance)
            _count(sheets, first, last, token, row, chance, tally)


@kernel_part
def _shares(sheets: AnswerSheets, first: int, last: int, token: int, chance: FloatArray) -> None:
    chance[:] = 0.0
    for a in range(first, last):
        chance[sheets.codes[sheets.offsets[a] + token]] += 1.0 / (last - first)


@kernel_part
def _count(
    sheets: AnswerSheets,
    first: int,
    last: int,
    token: int,
    row: IndexArray,
    chance: FloatArray,
    tally: CodeCounts,
) -> None:
    for code in range(len(chance)):
        tally.prior[code] += chance[code]
    for a in range(first, last):
        counts = tally.counts[row[sheets.worker[a], sheets.codes[sheets.offsets[a] + token]]]
        for code in range(len(chance)):
            counts[code] += chance[code]


@kernel_part
def _posterior(
    sheets: AnswerSheets,
    confusion: Confusion,
    first: int,
    last: int,
    token: int,
    chance: FloatArray,
) -> None:
    """Write the probability of every code of a token."""
    for true in range(len(chance)):
        chance[true] = confusion.prior[true]
    for a in range(first, last):
        worker = min(sheets.worker[a], len(confusion.row) - 1)
        given = sheets.codes[sheets.offsets[a] + token]
        row = confusion.row[worker, given]
        for true in range(len(chance)):
            if row >= 0:
                chance[true] += confusion.rates[row, true]
            else:
                rate = confusion.right if given == true else confusion.wrong
                chance[true] += rate - confusion.total[worker, true]
    most = chance[0]
    for true in range(1, len(chance)):
        most = max(most, chance[true])
    total = 0.0
    for true in range(len(chance)):
        chance[true] = np.exp(chance[true] - most)
        total += chance[true]
    for true in range(len(chance)):
        chance[true] /= total


@kernel
def write_chances(sheets: AnswerSheets, confusion: Confusion, chance: FloatArray) -> None:
    """Write the probabilities of the codes of all tokens."""
    for s in range(len(sheets.first) - 1):
        first, last = sheets.first[s], sheets.first[s + 1]
        for token in range(sheets.begins[s + 1] - sheets.begins[s]):
            _posterior(sheets, confusion, first, last, token, chance[sheets.begins[s] + token])


@kernel
def judge_tokens(
    sheets: AnswerSheets, confusion: Confusion, labels: npt.NDArray[Any], spans: FloatArray
) -> tuple[BoolArray, FloatArray, FloatArray, FloatArray]:
    """Write labels and their probabilities; return what is by sentence."""
    count = len(sheets.first) - 1
    contested = np.zeros(count, np.bool_)
    confidence, errors, expected = np.zeros(count), np.zeros(count), np.zeros(count)
    longest = 0
    for s in range(count):
        longest = max(longest, sheets.begins[s + 1] - sheets.begins[s])
    chance = np.empty((longest, len(confusion.prior)))
    for s in range(count):
        first, last = sheets.first[s], sheets.first[s + 1]
        if first == last:
            continue
        start, stop = sheets.begins[s], sheets.begins[s + 1]
        for token in range(stop - start):
            _posterior(sheets, confusion, first, last, token, chance[token])
        contested[s] = most_likely(chance, labels[start:stop])
        confidence[s] = certainty(chance, labels[start:stop])
        expected[s] = expected_spans(chance, stop - start)
        found, likely = span_chances(chance, labels[start:stop], spans[start:stop])
        errors[s] = max(found + expected[s] - 2.0 * likely, 0.0)
    return contested, confidence, errors, expected
