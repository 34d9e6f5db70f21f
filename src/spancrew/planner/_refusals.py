"""What no plan can do, said before anything is rehearsed, or after nothing has met the aim."""

from collections.abc import Sequence

from spancrew.errors import PlanError
from spancrew.planner._arm import FamilyArm
from spancrew.planner._figures import F1
from spancrew.planner._forecast import experts_alone
from spancrew.planner._schedule import schedule
from spancrew.planner._search import by_budget
from spancrew.planner._terms import Terms, over

FEWEST_ANSWERS = 2


def refuse_impossible(terms: Terms) -> None:
    """Refuse a budget or a deadline that no way to label all sentences keeps."""
    _refuse_budget(terms)
    _refuse_deadline(terms)


def _refuse_budget(terms: Terms) -> None:
    aim, people = terms.aim, terms.people
    if aim.budget is None:
        return
    warm_up = people.workers * aim.prices.answer
    if people.experts:
        warm_up += aim.prices.expert * (people.workers if aim.warm_up == "own" else 1)
    if aim.warm_up != "none" and aim.budget < warm_up:
        raise PlanError(
            f"a budget of {aim.budget:,.2f} is below what the warm-up of {people.workers} workers "
            f"costs, {warm_up:,.2f}: take a higher budget, fewer workers, or no warm-up"
        )
    least = FEWEST_ANSWERS * aim.prices.answer * aim.sentences
    alone = aim.prices.expert * aim.sentences
    if people.experts:
        least = min(least, alone)
    if aim.budget < least:
        raise PlanError(
            f"a budget of {aim.budget:,.2f} does not pay for {aim.sentences:,} sentences, which "
            f"cost at least {least:,.2f} at these prices: take a higher budget, or at most "
            f"{int(aim.budget / (least / aim.sentences)):,} sentences"
        )


def _refuse_deadline(terms: Terms) -> None:
    aim, people = terms.aim, terms.people
    if aim.days is None:
        return
    answers = float(FEWEST_ANSWERS * aim.sentences)
    fastest = schedule(people, people.workers, answers, 0.0).days
    if people.experts:
        fastest = min(fastest, experts_alone(terms).days.mean)
    if fastest > aim.days:
        raise PlanError(
            f"these people cannot label {aim.sentences:,} sentences in {_days(aim.days)}: two "
            f"answers on each, or experts alone, take at least {fastest:.1f}; take more people, "
            "more hours a day, a later deadline or fewer sentences"
        )


def refuse_unreached(terms: Terms, arms: Sequence[FamilyArm]) -> None:
    """Refuse an aim that the best arm misses, and say what can be reached."""
    aim = terms.aim
    candidate, figures = arms[0].best(terms)
    if terms.shortfall(candidate, figures) == 0:
        return
    f1 = float(figures[F1])
    if aim.quality is not None and over(aim.quality, f1):
        raise PlanError(
            f"no plan reaches F1 {aim.quality:g} without experts: the best reachable is "
            f"{f1:.3f}; let experts help, or aim lower"
        )
    cost, days = terms.cost(candidate, figures), terms.days(candidate, figures)
    if aim.budget is not None and over(cost, aim.budget):
        _refuse_cost(terms, arms, cost)
    raise PlanError(
        f"no plan {_reaching(terms)}is done in {_days(aim.days or 0)}: the fastest takes "
        f"{days.days:.1f}, and its {days.bottleneck} hold it up; take more of them, more hours a "
        "day, or a later deadline"
    )


def _refuse_cost(terms: Terms, arms: Sequence[FamilyArm], cost: float) -> None:
    best = min(arms, key=lambda arm: by_budget(arm, terms))
    missing, errors = by_budget(best, terms)
    reach = (
        f"with {terms.aim.budget:,.2f} the best reachable is F1 {1 - errors:.3f}"
        if missing == 0
        else "nothing that was tried fits that budget"
    )
    raise PlanError(
        f"no plan {_reaching(terms)}fits a budget of {terms.aim.budget:,.2f}: the cheapest costs "
        f"{cost:,.2f}, and {reach}; take a higher budget, or aim lower"
    )


def _days(count: float) -> str:
    return f"{count:g} day{'' if count == 1 else 's'}"


def _reaching(terms: Terms) -> str:
    return "" if terms.aim.quality is None else f"that reaches F1 {terms.aim.quality:g} "
