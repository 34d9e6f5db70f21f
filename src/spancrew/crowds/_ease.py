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

_HALVINGS = 20
"""How often a step is halved before none is taken."""


class EaseEstimate(NamedTuple):
    """Skill per worker, effect per class of spans, and the distribution of easiness."""

    skill: FloatArray
    effect: FloatArray
    weight: FloatArray


class SeenMarks(NamedTuple):
    """Pairs of an answer and a gold span: whether it is right, whose it is, the span's classes."""

    right: FloatArray
    own: IntArray
    cells: IntArray

    def logit(self, guess: EaseEstimate) -> FloatArray:
        """Return how likely each is right on a span of average easiness."""
        logit: FloatArray = guess.skill[self.own] + guess.effect[self.cells].sum(axis=1)
        return logit


def estimate(
    evidence: MistakeEvidence, spans: IntArray, classes: int, workers: int
) -> EaseEstimate:
    """Alternate between means (skill, effects) and the distribution of what they leave open.

    ``spans`` has the classes of every gold span. The means solve estimating equations, so that
    predicted and observed shares of correct spans agree for each worker and class; the
    distribution of easiness is free on the grid and found by EM (Laird 1978).
    """
    right = (evidence.key == CORRECT).astype(float)
    marks = SeenMarks(right, evidence.worker[evidence.answer], spans[evidence.span])
    weight = np.exp(-(EASE**2) / 4)
    guess = EaseEstimate(np.zeros(workers), np.zeros(classes), weight / weight.sum())
    if len(spans) == 0:
        return guess
    for _ in range(15):
        for _ in range(4):
            guess = raised(marks, guess)
        guess = guess._replace(weight=_easiness(marks, evidence.span, guess, len(spans)))
    return guess


def raised(marks: SeenMarks, guess: EaseEstimate) -> EaseEstimate:
    """Take one step for all workers and all classes, halved until nothing gets worse.

    Each moves as if it were alone, so that together they may go too far.
    """
    up, along = _steps(marks, guess)
    now = potential(marks, guess)
    for _ in range(_HALVINGS):
        further = EaseEstimate(guess.skill + up, guess.effect + along, guess.weight)
        if potential(marks, further) >= now:
            return further
        up, along = up / 2, along / 2
    return guess


def potential(marks: SeenMarks, guess: EaseEstimate) -> float:
    """Return the concave function that is greatest where the estimating equations hold."""
    logit = marks.logit(guess)
    share = np.logaddexp(0.0, np.add.outer(logit, EASE)).sum(axis=0) @ guess.weight
    pulls = _PULL_SKILL * np.square(guess.skill - guess.skill.mean()).sum()
    pulls += _PULL_CLASS * np.square(guess.effect).sum()
    return float(marks.right @ logit - share - pulls / 2)


def _steps(marks: SeenMarks, guess: EaseEstimate) -> tuple[FloatArray, FloatArray]:
    """Return a Newton step for each worker and each class by itself."""
    skill, effect, weight = guess
    odds = np.multiply.outer(np.exp(np.clip(-marks.logit(guess), -30, 30)), np.exp(-EASE))
    odds += 1
    chance = np.reciprocal(odds, out=odds)
    mean = chance @ weight
    missing = marks.right - mean
    slope = mean - np.square(chance, out=chance) @ weight
    pull = _PULL_SKILL * (skill - skill.mean())
    down = sum_by(marks.own, slope, len(skill)) + _PULL_SKILL
    up = (sum_by(marks.own, missing, len(skill)) - pull) / down
    along = np.zeros(len(effect))
    for column in marks.cells.T:
        more = sum_by(column, missing, len(effect)) - _PULL_CLASS * effect
        down = sum_by(column, slope, len(effect))
        along += np.where(down > 0, more / (down + _PULL_CLASS) / marks.cells.shape[1], 0.0)
    return up, along


def _easiness(marks: SeenMarks, span: IntArray, guess: EaseEstimate, spans: int) -> FloatArray:
    """Take a few EM steps for the distribution of easiness."""
    # The logarithm of a chance that is written so is finite however sure it is.
    sign = np.where(marks.right > 0, -1.0, 1.0)
    terms = -np.logaddexp(0.0, sign[:, None] * np.add.outer(marks.logit(guess), EASE))
    order = np.argsort(span, kind="stable")
    asked, first = np.unique(span[order], return_index=True)
    likelihood = np.zeros((spans, len(EASE)))
    likelihood[asked] = np.add.reduceat(terms[order], first, axis=0)
    likelihood = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    weight = guess.weight
    for _ in range(3):
        posterior = likelihood * weight
        posterior /= posterior.sum(axis=1, keepdims=True)
        weight = posterior.mean(axis=0) + 1e-9
        weight /= weight.sum()
    return weight
