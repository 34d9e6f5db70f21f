"""What is forecast of a campaign, as a row of four numbers."""

from collections.abc import Sequence

import numpy as np

from spancrew.core import FloatArray, people_among
from spancrew.simulate import EXACT, Outcome

F1 = 0
"""The place of the final F1 among figures."""
SENT = 1
"""The place of the share that the rule sends to experts."""
AUDITED, ANSWERS = 2, 3
"""The places of what is audited, and of the answers, by sentence."""

_SMOOTH = 0.01
"""Added to both sides of odds, so that a ratio of two small ones means little."""

_ODDS = [F1, SENT]
"""Figures that are shares of something, which correct each other by their odds."""


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
    same sentences, by candidate. Odds of being right, and of being sent to experts, are multiplied
    by the ratio of both, so that no correction leads beyond nothing or everything: to cut it off
    there would be a bias. All else is moved by the difference. A rule that is steered to a share
    of experts misses it on a small pilot, but not in a campaign.
    """
    moved = model + real - same
    ratio = _odds(real[..., _ODDS]) / _odds(same[..., _ODDS])
    moved[..., _ODDS] = _share(_odds(model[..., _ODDS]) * ratio)
    moved[is_steered, SENT] = model[is_steered, SENT]
    return bounded(moved)


def _odds(share: FloatArray) -> FloatArray:
    odds: FloatArray = (share + _SMOOTH) / (1 - share + _SMOOTH)
    return odds


def _share(odds: FloatArray) -> FloatArray:
    share: FloatArray = (odds * (1 + _SMOOTH) - _SMOOTH) / (1 + odds)
    return share


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
