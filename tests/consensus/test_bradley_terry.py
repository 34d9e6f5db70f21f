"""Strengths of what was compared in pairs, against crowd-kit and by hand."""

import warnings

import numpy as np
import pytest

from spancrew.consensus import Comparisons, Strengths, bradley_terry
from spancrew.errors import InvalidArrayError


def compared(
    rivals: int = 8, workers: int = 10, answers: int = 3000, seed: int = 0
) -> tuple[Comparisons, Strengths]:
    """Return answers of workers of whom two do not look, and what they were drawn from."""
    rng = np.random.default_rng(seed)
    score = np.linspace(-1.5, 1.5, rivals)
    skill, leaning = np.linspace(0.6, 1.0, workers), rng.uniform(0.2, 0.8, workers)
    skill[:2], leaning[:2] = 0.0, (0.95, 0.05)
    left = rng.integers(0, rivals, answers)
    right = (left + rng.integers(1, rivals, answers)) % rivals
    who = rng.integers(0, workers, answers)
    won = 1 / (1 + np.exp(score[right] - score[left]))
    chance = skill[who] * won + (1 - skill[who]) * leaning[who]
    given = (rng.random(answers) < chance).astype(float)
    return Comparisons(left, right, who, given), Strengths(score, skill, leaning)


def log_likelihood(found: Comparisons, fitted: Strengths) -> float:
    """Return how likely the answers are."""
    off = fitted.score[found.right] - fitted.score[found.left]
    skill, leaning = fitted.skill[found.worker], fitted.leaning[found.worker]
    chance = skill / (1 + np.exp(off)) + (1 - skill) * leaning
    return float(np.log(np.where(found.won > 0.5, chance, 1 - chance)).sum())


def test_strengths_and_workers_are_found() -> None:
    """Also those who always take the same side."""
    found, true = compared()
    fitted = bradley_terry(found, 8, 10)

    assert np.abs(fitted.score - true.score).max() < 0.45
    assert np.argsort(fitted.score).tolist() == list(range(8))
    assert fitted.skill[:2].max() < 0.15 < fitted.skill[2:].min()
    assert fitted.leaning[0] > 0.9
    assert fitted.leaning[1] < 0.1


def test_answers_are_as_likely_as_under_the_model_of_crowd_kit() -> None:
    """The same model; priors cost us less than its early stop costs it."""
    import pandas as pd

    found, _ = compared(answers=600, seed=1)
    names = [f"r{k}" for k in range(8)]
    left, right = ([names[k] for k in side] for side in (found.left, found.right))
    label = np.where(found.won > 0.5, left, right)
    workers = [f"w{k}" for k in found.worker]
    data = pd.DataFrame({"worker": workers, "left": left, "right": right, "label": label})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from crowdkit.aggregation import NoisyBradleyTerry

        peer = NoisyBradleyTerry(n_iter=200, tol=1e-8).fit(data)
    order = [f"w{k}" for k in range(10)]
    theirs = Strengths(
        np.log(peer.scores_[names] / (1 - peer.scores_[names])).to_numpy(),
        peer.skills_[order].to_numpy(),
        peer.biases_[order].to_numpy(),
    )
    ours = bradley_terry(found, 8, 10)

    assert log_likelihood(found, ours) > log_likelihood(found, theirs) - 3
    assert np.corrcoef(ours.score, theirs.score)[0, 1] > 0.9


def test_a_tie_is_half_a_win_of_each() -> None:
    """And nothing known leaves all equal."""
    both = Comparisons(np.array([0]), np.array([1]), np.array([0]), np.array([0.5]))
    none = np.zeros(0, np.int64)
    nothing = Comparisons(none, none, none, np.zeros(0))

    assert bradley_terry(both, 2, 1).score == pytest.approx([0, 0], abs=1e-6)
    assert bradley_terry(nothing, 3, 1).score.tolist() == [0, 0, 0]


def test_the_names_of_the_sides_do_not_matter() -> None:
    """Turned round, a win is a loss."""
    found, _ = compared(answers=200)
    turned = Comparisons(found.right, found.left, found.worker, 1 - found.won)
    one, other = bradley_terry(found, 8, 10), bradley_terry(turned, 8, 10)

    assert np.allclose(one.score, other.score)
    assert np.allclose(one.leaning, 1 - other.leaning)


def test_what_cannot_be_compared_is_refused() -> None:
    """With the place."""
    one = np.array([0])
    with pytest.raises(InvalidArrayError, match="comparison 0: 2 is not from 0"):
        bradley_terry(Comparisons(one, one, one, np.array([2.0])), 1, 1)
    with pytest.raises(InvalidArrayError, match="not equally many"):
        bradley_terry(Comparisons(one, one, one, np.zeros(2)), 1, 1)
