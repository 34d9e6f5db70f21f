"""What several methods refuse, in the same words."""

from math import inf

import numpy as np

from spancrew.consensus._base import Evidence
from spancrew.core import Ragged
from spancrew.errors import SpancrewError


def refuse_threshold(threshold: float) -> None:
    """Refuse a threshold that nothing or everything can pass."""
    if not 0 <= threshold < 1:
        raise SpancrewError(f"threshold {threshold:g}: it must be from 0 to below 1")


def refuse_rounds(iterations: int, refits: int) -> None:
    """Refuse a fit without rounds."""
    for name, value in (("iterations", iterations), ("refits", refits)):
        if value < 1:
            raise SpancrewError(f"{name} {value}: at least 1 is needed")


def refuse_weights(**weights: float) -> None:
    """Refuse counts before the first answer that are not above 0."""
    for name, value in weights.items():
        if not 0 < value < inf:
            raise SpancrewError(f"{name} {value:g}: it counts answers, so it must be above 0")


def refuse_unknown(codes: Ragged, labels: int) -> None:
    """Refuse codes of a label that the fit did not know."""
    highest = int(codes.values.max(initial=0))
    if highest > 2 * labels:
        raise SpancrewError(
            f"an answer has label number {(highest - 1) // 2}, but the model was fitted with "
            f"{labels} labels: fit again with all labels"
        )


def known_codes(evidence: Evidence) -> Ragged:
    """Return experts' codes, all rows empty if there are none."""
    if evidence.known is None:
        return Ragged(np.zeros(0, np.uint8), np.zeros(len(evidence.lengths) + 1, np.int64))
    return evidence.known
