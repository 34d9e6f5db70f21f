"""What is known of every worker, against a slow count."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.policies import NOBODY, Standings

RUNS, WORKERS, GROUP = 3, 5, 4


class Group(NamedTuple):
    """Workers on one sentence; a step may pass before it is scored."""

    run: int
    crew: list[int]
    rewards: list[float]
    tick: bool


rewards = st.floats(0, 1) | st.just(float("nan"))
groups = st.lists(
    st.builds(
        Group,
        st.integers(0, RUNS - 1),
        st.lists(
            st.integers(NOBODY, WORKERS - 1), min_size=GROUP, max_size=GROUP, unique_by=lambda w: w
        ),
        st.lists(rewards, min_size=GROUP, max_size=GROUP),
        st.booleans(),
    ),
    max_size=12,
)


def taught(past: Sequence[Group], memory: float, *, difficulty: bool = False) -> Standings:
    """Return standings after some groups."""
    standings = Standings.start(RUNS, WORKERS, memory=memory, difficulty=difficulty)
    for group in past:
        if group.tick:
            standings.tick()
        standings.learn(np.array([group.run]), np.array([group.crew]), np.array([group.rewards]))
    return standings


def counted(past: Sequence[Group], memory: float) -> dict[tuple[int, int], list[float]]:
    """Return number, sum and sum of squares by run and worker, the slow way."""
    sums: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for group in past:
        if group.tick:
            for each in sums.values():
                each[:] = [memory * value for value in each]
        for worker, reward in zip(group.crew, group.rewards, strict=True):
            if worker != NOBODY and reward == reward:  # noqa: PLR0124  NaN is not itself
                sums[group.run, worker][0] += 1
                sums[group.run, worker][1] += reward
                sums[group.run, worker][2] += reward**2
    return sums


@pytest.mark.parametrize("memory", [1.0, 0.9])
@given(past=groups)
def test_sums_are_those_of_a_slow_count(past: list[Group], memory: float) -> None:
    """Without -1 and NaN; old rewards fade with every step."""
    standings = taught(past, memory)
    sums = counted(past, memory)
    for at in np.ndindex(RUNS, WORKERS):
        count, total, squares = sums.get((at[0], at[1]), [0.0, 0.0, 0.0])

        assert standings.count[at] == pytest.approx(count)
        assert standings.total[at] == pytest.approx(total)
        assert standings.squares[at] == pytest.approx(squares)
        assert standings.mean[at] == pytest.approx(total / count if count else 0.0, abs=1e-9)
    assert (standings.time == sum(group.tick for group in past)).all()


@given(past=groups)
def test_difficulty_is_always_a_belief(past: list[Group]) -> None:
    """Finite means, positive spreads; runs without rewards stay as they were."""
    standings = taught(past, 0.9, difficulty=True)
    difficulty = standings.difficulty
    assert difficulty is not None
    mean, spread = difficulty.beliefs()
    idle = ~np.isin(np.arange(RUNS), [group.run for group in past])

    assert np.isfinite(mean).all()
    assert (spread > 0).all()
    assert (mean[idle] == 0.5).all()
    assert (standings.pulls == standings.count).all()


def test_groups_may_be_learned_one_by_one_or_together() -> None:
    """Several rows of one run in one call are the same as calls in this order."""
    rng = np.random.default_rng(0)
    run = rng.integers(0, RUNS, 30)
    crew = np.array([rng.permutation(WORKERS)[:GROUP] for _ in run])
    scores = rng.random(crew.shape)
    together, apart = Standings.start(RUNS, WORKERS), Standings.start(RUNS, WORKERS)
    together.learn(run, crew, scores)
    for k in range(30):
        apart.learn(run[k : k + 1], crew[k : k + 1], scores[k : k + 1])

    assert (together.total == apart.total).all()
    assert (together.count == apart.count).all()


def test_time_may_pass_in_some_runs_only() -> None:
    """In the others nothing fades."""
    standings = Standings.start(2, 1, memory=0.5, difficulty=True)
    standings.learn(np.array([0, 1]), np.array([[0], [0]]), np.array([[1.0], [1.0]]))
    assert standings.difficulty is not None
    weight = standings.difficulty.weight.copy()
    standings.tick(np.array([True, False]))

    assert standings.time.tolist() == [1, 0]
    assert standings.count.tolist() == [[0.5], [1.0]]
    assert standings.difficulty.weight.tolist() == (weight * [[0.5], [1.0]]).tolist()


def test_pending_answers_count_as_asked() -> None:
    """They have no reward yet."""
    standings = Standings.start(1, 2)
    standings.pending[0, 1] = 3

    assert standings.pulls.tolist() == [[0, 3]]
    assert standings.mean.tolist() == [[0, 0]]
