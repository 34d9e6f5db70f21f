"""Policies that draw from what is believed."""

import numpy as np
import pytest
from scipy import stats

from spancrew.core import Chance, FloatArray
from spancrew.errors import SpancrewError
from spancrew.policies import (
    DifficultyThompson,
    Discounted,
    Oracle,
    Policy,
    Standings,
    Thompson,
    top,
)
from spancrew.policies._thompson import beta_draws, beta_posterior
from spancrew.testing import Trial

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


def test_gaussian_draws_have_variance_1_over_t() -> None:
    """Seen in how often the worse of two is chosen; averaging makes it rarer."""
    standings = Standings.start(len(RUNS), 2)
    standings.count[:] = [4, 16]
    standings.total[:] = [2.0, 11.2]
    for draws in (1, 9):
        policy = Thompson("gaussian", draws)
        worse = (policy.select(standings, 1, Chance.of(6, RUNS)) == 0).mean()
        expected = stats.norm.cdf(-0.2 / np.sqrt((1 / 4 + 1 / 16) / draws))

        assert worse == pytest.approx(expected, abs=4 * 0.5 / np.sqrt(len(RUNS)))


def _as_if_all_had_changed(standings: Standings) -> None:
    """Let the past of the best be that of the worst, and the other way round."""
    sums = [standings.count, standings.total, standings.squares]
    if standings.difficulty is not None:
        sums += [standings.difficulty.weight, standings.difficulty.total]
    for each in sums:
        each[:] = each[:, ::-1].copy()


def after_a_change(policy: Policy) -> FloatArray:
    """Return the mean skill of crews after the best have become the worst, by run."""
    _, standings = Trial().play(policy, 200)
    _as_if_all_had_changed(standings)
    later = Trial(seed=1)
    return later.mean_skill(later.play(policy, 150, standings)[0])


@pytest.mark.parametrize(
    ("forgets", "twin"),
    [
        (Discounted(0.95), Thompson()),
        (Discounted(), Thompson()),
        (DifficultyThompson(memory=0.95), DifficultyThompson()),
    ],
)
def test_who_forgets_follows_a_change_better(forgets: Policy, twin: Policy) -> None:
    """By more than five standard errors."""
    better = after_a_change(forgets) - after_a_change(twin)

    assert better.mean() > 5 * better.std(ddof=1) / np.sqrt(len(better))


def test_what_makes_no_sense_is_refused() -> None:
    """With the value, and what would be right."""
    with pytest.raises(SpancrewError, match=r"belief 'gamma' is not known \(beta or gaussian\)"):
        Thompson("gamma")  # type: ignore[arg-type]
    with pytest.raises(SpancrewError, match="draws 0: at least 1 is needed"):
        Thompson(draws=0)
    with pytest.raises(SpancrewError, match="memory 0: it must be above 0 and at most 1"):
        Discounted(0)
    with pytest.raises(SpancrewError, match=r"memory 1\.1"):
        DifficultyThompson(1.1)


def test_standings_must_hold_what_a_policy_needs() -> None:
    """Difficulty for one, the truth for another."""
    standings, chance = Standings.start(1, 3), Chance.of(0, range(1))

    with pytest.raises(SpancrewError, match="keep no difficulty; start them with it"):
        DifficultyThompson().select(standings, 1, chance)
    with pytest.raises(SpancrewError, match="which only a rehearsal knows; choose another policy"):
        Oracle().select(standings, 1, chance)
