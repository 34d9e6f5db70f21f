"""What is forecast of a campaign, as a row of four numbers."""

from collections.abc import Sequence

import numpy as np

from spancrew.core import FloatArray, people_among
from spancrew.simulate import EXACT, Outcome

F1, SENT, AUDITED, ANSWERS = range(4)
"""F1 of the final labels; then by sentence: sent to experts by the rule, audited, answers."""

_SMOOTH = 0.01
"""Added to both rates of errors, so that a ratio of two small ones means little."""


def figures_of(outcome: Outcome) -> FloatArray:
    """Return the figures of every run (runs x 4); the warm-up stands apart."""
    first = len(people_among(outcome.workers)) if outcome.setting.warms_up else 0
    return np.stack(
        [
            outcome.final[EXACT][:, -1, 2],
            outcome.expert_share,
            outcome.audited / outcome.sentences,
            (outcome.asked - first) / outcome.sentences,
        ],
        axis=1,
    )


def corrected(
    model: FloatArray, real: FloatArray, same: FloatArray, is_steered: Sequence[bool]
) -> FloatArray:
    """Correct a model's figures by what is wrong with it where the truth is known.

    ``real`` and ``same`` are what real answers and the model's give by the same workers on the
    same sentences, by candidate. Errors are scaled by the ratio of both, as they shrink with what
    experts do; everything else is moved by the difference. A rule that is steered to a share of
    experts misses it on a small pilot, but not in a campaign.
    """
    moved = model + real - same
    moved[is_steered, SENT] = model[is_steered, SENT]
    ratio = (1 - real[..., F1] + _SMOOTH) / (1 - same[..., F1] + _SMOOTH)
    moved[..., F1] = 1 - (1 - model[..., F1]) * ratio
    return bounded(moved)


def bounded(figures: FloatArray) -> FloatArray:
    """Return figures that are possible: shares from 0 to 1, and no negative number of answers.

    What the rule sends to experts is not audited.
    """
    found = np.maximum(figures, 0.0)
    found[..., :ANSWERS] = np.minimum(found[..., :ANSWERS], 1.0)
    found[..., AUDITED] = np.minimum(found[..., AUDITED], 1 - found[..., SENT])
    return found


def grown(half: FloatArray, whole: FloatArray, size: int, sentences: int) -> FloatArray:
    """Extrapolate figures at half a size and at the whole size to more sentences.

    What is still to be learned is taken to shrink with the number of sentences.

    >>> grown(np.array([0.90]), np.array([0.94]), 1_000, 10**12).round(6).tolist()
    [0.98]
    """
    return whole + (whole - half) * (1 - size / max(sentences, size))
