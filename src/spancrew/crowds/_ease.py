"""Estimate how skilled workers are and how easy spans are: a first guess for the calibration."""

from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray, IntArray
from spancrew.crowds._evidence import MistakeEvidence
from spancrew.crowds._tables import CORRECT, sum_by

EASE = np.linspace(-7.0, 7.0, 29)
"""Easiness is a distribution over these points, in logits."""

_PULL_SKILL, _PULL_CLASS = 0.5, 1.0
"""Precision of the normal priors that pool workers and classes of spans."""


class Estimate(NamedTuple):
    """Skill per worker, effect per class of spans, and the distribution of easiness."""

    skill: FloatArray
    effect: FloatArray
    weight: FloatArray


def estimate(evidence: MistakeEvidence, spans: IntArray, classes: int, workers: int) -> Estimate:
    """Alternate between means (skill, effects) and the distribution of what they leave open.

    ``spans`` has the classes of every gold span. The means solve estimating equations, so that
    predicted and observed shares of correct spans agree for each worker and class; the
    distribution of easiness is free on the grid and found by EM (Laird 1978).
    """
    right = (evidence.key == CORRECT).astype(float)
    own = evidence.worker[evidence.answer]
    cells = spans[evidence.span]
    skill, effect = np.zeros(workers), np.zeros(classes)
    weight = np.exp(-(EASE**2) / 4)
    weight /= weight.sum()
    if len(spans) == 0:
        return Estimate(skill, effect, weight)
    for _ in range(15):
        for _ in range(4):
            skill, effect = _means(right, own, cells, skill, effect, weight)
        logit = skill[own] + effect[cells].sum(axis=1)
        weight = _easiness(right, evidence.span, logit, weight, len(spans))
    return Estimate(skill, effect, weight)


def _chances(logit: FloatArray) -> FloatArray:
    """Return the chance to be right at each point of the grid, for each logit."""
    odds = np.multiply.outer(np.exp(np.clip(-logit, -30, 30)), np.exp(-EASE))
    odds += 1
    return np.reciprocal(odds, out=odds)


def _means(
    right: FloatArray,
    own: IntArray,
    cells: IntArray,
    skill: FloatArray,
    effect: FloatArray,
    weight: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Take one damped Newton step for all workers and all classes."""
    chance = _chances(skill[own] + effect[cells].sum(axis=1))
    mean = chance @ weight
    missing = right - mean
    slope = mean - np.square(chance, out=chance) @ weight
    pull = _PULL_SKILL * (skill - skill.mean())
    down = sum_by(own, slope, len(skill)) + _PULL_SKILL
    skill = skill + (sum_by(own, missing, len(skill)) - pull) / down
    for column in cells.T:
        up = sum_by(column, missing, len(effect))
        down = sum_by(column, slope, len(effect))
        touched = down > 0
        step = (up - _PULL_CLASS * effect) / (down + _PULL_CLASS)
        effect = effect + np.where(touched, step / cells.shape[1], 0.0)
    return skill, effect


def _easiness(
    right: FloatArray, span: IntArray, logit: FloatArray, weight: FloatArray, spans: int
) -> FloatArray:
    """Take a few EM steps for the distribution of easiness."""
    chance = _chances(logit)
    terms = np.log(np.where(right[:, None] > 0, chance, 1 - chance))
    order = np.argsort(span, kind="stable")
    asked, first = np.unique(span[order], return_index=True)
    likelihood = np.zeros((spans, len(EASE)))
    likelihood[asked] = np.add.reduceat(terms[order], first, axis=0)
    likelihood = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    for _ in range(3):
        posterior = likelihood * weight
        posterior /= posterior.sum(axis=1, keepdims=True)
        weight = posterior.mean(axis=0) + 1e-9
        weight /= weight.sum()
    return weight
