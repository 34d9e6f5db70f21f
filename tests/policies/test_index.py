"""Upper bounds and posteriors against slow, independent computations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from spancrew.core import Chance, normal_quantile
from spancrew.errors import SpancrewError
from spancrew.policies import (
    BayesUcb,
    Cucb,
    DifficultyThompson,
    Discounted,
    EpsilonGreedy,
    KlUcb,
    Oracle,
    Policy,
    Standings,
    Thompson,
)
from spancrew.policies._beta_upper import beta_upper
from spancrew.policies._kl_ucb import kl_upper

ONE = Chance.of(0, range(1))


def divergence(p: float, q: float) -> float:
    """Return kl between two chances."""
    return float(stats.entropy([p, 1 - p], [q, 1 - q]))


def known(means: list[float], counts: list[int], time: int) -> Standings:
    """Return standings with given means and counts, in one run."""
    standings = Standings.start(1, len(means))
    standings.count[:] = counts
    standings.total[:] = np.array(means) * counts
    standings.time[:] = time
    return standings


def order(policy: Policy, standings: Standings) -> list[int]:
    """Return all workers, best first."""
    crew: list[int] = policy.select(standings, standings.count.shape[1], ONE)[0].tolist()
    return crew


@given(st.floats(0, 1), st.floats(-6, 1.5))
def test_the_bound_of_kl_ucb_is_where_the_divergence_says(mean: float, log_allowed: float) -> None:
    """Within 1e-4, and within 1e-6 where means are not next to 0."""
    allowed = 10.0**log_allowed
    found = kl_upper(mean, allowed)
    most = 1 - 1e-15
    inside = mean < most and divergence(mean, most) > allowed
    true = optimize.brentq(lambda q: divergence(mean, q) - allowed, mean, most) if inside else 1.0

    assert found == pytest.approx(true, abs=1e-6 if mean > 0.05 else 1e-4)
    assert mean <= found <= 1


def test_the_bounds_of_kl_ucb_have_their_limits() -> None:
    """Nothing allowed is the mean itself; no bound exceeds 1."""
    assert kl_upper(0.4, 0.0) == 0.4
    assert kl_upper(1.0, 3.0) == 1.0
    assert kl_upper(0.0, 2.0) == pytest.approx(1 - math.exp(-2.0))
    assert kl_upper(0.9, 1e3) == 1.0


@given(st.floats(0, 1), st.floats(-1, 5), st.floats(0.4, 6))
def test_the_bound_of_bayes_ucb_is_the_quantile_of_scipy(
    mean: float, log_count: float, log_time: float
) -> None:
    """Within 2e-5, for up to as many answers as there were steps."""
    time = round(10.0**log_time)
    count = min(10.0**log_count, time)
    a, b = 1 + mean * count, 1 + (1 - mean) * count
    found = beta_upper(a, b, -math.log(time), -normal_quantile(1 / time))

    assert found == pytest.approx(stats.beta.isf(1 / time, a, b), abs=2e-5)


@pytest.mark.parametrize("mean", [0.0, 1e-9, 0.3, 1.0])
def test_a_clock_that_stands_still_breaks_nothing(mean: float) -> None:
    """A million answers at the median: slow to converge, but a number."""
    found = beta_upper(1 + mean * 1e6, 1 + (1 - mean) * 1e6, -math.log(2), 0.0)

    assert found == pytest.approx(mean, abs=1e-4)


def test_cucb_is_the_formula_of_the_paper() -> None:
    """The mean plus the square root of 3 ln t / 2 T, by the scale."""
    means, counts = [0.5, 0.6, 0.55, 0.2], [10, 60, 30, 2]
    standings = known(means, counts, time=80)
    for scale in (0.0, 0.2, 1.0):
        bonus = scale * np.sqrt(3 * np.log(80) / (2 * np.array(counts)))

        assert order(Cucb(scale), standings) == np.argsort(-(means + bonus)).tolist()


@pytest.mark.parametrize("c", [0.0, 3.0])
def test_kl_ucb_orders_by_its_bounds(c: float) -> None:
    """Computed by bisection."""
    means, counts = [0.5, 0.6, 0.55, 0.2, 0.0, 1.0], [10, 60, 30, 2, 9, 1]
    allowed = math.log(80) + c * math.log(math.log(80))
    bounds = [kl_upper(m, allowed / n) for m, n in zip(means, counts, strict=True)]

    assert order(KlUcb(c), known(means, counts, 80)) == np.argsort(-np.array(bounds)).tolist()


def test_bayes_ucb_orders_by_its_quantiles() -> None:
    """Computed by scipy."""
    means, counts = np.array([0.5, 0.6, 0.55, 0.2, 0.0, 1.0]), np.array([10, 60, 30, 2, 9, 1])
    bounds = stats.beta.isf(1 / 80, 1 + means * counts, 1 + counts - means * counts)

    assert order(BayesUcb(), known(list(means), list(counts), 80)) == np.argsort(-bounds).tolist()


@pytest.mark.parametrize("policy", [Cucb(), KlUcb(), EpsilonGreedy(0), Thompson("gaussian")])
def test_whoever_was_never_asked_comes_first(policy: Policy) -> None:
    """In random order, if there are several."""
    standings = known([0.9, 0.0, 0.8, 0.0, 0.0], [9, 0, 9, 0, 0], time=18)
    firsts = {tuple(policy.select(standings, 3, ONE.at(step))[0]) for step in range(60)}

    assert {tuple(sorted(crew)) for crew in firsts} == {(1, 3, 4)}
    assert len(firsts) == 6


@pytest.mark.parametrize("policy", [Cucb(), KlUcb(), EpsilonGreedy(0)])
def test_whose_first_answers_are_on_their_way_counts_as_asked(policy: Policy) -> None:
    """Else one newcomer would get everything at once."""
    standings = known([0.9, 0.0, 0.8], [9, 0, 9], time=18)
    standings.pending[0, 1] = 30

    assert order(policy, standings)[0] == 0


@pytest.mark.parametrize("policy", [Cucb(), KlUcb(), EpsilonGreedy(0)])
def test_of_those_never_asked_the_cheapest_comes_first(policy: Policy) -> None:
    """All are worth infinitely much, but not per unit of money."""
    standings = known([0.9, 0.0, 0.0], [9, 0, 0], time=9)
    standings.price = np.array([1.0, 2.0, 1.5])

    assert order(policy, standings) == [2, 1, 0]


def test_epsilon_greedy_asks_a_random_crew_now_and_then() -> None:
    """As often as epsilon says, and the best otherwise."""
    runs = range(4000)
    standings = Standings.start(len(runs), 10)
    standings.count[:] = 5
    standings.total[:] = np.arange(10)
    crews = EpsilonGreedy(0.3).select(standings, 2, Chance.of(0, runs))
    best = (crews == [9, 8]).all(axis=1).mean()

    assert best == pytest.approx(0.7 + 0.3 / 90, abs=0.03)


@pytest.mark.parametrize(
    ("policy", "spread"),
    [
        (Thompson(), stats.beta(4, 7).std()),
        (Thompson(draws=9), stats.beta(4, 7).std() / 3),
        (Thompson(draws=100), stats.beta(4, 7).std() / 10),
        (Thompson("gaussian"), 1 / 3),
        (Thompson("gaussian", draws=9), 1 / 9),
    ],
)
def test_thompson_explores_as_far_as_its_posterior(policy: Thompson, spread: float) -> None:
    """A twin with a mean one spread higher wins by the normal law of the difference, nearly."""
    runs = range(3000)
    standings = Standings.start(len(runs), 2)
    standings.count[:] = 9
    standings.total[:] = 3
    standings.total[:, 1] += min(spread, 0.2) * 9
    first = policy.select(standings, 1, Chance.of(0, runs))
    expected = stats.norm.cdf(min(spread, 0.2) / spread / math.sqrt(2))

    assert first.mean() == pytest.approx(expected, abs=0.06)


def test_no_draw_of_the_well_known_exceeds_their_mean() -> None:
    """Exploration is for those of whom less is known than of the average."""
    policy = DifficultyThompson()
    standings = Standings.start(500, 3, difficulty=True)
    run = np.repeat(np.arange(500), 40)
    crew = np.tile([[0, 1]], (len(run), 1))
    standings.learn(run, crew, np.tile([[0.9, 0.6]], (len(run), 1)))
    crews = policy.select(standings, 3, Chance.of(0, range(500)))
    first, known_order = crews[:, 0], crews[crews != 2].reshape(500, 2)

    assert (known_order == [0, 1]).all()
    assert 0 < (first == 2).mean() < 0.5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cucb(-1), "scale -1"),
        (lambda: Cucb(math.nan), "scale nan"),
        (lambda: KlUcb(-1), "c -1"),
        (lambda: EpsilonGreedy(1.5), "epsilon 1.5"),
        (lambda: Thompson(draws=0), "draws 0"),
        (lambda: Thompson("gauss"), "belief 'gauss'"),  # type: ignore[arg-type]
        (lambda: Discounted(0), "memory 0"),
        (lambda: DifficultyThompson(1.1), "memory 1.1"),
    ],
)
def test_options_out_of_range_are_refused(make: object, message: str) -> None:
    """With the value in the message."""
    with pytest.raises(SpancrewError, match=message):
        make()  # type: ignore[operator]


def test_the_oracle_needs_the_truth() -> None:
    """Which a live campaign does not have; the truth may differ from run to run."""
    standings = Standings.start(2, 3)
    with pytest.raises(SpancrewError, match="only a rehearsal knows"):
        Oracle().select(standings, 1, Chance.of(0, range(2)))
    standings.truth = np.array([[0.1, 0.5, 0.3], [0.9, 0.5, 0.3]])

    assert Oracle().select(standings, 2, Chance.of(0, range(2))).tolist() == [[1, 2], [0, 1]]


def test_difficulty_thompson_needs_standings_that_keep_difficulty() -> None:
    """The driver asks a policy what it wants before it starts them."""
    with pytest.raises(SpancrewError, match="keep no difficulty"):
        DifficultyThompson().select(Standings.start(1, 3), 1, ONE)
