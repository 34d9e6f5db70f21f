"""Make a plan from a pilot."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import NamedTuple

from spancrew.core import Dataset, FloatArray, people_among
from spancrew.planner._basis import Basis
from spancrew.planner._bench import Bench, Meter
from spancrew.planner._candidates import Candidate, Family, families
from spancrew.planner._experts import ordered, refuse_missed
from spancrew.planner._figures import F1
from spancrew.planner._finalists import Finalist, finalists, frontier_of, seen_afresh
from spancrew.planner._forecast import Forecast, ForecastSpread, forecast
from spancrew.planner._look import LARGEST, Looks, Seen
from spancrew.planner._models import ModelsCompared, compared, members_in, without_models
from spancrew.planner._parts import spread
from spancrew.planner._pilot import answers_of, pilot_of
from spancrew.planner._planned import (
    Alternative,
    PilotNotes,
    PlannedCampaign,
    first_pilot,
    more_sentences,
)
from spancrew.planner._refusals import refuse_impossible
from spancrew.planner._search import Search
from spancrew.planner._stages import stages
from spancrew.planner._terms import Terms
from spancrew.simulate import Phases, compiling_in_background


class Pilot(NamedTuple):
    """A pilot by its name.

    ``is_timed`` tells whether it is known how long answers take; ``assumption`` says in words what
    the pilot is made of, where it is no real one.
    """

    name: str
    dataset: Dataset
    is_timed: bool = False
    assumption: str | None = None


class Computing(NamedTuple):
    """How a plan is computed.

    ``processes``: one for each core if there is no number. ``ahead`` compiles in another process
    while the crowd is fitted; such a process imports the main program again, which a script may
    not be made for.
    """

    seed: int = 0
    processes: int | None = None
    ahead: bool = False


def make_plan(
    given: Pilot, terms: Terms, progress: Phases, computing: Computing | None = None
) -> PlannedCampaign:
    """Find the best way to run a campaign like a pilot, and forecast it with others beside it."""
    refuse_impossible(terms)
    how = computing or Computing()
    pilot = given._replace(dataset=pilot_of(given.dataset))
    tried = _families(pilot.dataset, terms)
    progress.phase("Fitting the crowd to the pilot")
    with _compiling(tried, terms) if how.ahead else nullcontext():
        basis = Basis.of(pilot.dataset, terms.people.workers, how.seed)
    progress.phase("Rehearsing plans")
    meter = Meter(progress, stages(tried, len(pilot.dataset), terms))
    looks = Looks(basis, Bench(terms.aim, how.seed, how.processes, meter))
    arms = Search(looks, terms).run(tried)
    refuse_missed(terms, arms)
    chosen, seen = seen_afresh(looks, finalists(terms, arms))
    known = {each.arm.family: each.arm for each in reversed(chosen)}
    arms = [known.get(arm.family, arm) for arm in arms]
    refuse_missed(terms, arms)
    spreads = spreads_of(looks, [each.candidate for each in chosen], seen.varied)
    forecasts = [
        Alternative(each.name, forecast(terms, each.candidate, each.arm.figures(each.knob), how))
        for each, how in zip(chosen, spreads, strict=True)
    ]
    best, others = ordered(terms, forecasts)
    notes = _notes(pilot, terms, seen.correction[0], spreads[0], forecasts[0].forecast)
    models = _models_compared(looks, terms, chosen[0], pilot.dataset)
    dots = tuple(frontier_of(terms, arms))
    return PlannedCampaign(terms, best, others, notes, dots, models)


def _models_compared(
    looks: Looks, terms: Terms, best: Finalist, pilot: Dataset
) -> ModelsCompared | None:
    """Look for the best plan without models, and compare; None where there are none."""
    if not members_in(terms):
        return None
    alone = without_models(terms)
    bench = replace(looks.bench, aim=alone.aim)
    arm = Search(Looks(looks.basis.without_models(), bench), alone).quick(_families(pilot, alone))
    candidate, figures = arm.best(alone)
    own = best.arm.figures(best.knob)
    beside = own, terms.cost(best.candidate, own)
    return compared(terms, beside, (figures, alone.cost(candidate, figures)))


def _families(pilot: Dataset, terms: Terms) -> list[Family]:
    """Return all that is tried; with a deadline, everybody is in the crew."""
    people, in_haste = terms.people, terms.aim.days is not None
    most = answers_of(pilot)
    found = families(
        people.workers,
        most,
        has_experts=people.experts > 0,
        in_haste=in_haste,
        members=terms.aim.members,
        has_models=bool(terms.aim.models),
    )
    return list(found)


def _compiling(tried: Sequence[Family], terms: Terms) -> AbstractContextManager[None]:
    settings = {each.rule: each.at(0.3).setting(terms.aim, 1, 0) for each in tried}
    return compiling_in_background(list(settings.values()), terms.people.workers)


def _notes(
    pilot: Pilot, terms: Terms, correction: FloatArray, found: ForecastSpread, best: Forecast
) -> PilotNotes:
    """Return what the forecast of the best plan with a crowd rests on."""
    dataset = pilot.dataset
    variances = (float(part[F1, F1]) for part in (found.pilot, found.campaign))
    return PilotNotes(
        pilot.name,
        len(dataset),
        len(people_among(dataset.workers)),
        float(dataset.by_people.per_sentence.mean()),
        pilot.is_timed,
        correction,
        more_sentences(len(dataset), *variances),
        terms.aim.sentences > LARGEST,
        pilot.assumption,
        first_pilot(len(dataset), best.f1) if pilot.assumption else None,
    )


def forecasts_of(
    looks: Looks, terms: Terms, candidates: Sequence[Candidate], seen: Seen
) -> list[Forecast]:
    """Forecast some candidates by what was seen of them, without looking for better ones."""
    spreads = spreads_of(looks, candidates, seen.varied)
    return [forecast(terms, *each) for each in zip(candidates, seen.figures, spreads, strict=True)]


def spreads_of(
    looks: Looks, candidates: Sequence[Candidate], varied: Sequence[FloatArray] | FloatArray
) -> list[ForecastSpread]:
    """Return how the figures of candidates vary: with the pilot, and with the campaign.

    The sentences of the campaign are a sample as well, as large as it is; and so is its crowd.
    """
    by_pilot = spread(looks.basis, candidates, looks.bench)
    looks.bench.meter.end_stage()
    sample = len(looks.basis.pilot) / looks.bench.aim.sentences
    return [
        ForecastSpread(found, found * sample + crowd)
        for found, crowd in zip(by_pilot, varied, strict=True)
    ]
