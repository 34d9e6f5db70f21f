"""Who stands in for the workers in a rehearsal, and what is taken for granted about them."""

from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np

from spancrew.campaign import Plan
from spancrew.core import Dataset, DatasetBuilder, LabelSet, people_among, refuse_choices
from spancrew.crowds import Calibrated, Crowd, fidelity, fit_population
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.simulate import simulated_crowd

MOST_SENTENCES = 3_000
"""A larger pilot is thinned: more sentences make a forecast slower, but hardly surer."""

MOST_WORKERS = 200
"""A larger crew is assumed to be no better and no worse."""

USUAL_SKILL = 0.68
"""The mean exact F1 of the workers of the bundled data set."""

_USUAL_WORKERS = 20
"""So many are assumed where neither a pilot nor the plan says how many there are."""

_SPREAD = 0.15
"""The standard deviation of that F1 between workers."""

_CHARACTERS = 1.5
"""Tokens shorter than this on average are characters."""

Assumption = dict[str, Any]
"""What is taken for granted: a code and numbers for programs, a text for people."""


class Cast(NamedTuple):
    """A crowd on its sentences; ``skill`` is the F1 that was assumed, if none could be learned."""

    dataset: Dataset
    crowd: Crowd
    kind: Literal["calibrated", "assumed"]
    skill: float | None
    said: list[Assumption]


def assumption(code: str, text: str, **numbers: float) -> Assumption:
    """Return something that is taken for granted."""
    return {"code": code, "text": text, **numbers}


def pilot_of(dataset: Dataset, labels: tuple[str, ...]) -> Dataset:
    """Return the sentences with gold, not too many, under the labels of a plan in its order."""
    usable = np.flatnonzero(dataset.has_gold)
    if len(usable) == 0:
        raise SpancrewError(
            "no sentence has gold, which plays the expert in a rehearsal: label some sentences "
            "yourself and upload them with their labels, about 100 make a useful pilot"
        )
    if len(usable) > MOST_SENTENCES:
        usable = usable[np.linspace(0, len(usable) - 1, MOST_SENTENCES).astype(np.int64)]
    kept = dataset if len(usable) == len(dataset) else dataset.take(usable)
    return kept if tuple(kept.labels) == labels else _relabelled(kept, labels)


def _relabelled(dataset: Dataset, labels: tuple[str, ...]) -> Dataset:
    builder = DatasetBuilder(LabelSet(labels), dataset.kind)
    for worker in dataset.workers:
        builder.add_worker(worker)
    builder.add_all(dataset)
    return builder.build()


def cast_of(pilot: Dataset, plan: Plan, skill: float | None) -> Cast:
    """Return a crowd that is fitted to the answers of a pilot; without any, an assumed one."""
    if len(pilot.answers) == 0:
        refuse_choices(pilot, "a rehearsal without answers of workers")
        return _assumed(pilot, plan, USUAL_SKILL if skill is None else skill)
    made = simulated_crowd(pilot, "calibrated", seed=plan.seed)
    answers, workers = len(pilot.answers), len(people_among(pilot.workers))
    text = (
        "The workers behave like those of the pilot: stand-ins are fitted to "
        f"{answers:,} real answers of {workers} workers."
    )
    said = assumption("calibrated", text, answers=answers, workers=workers)
    return Cast(made.dataset, made.crowd, "calibrated", None, [said])


def assumed_workers(plan: Plan) -> int:
    """Return how many workers are assumed where there is no pilot: as many as the crew has."""
    usual = max(_USUAL_WORKERS, plan.answers)
    return min(usual if plan.crew_size == "auto" else plan.crew_size, MOST_WORKERS)


def _assumed(pilot: Dataset, plan: Plan, skill: float) -> Cast:
    """Return as many workers as the crew has, good and bad ones, who err as in bundled data."""
    workers = assumed_workers(plan)
    skills = [
        min(max(skill + _SPREAD * NormalDist().inv_cdf((k + 0.5) / workers), 0.05), 0.98)
        for k in range(workers)
    ]
    known = read("demo-zh" if _is_in_characters(pilot) else "demo").dataset
    named = {f"w{k}": each for k, each in enumerate(skills)}
    crowd = Calibrated.new(pilot, fit_population(known), named, plan.seed)
    text = (
        f"The pilot has no worker answers: {workers} workers are assumed, with an F1 of "
        f"{skill:.2f} on average (from {skills[0]:.2f} to {skills[-1]:.2f}), who make the same "
        "kinds of mistakes as the workers of the bundled data."
    )
    numbers = {"workers": workers, "skill": skill, "low": skills[0], "high": skills[-1]}
    return Cast(pilot, crowd, "assumed", skill, [assumption("assumed_crowd", text, **numbers)])


def _is_in_characters(dataset: Dataset) -> bool:
    starts, ends = dataset.sentences.starts.values, dataset.sentences.ends.values
    return float((ends - starts).mean()) < _CHARACTERS


def fidelity_of(pilot: Dataset, cast: Cast) -> dict[str, Any] | None:
    """Return how much the stand-ins behave like the real workers; None if that is not known."""
    if cast.kind != "calibrated":
        return None
    try:
        found = fidelity(pilot)["known"]
    except SpancrewError:
        return None
    return {
        "verdict": found.verdict,
        "reasons": found.reasons,
        "sentences": found.sentences,
        "answers": found.answers,
        "ks": found.ks,
        "agreement": {"real": found.kappa.real, "generated": found.kappa.generated},
        "vote_f1": {"real": found.mv_exact_f1.real, "generated": found.mv_exact_f1.generated},
        "worker_f1_error": found.worker_f1_mean_abs_error,
    }
