"""Make a plan from a pilot."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from spancrew.core import Dataset
from spancrew.planner._aim import Aim, People
from spancrew.planner._arm import Arm
from spancrew.planner._basis import Basis
from spancrew.planner._bench import Bench, Meter
from spancrew.planner._candidates import Candidate, families
from spancrew.planner._figures import F1
from spancrew.planner._forecast import Forecast, Spread, experts_alone, forecast
from spancrew.planner._look import LARGEST, Looks
from spancrew.planner._parts import PAIRS, spread
from spancrew.planner._pilot import answers_of, pilot_of
from spancrew.planner._planned import (
    Alternative,
    FrontierDot,
    PilotNotes,
    PlannedCampaign,
    first_pilot,
    more_sentences,
)
from spancrew.planner._refusals import refuse_impossible, refuse_unreached
from spancrew.planner._search import Search, by_budget, by_crowd_alone, by_days
from spancrew.planner._terms import Terms

_STAGES = (0.11, 0.2, 0.05, 0.37, 0.27)
"""Shares of the time: first look, second, crews, last look, and how sure it is."""


_KNOBS = tuple(round(0.05 * k, 2) for k in range(1, 20))
"""Positions of a knob that the frontier is drawn through."""


class Phases(Protocol):
    """Is told what is being done, and how much of it."""

    def phase(self, name: str) -> None:
        """Begin something else."""

    def __call__(self, done: int, total: int) -> None:
        """Say how much is done."""


class Finalist(NamedTuple):
    """A candidate that a plan tells of, by what it is best at."""

    name: str
    arm: Arm
    knob: float

    @property
    def candidate(self) -> Candidate:
        """Return what is to be done."""
        return self.arm.family.at(self.knob)


def make_plan(  # noqa: PLR0913  what is wanted, by whom, from what, and how it is computed
    name: str,
    dataset: Dataset,
    aim: Aim,
    people: People,
    progress: Phases,
    *,
    is_timed: bool = False,
    assumption: str | None = None,
    seed: int = 0,
    processes: int | None = None,
) -> PlannedCampaign:
    """Find the best way to run a campaign like a pilot, and forecast it with others beside it.

    ``assumption`` says in words what the pilot is made of, where it is no real one.
    """
    terms = Terms(aim, people)
    refuse_impossible(terms)
    pilot = pilot_of(dataset)
    progress.phase("Fitting the crowd to the pilot")
    basis = Basis.of(pilot, people.workers, seed)
    progress.phase("Rehearsing plans")
    looks = Looks(basis, Bench(aim, seed, processes, Meter(progress, _STAGES)))
    tried = families(
        people.workers,
        answers_of(pilot),
        has_experts=people.experts > 0,
        in_haste=aim.days is not None,
    )
    arms = Search(looks, terms).run(list(tried))
    _refuse_unless_experts_do(terms, arms)
    chosen = list(finalists(terms, arms))
    spreads = spreads_of(looks, [each.candidate for each in chosen])
    forecasts = [
        Alternative(each.name, forecast(terms, each.candidate, each.arm.figures(each.knob), how))
        for each, how in zip(chosen, spreads, strict=True)
    ]
    alone = experts_alone(terms)
    first, *others = forecasts
    if people.experts:
        others.append(Alternative("experts only", alone))
    best = first.forecast
    if people.experts and _is_better(terms, alone, best):
        others = [Alternative("cheapest with a crowd", best), *others[:-1]]
        best = alone
    notes = PilotNotes(
        name,
        len(pilot),
        len(pilot.workers),
        float(pilot.answers.per_sentence.mean()),
        is_timed,
        chosen[0].arm.correction,
        more_sentences(len(pilot), *_variances(spreads[0])),
        aim.sentences > LARGEST,
        assumption,
        first_pilot(len(pilot), first.forecast.f1) if assumption else None,
    )
    return PlannedCampaign(terms, best, tuple(others), notes, tuple(frontier_of(terms, arms)))


def frontier_of(terms: Terms, arms: Sequence[Arm]) -> Iterator[FrontierDot]:
    """Yield what no other position of any knob beats in both cost and quality, by cost."""
    dots = []
    for arm in arms:
        for knob in _KNOBS if arm.family.has_knob else (0.0,):
            candidate, figures = arm.family.at(knob), arm.figures(knob)
            cost = terms.cost(candidate, figures)
            dots.append(FrontierDot(cost, float(figures[F1]), candidate.feedback))
    best = 0.0
    for dot in sorted(dots, key=lambda each: (each.cost, -each.f1)):
        if dot.f1 > best:
            best = dot.f1
            yield dot


def finalists(terms: Terms, arms: list[Arm]) -> Iterator[Finalist]:
    """Yield the best candidate, then what else people ask for, each once."""
    best = arms[0]
    named = [Finalist("best", best, best.best_knob(terms))]
    crowd = min(arms, key=by_crowd_alone)
    if not crowd.family.has_knob:
        named.append(Finalist("crowd only", crowd, 0.0))
    if terms.aim.quality is not None and terms.aim.days is not None:
        fast = min(arms, key=lambda arm: by_days(arm, terms))
        named.append(Finalist("fastest", fast, fast.knob_for_quality(terms.aim.quality)))
    if terms.aim.budget is not None and not _pays_for_experts(terms):
        rich = min(arms, key=lambda arm: by_budget(arm, terms))
        named.append(Finalist("best at the budget", rich, rich.knob_for_budget(terms)))
    seen: set[Candidate] = set()
    for each in named:
        if each.candidate not in seen:
            seen.add(each.candidate)
            yield each


def forecasts_of(looks: Looks, terms: Terms, candidates: Sequence[Candidate]) -> list[Forecast]:
    """Forecast some candidates, without looking for better ones."""
    seen = looks.last(candidates)
    spreads = spreads_of(looks, candidates)
    return [forecast(terms, *each) for each in zip(candidates, seen.figures, spreads, strict=True)]


def _pays_for_experts(terms: Terms) -> bool:
    """Tell whether experts could label everything, which no plan with a crowd is better than."""
    budget = terms.aim.budget
    alone = experts_alone(terms).cost.mean
    return terms.people.experts > 0 and budget is not None and alone <= budget


def spreads_of(looks: Looks, candidates: Sequence[Candidate]) -> list[Spread]:
    """Return how the figures of candidates vary: with the pilot, and with the campaign.

    The sentences of the campaign are a sample as well, as large as it is.
    """
    by_pilot = spread(looks.basis, candidates, looks.bench)
    looks.bench.meter.end_stage()
    sample = len(looks.basis.pilot) / looks.bench.aim.sentences
    return [Spread(found, found * sample, PAIRS) for found in by_pilot]


def _variances(found: Spread) -> tuple[float, float]:
    return float(found.pilot[F1, F1]), float(found.campaign[F1, F1])


def _refuse_unless_experts_do(terms: Terms, arms: list[Arm]) -> None:
    """Refuse an aim that is missed, unless experts alone meet it."""
    aim, alone = terms.aim, experts_alone(terms)
    fits = terms.people.experts > 0
    fits = fits and (aim.budget is None or alone.cost.mean <= aim.budget)
    fits = fits and (aim.days is None or alone.days.mean <= aim.days)
    if not fits:
        refuse_unreached(terms, arms)


def _is_better(terms: Terms, alone: Forecast, best: Forecast) -> bool:
    """Tell whether experts alone meet the aim, and cost no more or are the only ones to do so."""
    aim = terms.aim
    if aim.budget is not None and alone.cost.mean > aim.budget:
        return False
    if aim.days is not None and alone.days.mean > aim.days:
        return False
    if aim.quality is None or alone.cost.mean <= best.cost.mean:
        return True
    misses = best.f1.mean < aim.quality * 0.999
    misses |= aim.budget is not None and best.cost.mean > aim.budget
    return misses or (aim.days is not None and best.days.mean > aim.days)
