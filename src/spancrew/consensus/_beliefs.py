"""Beliefs about sentences: taken apart, put together, and made certain by experts."""

from collections.abc import Sequence

import numpy as np

from spancrew.consensus._base import Beliefs
from spancrew.core import IntArray, Ragged


def taken(beliefs: Beliefs, rows: IntArray) -> Beliefs:
    """Return the beliefs about some sentences, in the given order."""
    spans = Ragged(beliefs.spans, beliefs.labels.offsets).take(rows).values
    by_sentence = (beliefs.confidence, beliefs.errors, beliefs.expected)
    return Beliefs(
        beliefs.labels.take(rows),
        beliefs.contested[rows],
        spans,
        *(column[rows] for column in by_sentence),
    )


def first_of(beliefs: Beliefs, count: int) -> Beliefs:
    """Return the beliefs about the first sentences, without a copy."""
    labels = beliefs.labels.within(0, count)
    by_sentence = (beliefs.confidence, beliefs.errors, beliefs.expected)
    return Beliefs(
        labels,
        beliefs.contested[:count],
        beliefs.spans[: len(labels.values)],
        *(column[:count] for column in by_sentence),
    )


def together(parts: Sequence[Beliefs]) -> Beliefs:
    """Return the beliefs about the sentences of all parts, one part after the other."""
    if len(parts) == 1:
        return parts[0]
    labels, *columns = zip(*parts, strict=True)
    return Beliefs(Ragged.joined(labels), *(np.concatenate(each) for each in columns))


def clamped(beliefs: Beliefs, known: Ragged | None) -> Beliefs:
    """Return beliefs in which experts' labels are certain; empty rows of ``known`` are none."""
    if known is None or not len(known.values):
        return beliefs
    is_known = known.lengths > 0
    tokens = np.repeat(is_known, beliefs.labels.lengths)
    labels = beliefs.labels.values.copy()
    labels[tokens] = known.values
    begins = labels % 2 == 1
    sure = beliefs._replace(labels=Ragged(labels, beliefs.labels.offsets))
    return sure._replace(
        contested=beliefs.contested & ~is_known,
        spans=np.where(tokens, begins, beliefs.spans),
        confidence=np.where(is_known, 1.0, beliefs.confidence),
        errors=np.where(is_known, 0.0, beliefs.errors),
        expected=np.where(is_known, sure.found, beliefs.expected),
    )
