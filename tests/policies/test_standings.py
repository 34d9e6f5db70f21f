"""What is known of workers, recomputed slowly from the whole past."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spancrew.core import Chance
from spancrew.policies import NOBODY, Difficulty, Standings, top
from spancrew.policies._difficulty import MEAN, SPREAD, difficulty_of, noise_of

WORKERS, SKILL_SD, DIFFICULTY_SD, NOISE_SD = 30, 0.1, 0.2, 0.15


class Group(NamedTuple):
    """Workers on one sentence of a run, with their rewards."""

    run: int
    crew: list[int]
    rewards: list[float]


REWARD = st.floats(0, 1) | st.just(float("nan"))
GROUPS = st.lists(
    st.builds(
        Group,
        st.integers(0, 1),
        st.lists(st.integers(NOBODY, 3), min_size=3, max_size=3),
        st.lists(REWARD, min_size=3, max_size=3),
    ),
    max_size=4,
)
STEPS = st.lists(st.tuples(GROUPS, st.tuples(st.booleans(), st.booleans())), max_size=6)


def learn(standings: Standings, groups: list[Group]) -> None:
    """Add groups at once."""
    standings.learn(
        np.array([group.run for group in groups], np.int64),
        np.array([group.crew for group in groups], np.int64).reshape(-1, 3),
        np.array([group.rewards for group in groups]).reshape(-1, 3),
    )


@given(STEPS, st.sampled_from([1.0, 0.9, 0.5]))
def test_sums_are_those_of_all_rewards_as_they_fade(
    steps: list[tuple[list[Group], tuple[bool, bool]]], memory: float
) -> None:
    """Nobody's reward and NaN are passed over; in a run that rests nothing fades."""
    standings = Standings.start(2, 4, memory=memory)
    expected = np.zeros((3, 2, 4))
    for groups, passes in steps:
        learn(standings, groups)
        standings.tick(np.array(passes))
        for run, crew, rewards in groups:
            for worker, reward in zip(crew, rewards, strict=True):
                if worker != NOBODY and reward == reward:
                    expected[:, run, worker] += 1.0, reward, reward**2
        expected *= np.where(passes, memory, 1.0)[:, None]

    assert standings.count == pytest.approx(expected[0])
    assert standings.total == pytest.approx(expected[1])
    assert standings.squares == pytest.approx(expected[2])
    assert standings.mean * standings.count == pytest.approx(expected[1])
    assert standings.time.tolist() == [sum(p[run] for _, p in steps) for run in (0, 1)]


@given(STEPS)
def test_difficulty_is_learned_group_by_group(
    steps: list[tuple[list[Group], tuple[bool, bool]]],
) -> None:
    """What is passed over leaves no trace, and everything stays finite."""
    standings = Standings.start(2, 4, difficulty=True)
    for groups, _ in steps:
        learn(standings, groups)
    assert standings.difficulty is not None
    mean, spread = standings.difficulty.beliefs()

    assert ((standings.difficulty.weight > 0) == (standings.count > 0)).all()
    assert np.isfinite(mean).all()
    assert (spread > 0).all()


def rewarded() -> tuple[Difficulty, np.ndarray, np.ndarray]:
    """Return what is learned from 4,000 sentences, the skills, and the plain mean rewards."""
    rng = np.random.default_rng(6)
    skills = rng.normal(0.6, SKILL_SD, WORKERS)
    known = Standings.start(1, WORKERS, difficulty=True)
    for _ in range(800):
        crew = rng.permutation(WORKERS)[:20].reshape(5, 4)
        hard = rng.normal(0, DIFFICULTY_SD, (5, 1))
        rewards = skills[crew] + hard + rng.normal(0, NOISE_SD, crew.shape)
        known.learn(np.zeros(5, np.int64), crew, rewards)
    assert known.difficulty is not None
    return known.difficulty, skills, known.mean[0]


def test_all_variances_are_found_from_rewards_alone() -> None:
    """Of skill, difficulty and noise, and the mean of the skills."""
    difficulty, skills, _ = rewarded()
    parts = difficulty.parts[0]

    assert noise_of(parts) == pytest.approx(NOISE_SD**2, rel=0.05)
    assert difficulty_of(parts) == pytest.approx(DIFFICULTY_SD**2, rel=0.1)
    assert parts[SPREAD] == pytest.approx(skills.var(), rel=0.2)
    assert parts[MEAN] == pytest.approx(skills.mean(), abs=0.02)


def test_rewards_freed_of_difficulty_tell_workers_apart_better() -> None:
    """The ranking is closer to the true one, and so are the skills themselves."""
    difficulty, skills, plain = rewarded()
    mean, spread = difficulty.beliefs()
    off = mean[0] - skills
    by_plain = plain - skills

    assert stats.spearmanr(mean[0], skills).statistic > stats.spearmanr(plain, skills).statistic
    assert stats.spearmanr(mean[0], skills).statistic > 0.98
    assert (off - off.mean()).std() < 0.75 * (by_plain - by_plain.mean()).std()
    assert (np.abs(off - off.mean()) < 4 * spread[0]).all()


def test_ties_are_broken_by_chance_and_rounding_does_not_decide() -> None:
    """Indices that differ by a billionth part of a score are equal."""
    runs = range(2000)
    standings = Standings.start(len(runs), 4)
    index = np.full((len(runs), 4), 0.3) + np.arange(4) * 1e-14
    first = top(index, standings, 2, Chance.of(2, runs))[:, 0]

    assert stats.chisquare(np.bincount(first, minlength=4)).pvalue > 0.01


def test_a_worker_without_a_price_does_not_break_anything() -> None:
    """A volunteer comes first, unless the index says they are worth nothing."""
    standings = Standings.start(1, 4)
    standings.price = np.array([1.0, 2.0, 0.0, 0.0])
    index = np.array([[0.9, 0.9, 0.1, -0.5]])

    assert top(index, standings, 4, Chance.of(2, range(1))).tolist() == [[2, 0, 1, 3]]
