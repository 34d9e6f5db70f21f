"""Experts who label everything, beside plans with a crowd."""

from collections.abc import Sequence

from spancrew.planner._arm import FamilyArm
from spancrew.planner._forecast import Forecast, experts_alone
from spancrew.planner._planned import Alternative
from spancrew.planner._refusals import refuse_unreached
from spancrew.planner._terms import Terms, over


def could_do_all(terms: Terms) -> bool:
    """Tell whether experts could label everything, within budget and deadline."""
    aim, alone = terms.aim, experts_alone(terms)
    if terms.people.experts == 0:
        return False
    if aim.budget is not None and alone.cost.mean > aim.budget:
        return False
    return aim.days is None or alone.days.mean <= aim.days


def refuse_missed(terms: Terms, arms: Sequence[FamilyArm]) -> None:
    """Refuse an aim that the best arm misses, unless experts alone meet it."""
    if not could_do_all(terms):
        refuse_unreached(terms, arms)


def ordered(
    terms: Terms, forecasts: Sequence[Alternative]
) -> tuple[Forecast, tuple[Alternative, ...]]:
    """Return what is recommended, and the others; experts alone are one of them."""
    first, *others = forecasts
    if terms.people.experts == 0:
        return first.forecast, tuple(others)
    alone = experts_alone(terms)
    if are_better(terms, alone, first.forecast):
        return alone, (Alternative("cheapest with a crowd", first.forecast), *others)
    return first.forecast, (*others, Alternative("experts only", alone))


def are_better(terms: Terms, alone: Forecast, best: Forecast) -> bool:
    """Tell whether experts alone meet the aim, and cost no more or are the only ones to do so."""
    aim = terms.aim
    if not could_do_all(terms):
        return False
    if aim.quality is None or alone.cost.mean <= best.cost.mean:
        return True
    missing = over(aim.quality, best.f1.mean)
    if aim.budget is not None:
        missing += over(best.cost.mean, aim.budget)
    if aim.days is not None:
        missing += over(best.days.mean, aim.days)
    return missing > 0
