"""Beta posteriors and draws from them, against scipy and against draws one by one."""

import numpy as np
import pytest
from scipy import stats

from spancrew.core import Chance, FloatArray
from spancrew.policies import Standings, Thompson, top
from spancrew.policies._thompson import beta_draws, beta_posterior

RUNS = range(5000)


def known(runs: int) -> Standings:
    """Return standings of four workers who are hard to tell apart."""
    standings = Standings.start(runs, 4)
    standings.count[:] = [2, 5, 30, 30]
    standings.total[:] = [1.5, 3.5, 20.5, 21.0]
    return standings


def test_the_posterior_is_uniform_and_then_counts_rewards() -> None:
    """Pending answers narrow it and leave its mean where it is."""
    standings = known(1)
    a, b = beta_posterior(standings)
    standings.pending[:] = 6
    later_a, later_b = beta_posterior(standings)

    assert a[0].tolist() == [2.5, 4.5, 21.5, 22.0]
    assert b[0].tolist() == [1.5, 2.5, 10.5, 10.0]
    assert later_a + later_b == pytest.approx(a + b + 6)
    assert later_a / (later_a + later_b) == pytest.approx(a / (a + b))


def test_one_draw_is_a_draw_from_the_posterior() -> None:
    """Kolmogorov and Smirnov find no difference."""
    drawn = beta_draws(known(len(RUNS)), Chance.of(4, RUNS), 1)

    assert stats.kstest(drawn[:, 0], stats.beta(2.5, 1.5).cdf).pvalue > 0.01
    assert stats.kstest(drawn[:, 2], stats.beta(21.5, 10.5).cdf).pvalue > 0.01


def test_thirty_draws_at_once_are_as_good_as_one_by_one() -> None:
    """Their averages are distributed alike, and the same workers are chosen as often."""
    standings, chance = known(len(RUNS)), Chance.of(5, RUNS)
    one_by_one = chance.beta(*beta_posterior(standings), draws=30)
    at_once = beta_draws(standings, chance, 30)
    found = Thompson(draws=30).select(standings, 1, chance)
    expected = top(one_by_one, standings, 1, chance)
    share = np.array([_shares(found), _shares(expected)])

    for worker in range(4):
        assert stats.ks_2samp(one_by_one[:, worker], at_once[:, worker]).pvalue > 0.01
    assert share[0] == pytest.approx(share[1], abs=4 * 0.5 * np.sqrt(2 / len(RUNS)))


def _shares(crews: np.ndarray) -> FloatArray:
    return np.bincount(crews[:, 0], minlength=4) / len(crews)
