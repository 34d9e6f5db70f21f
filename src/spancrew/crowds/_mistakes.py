"""The vocabulary of mistakes, by class of gold span."""

import numpy as np

from spancrew.core import IntArray
from spancrew.crowds._evidence import Evidence
from spancrew.crowds._features import LENGTHS, Features
from spancrew.crowds._tables import CORRECT, KIND, MISSED, MISTAKE, Mistakes, records


def collect_mistakes(
    evidence: Evidence, features: Features, labels: int
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
    moved = (left != 0) | (right != 0)
    sort = np.where(keys == 0, 0, (label >= 0) + 2 * moved)
    outcome = np.full(len(evidence.key), CORRECT, np.int64)
    outcome[wrong] = row[1:]
    seen, first = _by_class(outcome[wrong], features, evidence.span[wrong], labels)
    known = records(MISTAKE, left, right, label, sort)
    kinds = records(KIND, first[:-1], np.diff(first), _parents(labels))
    return Mistakes(known, seen, kinds), outcome


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
