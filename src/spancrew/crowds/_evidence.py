"""What real answers say about each gold span, and the mistakes that were made."""

from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, IntArray, Ragged
from spancrew.crowds._features import LENGTHS, Features
from spancrew.crowds._tables import (
    ANSWER,
    CORRECT,
    KIND,
    MARKED,
    MISSED,
    MISTAKE,
    SORTS,
    History,
    Mistakes,
    records,
)
from spancrew.metrics import NOBODY, Pairing, pair_spans

_SPREAD = 1 << 20
"""Borders move by less than this; it keeps the parts of a key apart."""


class MistakeEvidence(NamedTuple):
    """Answers taken apart.

    ``worker`` and ``sentence`` are per answer. ``key`` is a number for each pair of an answer and
    a gold span: -1 correct, 0 missed, else one that two equal mistakes share; ``answer`` and
    ``span`` say which pair it is. ``left``, ``right`` and ``label`` (-1: the right one) are the
    mistake itself. ``extra`` are the given spans without a partner.
    """

    worker: IntArray
    sentence: IntArray
    key: IntArray
    answer: IntArray
    span: IntArray
    left: IntArray
    right: IntArray
    label: IntArray
    extra: IntArray
    pairing: Pairing


def take_apart(
    codes: Ragged, gold: Ragged, sentence: IntArray, worker: IntArray
) -> MistakeEvidence:
    """Compare every answer with the gold of its sentence."""
    pairing = pair_spans(codes, gold, sentence)
    answer = np.repeat(np.arange(len(sentence)), np.diff(pairing.found_first))
    place = np.arange(len(answer)) - pairing.found_first[answer]
    span = pairing.gold_first[sentence[answer]] + place
    # One more row at the end stands for what was not found, number -1.
    start, end, label = (np.append(column, 0)[pairing.found] for column in pairing.given[1:])
    found = pairing.found != NOBODY
    left = np.where(found, start - pairing.gold.start[span], 0)
    right = np.where(found, end - pairing.gold.end[span], 0)
    relative = np.where(found & (label != pairing.gold.label[span]), label, -1)
    key = 1 + ((relative + 1) * 2 * _SPREAD + left + _SPREAD) * 2 * _SPREAD + right + _SPREAD
    key[~found] = 0
    key[found & (left == 0) & (right == 0) & (relative < 0)] = CORRECT
    extra = np.flatnonzero(pairing.partner == NOBODY)
    return MistakeEvidence(
        worker, sentence, key, answer, span, left, right, relative, extra, pairing
    )


def evidence_of(dataset: Dataset) -> MistakeEvidence:
    """Take apart all answers of a data set that have gold."""
    rows = np.flatnonzero(dataset.has_gold[dataset.answers.sentence])
    return take_apart(
        dataset.answers.codes.take(rows),
        dataset.gold,
        dataset.answers.sentence[rows].astype(np.int64),
        dataset.answers.worker[rows].astype(np.int64),
    )


def history_of(evidence: MistakeEvidence, outcome: IntArray, sentences: int) -> History:
    """Arrange the evidence for drawing; ``outcome`` has the row of the mistakes for each pair."""
    given = evidence.pairing.given
    extra = evidence.extra
    owned = np.searchsorted(given.row[extra], np.arange(len(evidence.worker) + 1))
    found = evidence.pairing.found_first[:-1]
    return History(
        first=np.searchsorted(evidence.sentence, np.arange(sentences + 1)).astype(np.int64),
        answer=records(ANSWER, evidence.worker, found, owned[:-1], owned[1:]),
        outcome=outcome,
        marked=records(MARKED, given.start[extra], given.end[extra], given.label[extra]),
    )


def no_history(sentences: int) -> History:
    """Return a history in which nobody has answered anything."""
    none = np.zeros(0, np.int64)
    first = np.zeros(sentences + 1, np.int64)
    return History(first, np.zeros(0, ANSWER), none, np.zeros(0, MARKED))


def collect_mistakes(
    evidence: MistakeEvidence, features: Features, labels: int
) -> tuple[Mistakes, IntArray]:
    """Return all mistakes and, for each pair of answer and gold span, the row of its mistake.

    Classes of spans are label and length; then length alone; then all. Missed is always known.
    """
    wrong = np.flatnonzero(evidence.key != CORRECT)
    keys, first_seen, row = np.unique(
        np.append(0, evidence.key[wrong]), return_index=True, return_inverse=True
    )
    place = np.append(-1, wrong)[first_seen]
    # One more row at the end, number -1, is that of a missed span.
    left, right = (np.append(column, 0)[place] for column in (evidence.left, evidence.right))
    label = np.append(evidence.label, -1)[place]
    sort = sorts_of(keys, left, right, label)
    outcome = np.full(len(evidence.key), CORRECT, np.int64)
    outcome[wrong] = row[1:]
    seen, first = _by_class(outcome[wrong], features, evidence.span[wrong], labels)
    known = records(MISTAKE, left, right, label, sort)
    kinds = records(KIND, first[:-1], np.diff(first), _parents(labels))
    return Mistakes(known, seen, kinds), outcome


def sorts_of(key: IntArray, left: IntArray, right: IntArray, label: IntArray) -> IntArray:
    """Return the sort of each mistake; SORTS where there is none."""
    moved = (left != 0) | (right != 0)
    sort = np.where(key == 0, 0, (label >= 0) + 2 * moved)
    return np.where(key == CORRECT, SORTS, sort)


def mistake_class(features: Features) -> IntArray:
    """Return the narrowest class of every gold span."""
    return features.label * LENGTHS + features.length


def _by_class(
    mistakes: IntArray, features: Features, span: IntArray, labels: int
) -> tuple[IntArray, IntArray]:
    """List the mistakes of each class: those of label and length, of length, of all."""
    widest = (labels + 2) * LENGTHS
    narrow = mistake_class(features)[span]
    by_length = (labels + 1) * LENGTHS + features.length[span]
    # One missed span more in the widest class, so that there is always something to draw.
    classes = np.concatenate([narrow, by_length, np.full(len(span) + 1, widest)])
    listed = np.concatenate([mistakes, mistakes, mistakes, [MISSED]])
    order = np.argsort(classes, kind="stable")
    first = np.searchsorted(classes[order], np.arange(widest + 2))
    return listed[order], first.astype(np.int64)


def _parents(labels: int) -> IntArray:
    """Return the wider class of every class; the widest is its own."""
    by_length = (labels + 1) * LENGTHS + np.arange(LENGTHS)
    everything = (labels + 2) * LENGTHS
    return np.concatenate(
        [np.tile(by_length, labels + 1), np.full(LENGTHS, everything), [everything]]
    )
