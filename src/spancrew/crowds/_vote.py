"""How often the majority vote is right where workers agree more, or less."""

import numpy as np

from spancrew.consensus import majority_vote
from spancrew.core import Answers, FloatArray, Ragged, span_table
from spancrew.crowds._figures import BANDS, UNANIMOUS
from spancrew.crowds._tables import sum_by
from spancrew.metrics import Metric

_EDGES = np.array([*(high for _, high in BANDS[:-2]), UNANIMOUS - 2e-9]) + 1e-9
"""Where bands of kappa end; rounding does not move a sentence to another one."""

_FEW = 40.0
"""Spans; a band with so few counts half."""


def ranks(kappa: FloatArray, scale: FloatArray) -> FloatArray:
    """Return the share of the sorted scale below each value; equal ones count half.

    Unlike a mean, that of the ranks is not led by the few sentences at one end.

    >>> ranks(np.array([0.2, 0.5, 1.0, np.nan]), np.array([0.5, 0.5, 1.0, 1.0])).tolist()
    [0.0, 0.25, 0.75, nan]
    """
    below, upto = (np.searchsorted(scale, kappa + shift) for shift in (-1e-9, 1e-9))
    return np.where(np.isnan(kappa), np.nan, (below + upto) / (2 * max(len(scale), 1)))


def vote_by_agreement(answers: Answers, gold: Ragged, kappa: FloatArray) -> FloatArray:
    """Count the right spans of the vote, all of its spans and those of gold, by band of kappa."""
    voted = majority_vote(answers, gold.lengths)
    known = ~np.isnan(kappa)
    band = np.searchsorted(_EDGES, kappa[known])
    spans = [sum_by(span_table(codes).row, None, len(gold)) for codes in (voted, gold)]
    right = Metric("exact").pairs(voted, gold)[:, 1] * spans[1]
    columns = [sum_by(band, values[known], len(_EDGES) + 1) for values in (right, *spans)]
    return np.stack(columns, axis=1)


def steepness(real: FloatArray, drawn: FloatArray) -> float:
    """Return how much faster the vote's F1 grows from band to band in drawn answers than in real.

    Bands weigh by the spans in them; those that are empty on one side tell nothing.
    """
    sizes = np.minimum(real[:, 1:].sum(axis=1), drawn[:, 1:].sum(axis=1))
    weight = np.where(sizes > 0, sizes**2 / (sizes + _FEW), 0.0)
    ahead = _f1(drawn) - _f1(real)
    place = np.arange(len(real)) - np.average(np.arange(len(real)), weights=weight + 1e-9)
    return float((weight * place * ahead).sum() / ((weight * place**2).sum() + _FEW))


def vote_excess(real: FloatArray, drawn: FloatArray) -> float:
    """Return how much better the vote is in drawn answers, over all bands."""
    both = np.stack([drawn.sum(axis=0), real.sum(axis=0)])
    return float(-np.diff(_f1(both))[0])


def _f1(counts: FloatArray) -> FloatArray:
    f1: FloatArray = 2 * counts[:, 0] / np.maximum(counts[:, 1:].sum(axis=1), 1)
    return f1
