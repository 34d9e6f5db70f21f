"""The loops of the two-coin model on candidate spans."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.consensus._candidates import Candidates, next_span, seek
from spancrew.core import FloatArray, IndexArray, IntArray, kernel, kernel_part


class Marks(NamedTuple):
    """Who marked what: the answers on sentence ``s`` are ``answers[s]`` to ``answers[s + 1]``.

    Answer ``a`` is ``worker[a]``'s and marks ``candidate[first[a]]`` to ``first[a + 1]``.
    """

    answers: IntArray
    worker: IndexArray
    first: IntArray
    candidate: IntArray


class Coins(NamedTuple):
    """What a worker's mark says, by worker and label, as logarithms of odds.

    ``yes`` is what a mark adds to the odds that a candidate is true, ``no`` what a missing mark
    adds, ``prior`` what the odds of each label are before. The last worker is one of whom nothing
    is known.
    """

    yes: FloatArray
    no: FloatArray
    prior: FloatArray


class MarkCounts(NamedTuple):
    """How many true and false candidates each worker met, and how many of them marked.

    ``right`` and ``wrong`` count the candidates of each label.
    """

    true: FloatArray
    hits: FloatArray
    false: FloatArray
    slips: FloatArray
    right: FloatArray
    wrong: FloatArray


@kernel
def find_marks(
    codes: npt.NDArray[Any], offsets: IntArray, answers: IntArray, candidates: Candidates
) -> tuple[IntArray, IntArray]:
    """Return where the marks of each answer begin, and the candidate of each mark."""
    first = np.zeros(len(offsets), np.int64)
    found = np.empty(candidates.votes.sum(), np.int64)
    k = 0
    for s in range(len(answers) - 1):
        last = candidates.first[s + 1]
        for a in range(answers[s], answers[s + 1]):
            c, base = candidates.first[s], offsets[a]
            start, end = next_span(codes, base, offsets[a + 1])
            while start < end:
                c, _ = seek(candidates, c, last, codes[start], start - base, end - base)
                found[k] = c
                k += 1
                start, end = next_span(codes, end, offsets[a + 1])
            first[a + 1] = k
    return first, found


@kernel
def settle_known(
    known: npt.NDArray[Any],
    known_first: IntArray,
    candidates: Candidates,
    marks: Marks,
    chance: FloatArray,
    missed: FloatArray,
) -> None:
    """Make candidates certain where experts gave labels; count true spans that nobody marked."""
    for s in range(len(known_first) - 1):
        base, stop = known_first[s], known_first[s + 1]
        c, last = candidates.first[s], candidates.first[s + 1]
        if base < stop:
            chance[c:last] = 0.0
        start, end = next_span(known, base, stop)
        while start < end:
            c, is_there = seek(candidates, c, last, known[start], start - base, end - base)
            if is_there:
                chance[c] = 1.0
            else:
                for a in range(marks.answers[s], marks.answers[s + 1]):
                    missed[marks.worker[a], (np.int64(known[start]) - 1) // 2] += 1.0
            start, end = next_span(known, end, stop)


@kernel
def estimate(
    candidates: Candidates, marks: Marks, coins: Coins, known_first: IntArray, chance: FloatArray
) -> None:
    """Write the probability of every candidate where no expert gave labels."""
    silence = np.zeros(len(coins.prior))
    labels = np.empty(len(coins.prior), np.int64)
    for s in range(len(marks.answers) - 1):
        if known_first[s + 1] > known_first[s]:
            continue
        _add_silence(candidates, s, marks, coins, labels, silence)
        first, last = candidates.first[s], candidates.first[s + 1]
        for c in range(first, last):
            chance[c] = coins.prior[candidates.label[c]] + silence[candidates.label[c]]
        _add_marks(candidates, s, marks, coins, chance)
        for c in range(first, last):
            chance[c] = 1.0 / (1.0 + np.exp(-chance[c]))


@kernel_part
def _add_silence(
    candidates: Candidates,
    s: int,
    marks: Marks,
    coins: Coins,
    labels: IntArray,
    silence: FloatArray,
) -> None:
    """Sum up for each label what it would say if nobody had marked a candidate."""
    size = _labels_of(candidates, s, labels, silence)
    for a in range(marks.answers[s], marks.answers[s + 1]):
        worker = min(marks.worker[a], len(coins.no) - 1)
        for k in range(size):
            silence[labels[k]] += coins.no[worker, labels[k]]


@kernel_part
def _add_marks(
    candidates: Candidates, s: int, marks: Marks, coins: Coins, chance: FloatArray
) -> None:
    for a in range(marks.answers[s], marks.answers[s + 1]):
        worker = min(marks.worker[a], len(coins.no) - 1)
        for k in range(marks.first[a], marks.first[a + 1]):
            c = marks.candidate[k]
            label = candidates.label[c]
            chance[c] += coins.yes[worker, label] - coins.no[worker, label]


@kernel_part
def _labels_of(candidates: Candidates, s: int, labels: IntArray, sums: FloatArray) -> int:
    """Write the labels that the candidates of a sentence have; set their sums to 0."""
    count = 0
    for c in range(candidates.first[s], candidates.first[s + 1]):
        sums[candidates.label[c]] = np.nan
    for c in range(candidates.first[s], candidates.first[s + 1]):
        label = candidates.label[c]
        if np.isnan(sums[label]):
            sums[label] = 0.0
            labels[count] = label
            count += 1
    return count


@kernel
def count(candidates: Candidates, marks: Marks, chance: FloatArray, tally: MarkCounts) -> None:
    """Count candidates as far as they are true, for everybody who met them."""
    true, false = np.zeros(len(tally.right)), np.zeros(len(tally.right))
    labels = np.empty(len(tally.right), np.int64)
    for s in range(len(marks.answers) - 1):
        size = _labels_of(candidates, s, labels, true)
        false[labels[:size]] = 0.0
        for c in range(candidates.first[s], candidates.first[s + 1]):
            true[candidates.label[c]] += chance[c]
            false[candidates.label[c]] += 1.0 - chance[c]
        for label in labels[:size]:
            tally.right[label] += true[label]
            tally.wrong[label] += false[label]
        for a in range(marks.answers[s], marks.answers[s + 1]):
            worker = marks.worker[a]
            for label in labels[:size]:
                tally.true[worker, label] += true[label]
                tally.false[worker, label] += false[label]
            _count_marks(candidates, marks, a, chance, tally)


@kernel_part
def _count_marks(
    candidates: Candidates, marks: Marks, a: int, chance: FloatArray, tally: MarkCounts
) -> None:
    for c in marks.candidate[marks.first[a] : marks.first[a + 1]]:
        tally.hits[marks.worker[a], candidates.label[c]] += chance[c]
        tally.slips[marks.worker[a], candidates.label[c]] += 1.0 - chance[c]
