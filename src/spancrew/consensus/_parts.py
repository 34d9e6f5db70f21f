"""Beliefs about some sentences, taken apart and put together."""

from collections.abc import Sequence

import numpy as np

from spancrew.consensus._base import Beliefs
from spancrew.core import IntArray, Ragged, offsets_of


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


def together(parts: Sequence[Beliefs]) -> Beliefs:
    """Return the beliefs about the sentences of all parts, one part after the other."""
    if len(parts) == 1:
        return parts[0]
    labels, *columns = zip(*parts, strict=True)
    lengths = np.concatenate([each.lengths for each in labels])
    values = np.concatenate([each.values for each in labels])
    return Beliefs(
        Ragged(values, offsets_of(lengths)), *(np.concatenate(each) for each in columns)
    )
