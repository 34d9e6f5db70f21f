"""How right and true spans are predicted: by what was stated, improved on by the audits."""

from typing import NamedTuple

import numpy as np

from spancrew.certificates._part import Part, PartCounts
from spancrew.core import FloatArray

_TRUSTED = 20.0
"""Audits that would have to speak against the consensus to count as much as its own word."""

_COLUMNS = 3


class Prediction(NamedTuple):
    """What is added to the stated right and true spans, by delivered, stated right, stated true.

    The same for every label, so that the sums over labels are those of the whole. ``leverage``
    says how much each audit has drawn its own prediction to itself.
    """

    right: FloatArray
    true: FloatArray
    leverage: FloatArray


AS_STATED = Prediction(np.zeros(_COLUMNS), np.zeros(_COLUMNS), np.zeros(1))


def learned(part: Part) -> Prediction:
    """Return the prediction that fits the audits, drawn towards what was stated.

    A ridge regression of what the statement missed. Predictions need not be right, as the audit
    corrects their mean; good ones make intervals narrow. While there are few audits, the
    regression would follow chance, so it is held back.
    """
    columns = np.column_stack(part.stated)
    spread = columns - columns.mean(axis=0)
    sample = columns[part.drawn]
    off = sample - sample.mean(axis=0)
    ridge = _TRUSTED * (spread.T @ spread) / len(columns) + 1e-9 * np.eye(_COLUMNS)
    missed = np.column_stack((part.found.right - sample[:, 1], part.found.true - sample[:, 2]))
    pull = np.linalg.solve(off.T @ off + ridge, off.T)
    slopes = pull @ (missed - missed.mean(axis=0))
    leverage = np.einsum("ij,ji->i", off, pull)
    return Prediction(slopes[:, 0], slopes[:, 1], np.clip(leverage, 0.0, 0.9))


def predicted(stated: PartCounts, prediction: Prediction) -> PartCounts:
    """Return stated counts with what the prediction adds."""
    columns = np.column_stack(stated)
    return PartCounts(
        stated.delivered,
        stated.right + columns @ prediction.right,
        stated.true + columns @ prediction.true,
    )
