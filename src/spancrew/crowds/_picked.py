"""Gold that was picked from the answers: workers who look better than they are together.

Where an expert takes one of the answers as gold, one worker is entirely right because of that, and
the others are not. Then two workers are right together less often than by chance. Stand-ins do not
know who else is asked, so that they cannot imitate it: they can have the F1 of the workers, and a
vote that is too good, or the vote's F1, and workers who are worse. The vote is what counts.
"""

import math

import numpy as np

from spancrew.core import FloatArray
from spancrew.crowds._moments import SAME, Moments

_SURE = 2.0
"""Standard errors below zero at which a covariance is taken for what it says; one says nothing."""


def pickedness(real: Moments) -> float:
    """Return how sure it is that gold was picked from the answers: 0 for not at all, to 1."""
    pairs = real.pair_counts[:, SAME].sum()
    spans = real.right_counts.sum()
    if pairs == 0 or spans == 0:
        return 0.0
    right = float(real.right.sum() / spans)
    covariance = float(real.pairs[:, SAME].sum() / pairs)
    error = max(right * (1 - right), 0.01) / math.sqrt(pairs)
    return float(np.clip((-covariance / error - 1) / (_SURE - 1), 0, 1))


def lifted(share: FloatArray, lift: float) -> FloatArray:
    """Return shares moved by so much in logits; 0 and 1 stay.

    >>> lifted(np.array([0.0, 0.5, 1.0]), -1.0).round(2).tolist()
    [0.0, 0.27, 1.0]
    """
    moved: FloatArray = share / (share + (1 - share) * math.exp(-lift))
    return moved
