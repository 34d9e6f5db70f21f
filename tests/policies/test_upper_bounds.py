"""The optimistic policies, against formulas and root finders of others."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from scipy.special import rel_entr

from spancrew.core import Chance
from spancrew.errors import SpancrewError
from spancrew.policies import BayesUcb, Cucb, EpsilonGreedy, KlUcb, Policy, Standings
from spancrew.policies._beta_upper import beta_upper
from spancrew.policies._kl_ucb import kl_upper

COUNT = np.array([1.0, 3.0, 10.0, 40.0, 200.0, 2.0])
MEAN = np.array([0.3, 0.9, 0.75, 0.72, 0.7, 0.0])
TIME = 60


def known() -> Standings:
    """Return standings of six workers whose bounds differ clearly."""
    standings = Standings.start(1, 6)
    standings.count[:] = COUNT
    standings.total[:] = COUNT * MEAN
    standings.time[:] = TIME
    return standings


def crew(policy: Policy, standings: Standings) -> list[int]:
    """Return everybody in the order of a policy."""
    chosen: list[int] = policy.select(standings, 6, Chance.of(0, range(1)))[0].tolist()
    return chosen


def by_root(mean: float, allowed: float) -> float:
    """Return the highest q with kl(mean, q) <= allowed, by a root finder."""

    def excess(q: float) -> float:
        return float(rel_entr(mean, q) + rel_entr(1 - mean, 1 - q) - allowed)

    last = 1 - 1e-15
    return 1.0 if excess(last) < 0 else float(optimize.brentq(excess, mean, last, xtol=1e-13))


@given(st.floats(0.0, 0.999), st.floats(-5, 2))
def test_kl_bounds_are_where_a_root_finder_finds_them(mean: float, exponent: float) -> None:
    """Within 1e-4, and within 1e-6 for means that are not tiny."""
    allowed = 10**exponent
    found = kl_upper(mean, allowed)

    assert found == pytest.approx(by_root(mean, allowed), abs=1e-6 if mean > 0.05 else 1e-4)


def test_kl_bounds_have_their_limits() -> None:
    """Nothing allowed is the mean itself; no bound exceeds 1."""
    assert kl_upper(0.4, 0.0) == 0.4
    assert kl_upper(1.0, 3.0) == 1.0
    assert kl_upper(0.0, 2.0) == pytest.approx(1 - math.exp(-2.0))
    assert kl_upper(0.9, 1e3) == 1.0


@given(st.floats(-1, 4.5), st.floats(0, 1), st.floats(math.log(2), math.log(1e7)))
def test_beta_quantiles_are_those_of_scipy(size: float, mean: float, log_time: float) -> None:
    """Within 2e-5, from one reward to thousands, from the median to the far tail."""
    a, b = 1 + 10**size * mean, 1 + 10**size * (1 - mean)
    tail = math.exp(-log_time)
    found = beta_upper(a, b, -log_time, float(stats.norm.isf(tail)))

    assert found == pytest.approx(float(stats.beta.isf(tail, a, b)), abs=2e-5)


def test_the_order_of_optimistic_policies_is_that_of_their_formulas() -> None:
    """For workers who were asked from once to 200 times."""
    log_t = math.log(TIME)
    total = COUNT * MEAN
    expected = {
        Cucb(): MEAN + np.sqrt(1.5 * log_t / COUNT),
        Cucb(0.2): MEAN + 0.2 * np.sqrt(1.5 * log_t / COUNT),
        BayesUcb(): stats.beta.isf(1 / TIME, 1 + total, 1 + COUNT - total),
        KlUcb(): [by_root(m, log_t / n) for m, n in zip(MEAN, COUNT, strict=True)],
        KlUcb(3.0): [
            by_root(m, (log_t + 3 * math.log(log_t)) / n) for m, n in zip(MEAN, COUNT, strict=True)
        ],
        EpsilonGreedy(0.0): MEAN,
    }

    for policy, index in expected.items():
        assert crew(policy, known()) == np.argsort(-np.asarray(index)).tolist()


@pytest.mark.parametrize("policy", [Cucb(), KlUcb(), EpsilonGreedy(0.0)])
def test_whoever_was_never_asked_comes_first(policy: Policy) -> None:
    """Someone whose first answer is on its way counts as asked."""
    standings = known()
    standings.count[0, 4] = standings.total[0, 4] = 0
    first = crew(policy, standings)[0]
    standings.pending[0, 4] = 30

    assert first == 4
    assert crew(policy, standings)[0] != 4


def test_epsilon_is_how_often_the_crew_is_left_to_chance() -> None:
    """In many runs at once, within four standard errors."""
    runs = range(4000)
    standings = Standings.start(len(runs), 6)
    standings.count[:], standings.total[:] = 1.0, np.arange(6) / 10
    chosen = EpsilonGreedy(0.3).select(standings, 2, Chance.of(1, runs))
    best = (chosen == [5, 4]).all(axis=1).mean()
    expected = 0.7 + 0.3 / 30

    assert best == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / len(runs)))


def test_what_makes_no_sense_is_refused() -> None:
    """With the value, and what would be right."""
    with pytest.raises(SpancrewError, match=r"scale -1: the bonus of CUCB cannot be negative"):
        Cucb(-1)
    with pytest.raises(SpancrewError, match=r"scale nan"):
        Cucb(math.nan)
    with pytest.raises(SpancrewError, match=r"c -3: it must be 0 or more"):
        KlUcb(-3)
    with pytest.raises(SpancrewError, match=r"epsilon 1\.5: a probability is from 0 to 1"):
        EpsilonGreedy(1.5)
