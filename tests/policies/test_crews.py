"""How many workers a step asks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Chance
from spancrew.errors import SpancrewError
from spancrew.policies import NOBODY, Cucb, Standings, are_weak, best_mean, crew_by, crew_size


def standings_of(means: list[float], answers: float, runs: int = 1) -> Standings:
    """Return workers who have these means of rewards that are 0 or 1."""
    standings = Standings.start(runs, len(means))
    standings.count[:] = answers
    standings.total[:] = answers * np.array(means)
    standings.squares[:] = standings.total
    return standings


def test_only_who_is_clearly_weak_is_left_out() -> None:
    """With few rewards a low mean may be bad luck; with many it is not."""
    means = [0.8, 0.8, 0.75, 0.7, 0.3]

    assert are_weak(standings_of(means, 2)).sum() == 0
    assert are_weak(standings_of(means, 50))[0].tolist() == [False] * 4 + [True]


def test_nobody_is_weak_in_an_even_crowd() -> None:
    """However much is known, and though somebody is always the last."""
    assert not are_weak(standings_of([0.52, 0.5, 0.49, 0.48, 0.47], 10_000)).any()


def test_the_middle_is_that_of_those_who_are_there() -> None:
    """A worker who is weak beside others is the best of those who are left."""
    standings = standings_of([0.9, 0.9, 0.9, 0.4, 0.4], 200)
    alone = standings_of([0.9, 0.9, 0.9, 0.4, 0.4], 200)
    alone.available[0, :3] = False

    assert are_weak(standings)[0].tolist() == [False] * 3 + [True] * 2
    assert not are_weak(alone).any()


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=12),
    st.floats(0, 1_000),
    st.integers(1, 5),
    st.integers(0, 99),
)
def test_a_crew_has_everybody_but_the_weak(
    means: list[float], answers: float, wanted: int, seed: int
) -> None:
    """At least so many as a sentence needs, never one twice, and the upper half always."""
    standings = standings_of(means, answers)
    weak = are_weak(standings)[0]
    crew = crew_by(Cucb(0.3), standings, "auto", wanted, Chance.of(seed, range(1)))[0]
    there = crew[crew != NOBODY]

    assert len(there) == max(len(means) - weak.sum(), min(wanted, len(means)))
    assert len(set(there.tolist())) == len(there)
    assert not weak[np.array(means) >= np.median(means)].any()


def test_a_run_has_the_same_crew_alone_and_among_others() -> None:
    """The sizes of other runs change neither who is chosen nor in what order."""
    standings = standings_of([0.8, 0.7, 0.6, 0.2], 100, runs=3)
    standings.total[1] = standings.squares[1] = 50.0
    policy = Cucb(0.3)
    together = crew_by(policy, standings, "auto", 2, Chance.of(5, range(3)))
    alone = standings_of([0.8, 0.7, 0.6, 0.2], 100)

    assert [int((crew >= 0).sum()) for crew in together] == [3, 4, 3]
    found = crew_by(policy, alone, "auto", 2, Chance.of(5, range(1)))
    assert found[0].tolist() == together[0].tolist()


def test_the_best_crew_of_all_who_are_good_enough() -> None:
    """It is what regret is measured against."""
    truth = np.array([0.9, 0.8, 0.7, 0.1])

    assert best_mean(truth, "auto") == pytest.approx(0.8)
    assert best_mean(truth, 1) == pytest.approx(0.9)


@pytest.mark.parametrize("given", ["", "all", "2.5", 2.5, None, True, "-3"])
def test_what_is_no_size_is_refused(given: object) -> None:
    """The message says what would be one."""
    with pytest.raises(SpancrewError, match="write a whole number such as 20, or auto"):
        crew_size(given)
