"""Put experts' labels in the place of what the crowd is believed to say."""

import numpy as np

from spancrew.consensus._base import Beliefs
from spancrew.core import Ragged


def clamped(beliefs: Beliefs, known: Ragged | None) -> Beliefs:
    """Return beliefs in which experts' labels are certain; an empty row of ``known`` is silent."""
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
