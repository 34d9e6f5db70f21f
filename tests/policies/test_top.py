"""From a number per worker to a crew."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from spancrew.core import Chance
from spancrew.policies import NOBODY, Standings, top

SHAPE = (3, 7)


@given(
    arrays(float, SHAPE, elements=st.sampled_from([-np.inf, -1.0, 0.0, 0.25, 0.5, 1.0, np.inf])),
    arrays(bool, SHAPE),
    arrays(float, 7, elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])),
    st.integers(0, 9),
)
def test_a_crew_is_the_top_of_a_sorted_list(
    index: np.ndarray, available: np.ndarray, price: np.ndarray, size: int
) -> None:
    """Whatever numbers, prices and absences there are; only equals may change places."""
    standings = Standings.start(*SHAPE)
    standings.available, standings.price = available, price
    crews = top(index, standings, size, Chance.of(0, range(3)))
    worth = np.minimum(index, 1e300)
    if np.ptp(price) > 0:
        with np.errstate(over="ignore"):
            worth = np.maximum(worth, 0) / np.maximum(price, 1e-9)
    for run in range(3):
        there = worth[run][available[run]]
        best = np.sort(there)[::-1][:size]
        crew = crews[run][crews[run] != NOBODY]

        assert len(crew) == len(best)
        assert (crews[run, len(crew) :] == NOBODY).all()
        assert len(set(crew)) == len(crew)
        assert available[run, crew].all()
        assert worth[run, crew].tolist() == best.tolist()


def test_ties_are_broken_by_chance() -> None:
    """Every worker is first about as often, in other runs and in other steps."""
    runs = range(7000)
    standings = Standings.start(len(runs), 7)
    index = np.full((len(runs), 7), 0.5)
    first = top(index, standings, 1, Chance.of(0, runs))[:, 0]
    later = top(index, standings, 1, Chance.of(0, runs).at(1))[:, 0]

    assert np.bincount(first).min() > 850
    assert abs((first == later).mean() - 1 / 7) < 0.03


def test_rounding_does_not_decide() -> None:
    """Sums of the same rewards in another order are a tie."""
    runs = range(500)
    standings = Standings.start(len(runs), 2)
    index = np.tile([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1], (len(runs), 1))
    first = top(index, standings, 1, Chance.of(0, runs))

    assert index[0, 0] != index[0, 1]
    assert 0.4 < first.mean() < 0.6


def test_volunteers_come_first() -> None:
    """Unless they are worth nothing."""
    standings = Standings.start(1, 4)
    standings.price = np.array([1.0, 2.0, 0.0, 0.0])
    index = np.array([[0.9, 0.9, 0.1, -0.5]])

    assert top(index, standings, 4, Chance.of(2, range(1))).tolist() == [[2, 0, 1, 3]]
