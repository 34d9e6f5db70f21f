"""Crews and rewards that do not fit are refused before a kernel reads them."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.policies import Policy, Standings, chosen_by, top

SHAPES = st.sampled_from([(2, 2), (2, 3), (1, 2), (2,), (2, 0)])


@dataclass(frozen=True)
class Stubborn(Policy):
    """Return what it was made with."""

    crew: object

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Select without a look."""
        del standings, size, chance
        return np.asarray(self.crew)


@given(
    st.lists(st.integers(-1, 3), min_size=2, max_size=2),
    SHAPES.flatmap(lambda shape: arrays.arrays(np.int64, shape, elements=st.integers(-2, 4))),
    SHAPES.map(np.zeros),
)
def test_rewards_are_learned_or_refused(
    run: list[int], crew: np.ndarray, rewards: np.ndarray
) -> None:
    """Never added to a worker who is not there."""
    standings = Standings.start(2, 3, difficulty=True)
    right = (
        set(run) <= {0, 1}
        and crew.shape == rewards.shape
        and crew.ndim == 2
        and len(crew) == 2
        and bool(np.isin(crew, [-1, 0, 1, 2]).all())
    )
    if right:
        standings.learn(np.array(run), crew, rewards)
        assert standings.count.sum() == (crew >= 0).sum()
        return
    with pytest.raises(SpancrewError):
        standings.learn(np.array(run), crew, rewards)


@pytest.mark.parametrize(
    ("crew", "message"),
    [
        ([[0, 1], [2, 3]], "crew of Stubborn: 3 is there, but all must be below 3"),
        ([[0, 1], [2, -2]], "crew of Stubborn: -2 is there"),
        ([[0, 1]], r"crew of Stubborn: the shape is \(1, 2\), but 2 x 2 is needed"),
        ([[0.0, 1.0], [1.0, 2.0]], "crew of Stubborn: a flat array of whole numbers"),
    ],
)
def test_a_crew_of_strangers_is_refused(crew: object, message: str) -> None:
    """With the name of the policy."""
    with pytest.raises(SpancrewError, match=message):
        chosen_by(Stubborn(crew), Standings.start(2, 3), 2, Chance.of(1, range(2)))


@pytest.mark.parametrize("shape", [(2, 4), (3, 3), (3,)])
def test_an_index_has_a_number_for_every_worker(shape: tuple[int, ...]) -> None:
    """Neither more nor fewer."""
    with pytest.raises(SpancrewError, match="index of workers"):
        top(np.zeros(shape), Standings.start(2, 3), 2, Chance.of(1, range(2)))
