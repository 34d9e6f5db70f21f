"""Rewards freed of how hard the sentences were."""

import numpy as np
import pytest

from spancrew.policies import Difficulty
from spancrew.policies._difficulty import difficulty_of, noise_of

RUNS, WORKERS = 5, 40


def draw(
    groups: int, group: int, spreads: tuple[float, float, float], seed: int = 0
) -> tuple[np.ndarray, Difficulty]:
    """Return the true skills of a crowd, and what was learned of it from groups in every run."""
    skill_sd, difficulty_sd, noise_sd = spreads
    rng = np.random.default_rng(seed)
    skills = 0.6 + skill_sd * rng.standard_normal((RUNS, WORKERS))
    known = Difficulty.start(RUNS, WORKERS)
    run = np.arange(RUNS)
    for _ in range(groups):
        crew = np.array([rng.permutation(WORKERS)[:group] for _ in run])
        noise = noise_sd * rng.standard_normal(crew.shape)
        difficulty = difficulty_sd * rng.standard_normal((RUNS, 1))
        known.learn(run, crew, skills[run[:, None], crew] + difficulty + noise)
    return skills, known


@pytest.mark.parametrize("group", [2, 4, 10])
@pytest.mark.parametrize("spreads", [(0.12, 0.24, 0.29), (0.2, 0.05, 0.2), (0.05, 0.4, 0.15)])
def test_variances_are_recovered(group: int, spreads: tuple[float, float, float]) -> None:
    """Of skill, difficulty and noise, with nothing given."""
    skills, known = draw(6000 // group, group, spreads)
    found = [(noise_of(parts), difficulty_of(parts)) for parts in known.parts]
    noise, difficulty = np.sqrt(np.mean(found, axis=0))

    assert noise == pytest.approx(spreads[2], rel=0.05)
    assert difficulty == pytest.approx(spreads[1], rel=0.1, abs=0.02)
    assert np.sqrt(known.parts[:, 6].mean()) == pytest.approx(skills.std(axis=1).mean(), rel=0.1)


def test_beliefs_cover_the_truth() -> None:
    """Two standard deviations hold about 95 of 100 skills; the order is right."""
    skills, known = draw(600, 10, (0.12, 0.24, 0.29))
    mean, spread = known.beliefs()
    # Only differences within a run matter: who is better than whom.
    error = (mean - mean.mean(axis=1, keepdims=True)) - (
        skills - skills.mean(axis=1, keepdims=True)
    )
    ranks = [np.corrcoef(mean[run], skills[run])[0, 1] for run in range(RUNS)]

    assert 0.88 < (abs(error) < 2 * spread).mean() <= 1
    assert min(ranks) > 0.95


def test_freed_rewards_say_more_than_plain_ones() -> None:
    """Where difficulty dominates, the error of a skill is cut by half and more."""
    rng = np.random.default_rng(1)
    skills = 0.6 + 0.1 * rng.standard_normal(WORKERS)
    known = Difficulty.start(1, WORKERS)
    total, count = np.zeros(WORKERS), np.zeros(WORKERS)
    for _ in range(400):
        crew = rng.permutation(WORKERS)[:5]
        rewards = skills[crew] + 0.4 * rng.standard_normal() + 0.1 * rng.standard_normal(5)
        known.learn(np.array([0]), crew[None], rewards[None])
        total[crew] += rewards
        count[crew] += 1
    freed, plain = known.beliefs()[0][0], total / count

    assert _error(freed, skills) < 0.5 * _error(plain, skills)


def _error(found: np.ndarray, true: np.ndarray) -> float:
    return float(np.std(found - true))


def test_a_single_answer_tells_less_than_one_in_company() -> None:
    """Its difficulty is unknown, so it weighs less."""
    _, known = draw(300, 5, (0.1, 0.3, 0.1))
    before = known.weight.copy()
    run = np.arange(RUNS)
    known.learn(run, np.zeros((RUNS, 1), np.int64), np.full((RUNS, 1), 0.9))
    alone = known.weight[:, 0] - before[:, 0]
    before = known.weight.copy()
    known.learn(run, np.tile(np.arange(5), (RUNS, 1)), np.full((RUNS, 5), 0.9))
    in_company = known.weight[:, 0] - before[:, 0]

    assert (alone > 0).all()
    assert (alone < 0.3 * in_company).all()


def test_single_answers_tell_how_much_rewards_vary() -> None:
    """Though not how much of it is difficulty and how much noise."""
    _, known = draw(6000, 1, (0.1, 0.3, 0.25))
    found = [noise_of(parts) + difficulty_of(parts) for parts in known.parts]

    assert np.mean(found) == pytest.approx(0.3**2 + 0.25**2, rel=0.1)


def test_a_group_of_nobody_teaches_nothing() -> None:
    """All absent, or no reward known."""
    known = Difficulty.start(1, 3)
    known.learn(np.array([0]), np.full((1, 2), -1), np.ones((1, 2)))
    known.learn(np.array([0]), np.array([[0, 1]]), np.full((1, 2), np.nan))

    assert not known.weight.any()
    assert known.parts[0, :5].tolist() == [0] * 5
