"""Kernels that count what an answer got right, label by label.

A tally has a row per class (label; or tag, for tokens) and four columns: credit of the answer's
spans, credit of the gold spans, number of answer spans, number of gold spans. Precision is the
first over the third, recall the second over the fourth, so tallies add up over sentences.
A micro average is a tally with a single class for all labels; for tokens, O is then left out.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, kernel, kernel_part

TOKEN, EXACT, PROPORTIONAL, AUTHORS = 0, 1, 2, 3
COLUMNS = 4

Codes = npt.NDArray[Any]


@kernel_part
def span_end(codes: Codes, start: int) -> int:
    """Return the end of the span that begins at ``start``."""
    end = start + 1
    while end < len(codes) and codes[end] == codes[start] + 1:
        end += 1
    return end


@kernel_part
def span_start(codes: Codes, inside: int) -> int:
    """Return the start of the span that covers the token ``inside``."""
    start = inside
    while start > 0 and codes[start] % 2 == 0:
        start -= 1
    return start


@kernel_part
def tally_token(answer: Codes, gold: Codes, macro: bool, out: FloatArray) -> None:
    """Count tokens per tag."""
    for i in range(len(gold)):
        a, g = answer[i], gold[i]
        if macro or a > 0:
            out[a if macro else 0, 2] += 1
        if macro or g > 0:
            out[g if macro else 0, 3] += 1
            if a == g:
                out[g if macro else 0, 0] += 1
                out[g if macro else 0, 1] += 1


@kernel_part
def tally_exact(answer: Codes, gold: Codes, macro: bool, out: FloatArray) -> None:
    """Count spans that agree in both borders and label."""
    for i in range(len(gold)):
        if gold[i] % 2 == 1:
            out[gold[i] // 2 if macro else 0, 3] += 1
        if answer[i] % 2 == 0:
            continue
        label = answer[i] // 2 if macro else 0
        out[label, 2] += 1
        if answer[i] == gold[i] and span_end(answer, i) == span_end(gold, i):
            out[label, 0] += 1
            out[label, 1] += 1


@kernel_part
def overlap_credit(gold: Codes, begin: int, start: int, end: int, distinct: bool) -> float:
    """Sum overlap / gold length over the gold spans of one label under ``start`` to ``end``.

    ``begin`` is the code that opens the label. ``distinct`` counts equal shares once, which is
    what the authors' code does by keeping them in a set.
    """
    shares = np.empty(end - start)
    count = 0
    credit = 0.0
    i = start
    while i < end:
        if gold[i] != begin and gold[i] != begin + 1:
            i += 1
            continue
        first = span_start(gold, i)
        last = span_end(gold, first)
        if gold[first] != begin or last <= i:
            i += 1  # an I that continues nothing, as a vote can have: it is in no span
            continue
        share = (min(end, last) - i) / (last - first)
        i = last
        is_new = True
        for k in range(count if distinct else 0):
            is_new = is_new and shares[k] != share
        if is_new:
            credit += share
        shares[count] = share
        count += 1
    return credit


@kernel_part
def tally_proportional(
    answer: Codes, gold: Codes, authors: bool, macro: bool, out: FloatArray
) -> None:
    """Credit spans by their overlap with gold spans of the same label."""
    for i in range(len(gold)):
        if gold[i] % 2 == 1:
            out[gold[i] // 2 if macro else 0, 3] += 1
        if answer[i] % 2 == 0:
            continue
        label = answer[i] // 2 if macro else 0
        credit = overlap_credit(gold, answer[i], i, span_end(answer, i), authors)
        out[label, 0] += credit if authors else min(credit, 1.0)
        out[label, 1] += credit
        out[label, 2] += 1


@kernel_part
def reduce_tally(counts: FloatArray, empty: float, out: FloatArray) -> None:
    """Turn a tally into precision, recall and F1, averaged over the classes that occur."""
    out[:] = 0.0
    classes = 0
    for k in range(len(counts)):
        if counts[k, 2] + counts[k, 3] > 0:
            add_ratios(counts[k], out)
            classes += 1
    if classes == 0:
        out[:] = empty
    elif classes > 1:
        out /= classes


@kernel_part
def add_ratios(row: FloatArray, out: FloatArray) -> None:
    """Add the precision, recall and F1 of one row of a tally; a ratio over nothing is 0."""
    precision = row[0] / row[2] if row[2] > 0 else 0.0
    recall = row[1] / row[3] if row[3] > 0 else 0.0
    out[0] += precision
    out[1] += recall
    if precision + recall > 0:
        out[2] += 2 * precision * recall / (precision + recall)


class MetricNumbers(NamedTuple):
    """A metric for kernels: its number, whether it averages over classes, the score of nothing."""

    number: int
    macro: bool
    empty: float


class Pairs(NamedTuple):
    """Which rows of which codes are compared: ``rows[k]`` with ``gold_rows[k]``.

    Row ``a`` of the answers begins at ``starts[a]``, and is as long as the row of gold.
    """

    answers: Codes
    starts: IntArray
    gold: Codes
    gold_offsets: IntArray
    rows: IntArray
    gold_rows: IntArray


@kernel_part
def pair_at(pairs: Pairs, k: int) -> tuple[Codes, Codes]:
    """Return the codes of pair ``k``, first those of the answer."""
    start, g = pairs.starts[pairs.rows[k]], pairs.gold_rows[k]
    gold = pairs.gold[pairs.gold_offsets[g] : pairs.gold_offsets[g + 1]]
    return pairs.answers[start : start + len(gold)], gold


@kernel_part
def tally_pair(metric: int, macro: bool, answer: Codes, gold: Codes, out: FloatArray) -> None:
    """Add a pair to a tally."""
    if metric == TOKEN:
        tally_token(answer, gold, macro, out)
    elif metric == EXACT:
        tally_exact(answer, gold, macro, out)
    else:
        tally_proportional(answer, gold, metric == AUTHORS, macro, out)


@kernel
def tally_groups(metric: int, macro: bool, pairs: Pairs, group: IntArray, out: FloatArray) -> None:
    """Add every pair to the tally of its group."""
    for k in range(len(pairs.rows)):
        answer, gold = pair_at(pairs, k)
        tally_pair(metric, macro, answer, gold, out[group[k]])


@kernel
def score_pairs(metric: MetricNumbers, pairs: Pairs, classes: int) -> FloatArray:
    """Return precision, recall and F1 of every pair on its own."""
    out = np.empty((len(pairs.rows), 3))
    counts = np.empty((classes, 4))
    for k in range(len(pairs.rows)):
        answer, gold = pair_at(pairs, k)
        score_on(metric, answer, gold, counts, out[k])
    return out


@kernel_part
def score_on(
    metric: MetricNumbers, answer: Codes, gold: Codes, counts: FloatArray, out: FloatArray
) -> None:
    """Write precision, recall and F1 of one answer; ``counts`` is room for its tally."""
    if are_same(answer, gold):
        out[:] = 1.0
        return
    counts[:] = 0.0
    tally_pair(metric.number, metric.macro, answer, gold, counts)
    reduce_tally(counts, metric.empty, out)


@kernel_part
def are_same(answer: Codes, gold: Codes) -> bool:
    """Tell whether a pair has the same codes and a span; such pairs are frequent and score 1."""
    begins = False
    for i in range(len(gold)):
        if answer[i] != gold[i]:
            return False
        begins |= gold[i] % 2 == 1
    return begins


@kernel
def score_tallies(tallies: FloatArray, empty: float) -> FloatArray:
    """Return precision, recall and F1 of every group's tally."""
    out = np.empty((len(tallies), 3))
    for k in range(len(tallies)):
        reduce_tally(tallies[k], empty, out[k])
    return out
