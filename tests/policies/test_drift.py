"""Workers who change, and policies that forget."""

import numpy as np
import pytest

from spancrew.core import Chance
from spancrew.policies import DifficultyThompson, Discounted, Policy, Standings, Thompson

RUNS, STEPS, TURN = 20, 900, 700
BEFORE = np.array([0.9, 0.8, 0.5, 0.4, 0.3, 0.2])
AFTER = np.array([0.2, 0.8, 0.5, 0.4, 0.3, 0.9])
"""At the turn the best worker turns bad and the worst turns good."""


def last_choices(policy: Policy) -> np.ndarray:
    """Return the crews of two in the last hundred steps."""
    learning = policy.learning
    standings = Standings.start(
        RUNS, len(BEFORE), memory=learning.memory, difficulty=learning.difficulty
    )
    chance = Chance.of(0, range(RUNS))
    crews = np.empty((STEPS, RUNS, 2), np.int64)
    for step in range(STEPS):
        now = chance.at(step)
        standings.tick()
        crews[step] = policy.select(standings, 2, now)
        skills = BEFORE if step < TURN else AFTER
        rewards = (now.uniform(2, 9) < skills[crews[step]]).astype(float)
        standings.learn(np.arange(RUNS), crews[step], rewards)
    return crews[-100:]


@pytest.mark.parametrize(
    ("forgets", "remembers"),
    [
        (Discounted(0.97), Thompson()),
        (DifficultyThompson(0.97), DifficultyThompson()),
    ],
)
def test_forgetting_follows_a_turn(forgets: Policy, remembers: Policy) -> None:
    """Who turned bad is dropped and who turned good is found, sooner than by a twin."""
    quick, slow = last_choices(forgets), last_choices(remembers)
    gain = AFTER[quick].mean(axis=(0, 2)) - AFTER[slow].mean(axis=(0, 2))

    assert gain.mean() > 5 * gain.std() / np.sqrt(RUNS)
    assert (quick == 0).mean() < 0.5 * (slow == 0).mean()
    assert (quick == 5).mean() > 0.3


def test_without_forgetting_discounted_is_thompson() -> None:
    """To the last choice."""
    assert (last_choices(Discounted(1.0)) == last_choices(Thompson())).all()
