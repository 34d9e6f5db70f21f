"""What is recommended or refused once every arm has been seen."""

import itertools

import numpy as np
import pytest

from spancrew.errors import PlanError
from spancrew.feedback import Prices
from spancrew.planner import Aim, People, Terms
from spancrew.planner._arm import FamilyArm
from spancrew.planner._candidates import Family
from spancrew.planner._experts import are_better, refuse_missed
from spancrew.planner._figures import F1
from spancrew.planner._finalists import finalists, frontier_of
from spancrew.planner._forecast import ForecastSpread, experts_alone, forecast
from spancrew.planner._refusals import refuse_unreached

SHARE = "expected-error:expert_share={:g}"
CALM = ForecastSpread(np.diag([1e-4, 1e-4, 0.0, 0.0]), np.zeros((4, 4)))


def expert_arm(answers: int = 3) -> FamilyArm:
    """Return an arm that sends sentences to experts."""
    rows = np.array(
        [[f1, knob, 0.0, answers] for f1, knob in ((0.8, 0.1), (0.9, 0.3), (0.96, 0.6))]
    )
    return FamilyArm.of(Family(SHARE, "auto", answers, 20), rows)


def crowd_arm(f1: float = 0.7) -> FamilyArm:
    """Return an arm that asks no expert."""
    return FamilyArm.of(Family("crowd", "mv", 3, 20), np.array([[f1, 0.0, 0.0, 3.0]]))


def terms(people: People | None = None, **aim: float) -> Terms:
    """Return terms for a thousand sentences."""
    wanted = {"quality": 0.95, "budget": None, "days": None} | aim
    return Terms(Aim(1_000, **wanted, audit=0.0), people or People(20))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arm", "given", "message"),
    [
        (
            crowd_arm(),
            terms(People(20, 0)),
            "F1 0.95 without experts: the best reachable is 0.700",
        ),
        (expert_arm(), terms(budget=500), "with 500.00 the best reachable is F1 0.8"),
        (expert_arm(), terms(budget=301), "nothing that was tried fits that budget"),
        (expert_arm(), terms(People(20, 1), days=1.0), "and its experts hold it up"),
        (expert_arm(), terms(People(3, 9), days=1.0), "and its workers hold it up"),
    ],
)
def test_an_aim_that_is_missed_is_refused_with_what_can_be_reached(
    arm: FamilyArm, given: Terms, message: str
) -> None:
    """And with a remedy."""
    with pytest.raises(PlanError) as refused:
        refuse_unreached(given, [arm])

    assert message in str(refused.value)
    assert "; " in str(refused.value)


def test_an_aim_that_experts_alone_meet_is_not_refused() -> None:
    """They are recommended then; not if they are too slow or too dear as well."""
    slow_crowd = terms(People(2, 40, worker_hours=0.5), days=3.0)

    refuse_missed(slow_crowd, [expert_arm()])
    with pytest.raises(PlanError):
        refuse_missed(terms(budget=500), [expert_arm()])
    with pytest.raises(PlanError):
        refuse_missed(terms(People(20, 0)), [crowd_arm()])


@pytest.mark.parametrize(
    ("price", "is_better"), [(0.1, True), (0.6, True), (2.0, False), (50.0, False)]
)
def test_experts_alone_are_recommended_where_they_are_cheaper(
    price: float, is_better: bool
) -> None:
    """Three answers at 0.1 and half of the sentences for experts cost 0.3 + price / 2 or so."""
    given = Terms(Aim(1_000, 0.95, prices=Prices(0.1, price), audit=0.0), People(20))
    arm = expert_arm()
    best = forecast(given, *arm.best(given), CALM)

    assert are_better(given, experts_alone(given), best) is is_better


def test_each_finalist_is_told_once() -> None:
    """The best, the crowd alone, and the best at a budget that experts alone would exceed."""
    given = terms(budget=900, days=30.0)
    found = list(finalists(given, [expert_arm(), crowd_arm()]))

    assert [each.name for each in found] == ["best", "crowd only", "best at the budget"]
    assert given.cost(found[2].candidate, found[2].arm.figures(found[2].knob)) <= 900
    assert [each.name for each in finalists(terms(), [crowd_arm()])] == ["best"]


def test_the_frontier_has_what_nothing_beats() -> None:
    """A crowd that is worse and dearer than another is not on it; what is recommended is."""
    arms = [expert_arm(), crowd_arm(0.7), crowd_arm(0.6)]
    dots = list(frontier_of(terms(), arms))
    best = expert_arm().best_knob(terms())

    assert dots[0] == (300.0, 0.7, "crowd, 3 answers")
    assert any(dot.f1 == pytest.approx(expert_arm().figures(best)[F1]) for dot in dots)
    assert all(dot.cost < experts_alone(terms()).cost.mean for dot in dots)
    assert all(a.cost < b.cost and a.f1 < b.f1 for a, b in itertools.pairwise(dots))


def test_an_interval_holds_its_mean_and_grows_with_what_varies() -> None:
    """Costs vary with what is sent to experts, F1 does not go beyond 1."""
    given = terms()
    wide = ForecastSpread(100 * CALM.pilot, CALM.campaign)
    narrow, far = (forecast(given, *expert_arm().best(given), how) for how in (CALM, wide))

    for name in ("f1", "cost", "expert_share", "expert_hours", "days"):
        one, other = getattr(narrow, name), getattr(far, name)
        assert one.low <= one.mean <= one.high
        assert other.low <= one.low
        assert other.high >= one.high
    assert far.f1.high == 1.0
    assert narrow.cost.high - narrow.cost.mean == pytest.approx(1_000 * 0.01 * 1.2816, rel=1e-3)
