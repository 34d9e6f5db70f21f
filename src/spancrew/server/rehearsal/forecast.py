"""A rehearsal of a plan on a pilot: what it would cost, and how good the labels would be.

Or a plan for what is wanted: see :mod:`spancrew.server.rehearsal.planning`.

Each has a process of its own, ``python -m spancrew.server.rehearsal.forecast FOLDER``, which reads
its job from a folder and writes lines of JSON.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from spancrew.campaign import Plan
from spancrew.consensus import consensus_name
from spancrew.core import Dataset, FloatArray, people_among
from spancrew.errors import PlanError, SpancrewError
from spancrew.feedback import feedback_name
from spancrew.formats import read
from spancrew.policies import policy_name
from spancrew.server.processes import end_with
from spancrew.server.refusals import refusal_of
from spancrew.server.rehearsal.cast import (
    Assumption,
    Cast,
    assumed_workers,
    assumption,
    cast_of,
    fidelity_of,
    pilot_of,
)
from spancrew.server.rehearsal.planning import planned_of
from spancrew.server.rehearsal.run import RehearsalJob, kept_job
from spancrew.server.rehearsal.time_left import TimeLeft
from spancrew.simulate import (
    EXACT,
    Outcome,
    Setting,
    join_outcomes,
    mean_sd,
    refuse_unfit,
    rehearse,
    scene_of,
)
from spancrew.wire import plan_of, reading_of

Say = Callable[[int, int, str], None]
"""Called with the parts done, the parts in all, and which part begins now."""


def forecast_of(job: RehearsalJob, say: Say) -> dict[str, Any]:
    """Rehearse a job and return its forecast; refuse what can be refused first."""
    began = time.monotonic()
    dataset = read(job.data, job.format, **reading_of(job.reading).options()).dataset
    plan = plan_of(job.plan, tuple(dataset.labels), dataset.kind)
    if plan.kind != dataset.kind:
        raise PlanError(
            f"kind {plan.kind!r}: the data has {dataset.kind}, and only a campaign on answers of "
            "their kind can be rehearsed on them"
        )
    pilot = pilot_of(dataset, plan.labels)
    setting = _setting(plan, pilot, job.runs)
    say(0, job.runs + 2, "crowd")
    cast = cast_of(pilot, plan, job.skill)
    outcome = _outcome(cast, setting, say)
    say(job.runs + 1, job.runs + 2, "fidelity")
    return {
        **_figures(outcome),
        "of": len(dataset),
        "workers": len(people_among(outcome.workers)),
        "crowd": cast.kind,
        "skill": cast.skill,
        "fidelity": fidelity_of(pilot, cast),
        "assumptions": [*cast.said, *_assumptions(plan, setting, outcome, len(dataset))],
        "seconds": round(time.monotonic() - began, 2),
    }


def _setting(plan: Plan, pilot: Dataset, runs: int) -> Setting:
    """Return the setting of a plan; a crew is at most as large as the pilot has workers."""
    people = len(people_among(pilot.workers))
    workers = people if len(pilot.answers) else assumed_workers(plan)
    size = plan.crew_size
    setting = Setting(
        policy=plan.policy,
        feedback=plan.feedback,
        consensus=plan.method,
        crew=size if size == "auto" else max(min(size, workers), plan.answers),
        answers=plan.answers,
        runs=runs,
        seed=plan.seed,
        prices=plan.prices,
        cap=plan.cap,
        audit=plan.audits,
        warm_up=plan.warm_up,
    )
    refuse_unfit(setting, workers, len(pilot))
    return setting


def _outcome(cast: Cast, setting: Setting, say: Say) -> Outcome:
    """Rehearse run by run, which gives what all at once would give."""
    scene = scene_of(cast.dataset, cast.crowd)
    parts = []
    for run in range(setting.runs):
        say(run + 1, setting.runs + 2, "runs")
        parts.append(rehearse(scene, setting, range(run, run + 1)))
    return join_outcomes(parts)


def _figures(outcome: Outcome) -> dict[str, Any]:
    setting = outcome.setting
    return {
        "policy": policy_name(setting.policy),
        "feedback": feedback_name(setting.feedback),
        "consensus": consensus_name(setting.consensus),
        "crew": setting.crew,
        "answers": setting.answers,
        "runs": outcome.runs,
        "sentences": outcome.sentences,
        "f1": _spread(outcome.final[EXACT][:, -1, 2]),
        "expert_share": _spread(outcome.expert_share),
        "audited_share": _spread(outcome.audited / outcome.sentences),
        "warm_up": _spread(outcome.warm_up.astype(np.float64)),
        "answers_per_sentence": _spread(outcome.answers_per_sentence),
        "cost": _spread(outcome.money),
        "crowd_cost": _spread(outcome.crowd_money),
        "expert_cost": _spread(outcome.expert_money),
        "expert_only": outcome.expert_only_money,
        "saved": _spread(outcome.saved),
        "settled": float(np.mean(outcome.settled)),
    }


def _spread(values: FloatArray) -> dict[str, float]:
    return mean_sd(values)._asdict()


def _assumptions(plan: Plan, setting: Setting, outcome: Outcome, of: int) -> list[Assumption]:
    """Say where a rehearsal differs from the campaign."""
    said = _warm_up_assumed(setting, len(people_among(outcome.workers)))
    crew, asked = setting.crew, plan.crew_size
    if isinstance(asked, int) and isinstance(crew, int) and crew < asked:
        text = f"The crew has {crew} workers, not {asked}."
        said.append(assumption("crew", text, crew=crew, asked=asked))
    if outcome.sentences != of:
        text = (
            f"{outcome.sentences} of {of} sentences are rehearsed: those with gold, of many a part"
        )
        said.append(assumption("part", f"{text}.", sentences=outcome.sentences, of=of))
    if plan.budget is not None:
        text = f"The budget of {plan.budget:g} stops nothing in a rehearsal."
        said.append(assumption("budget", text, budget=plan.budget))
    return said


def _warm_up_assumed(setting: Setting, workers: int) -> list[Assumption]:
    """Say what experts label before workers begin."""
    if not setting.warms_up:
        return []
    if setting.warm_up == "shared":
        text = "Every worker begins with the same sentence, which an expert labels."
        return [assumption("warm_up_shared", text)]
    text = f"Every worker begins with a sentence that an expert labels, {workers} in all."
    return [assumption("warm_up", text, workers=workers)]


NICE = 5
"""Those who label come first: a rehearsal takes what they leave of the processor."""


def _write(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record, allow_nan=False) + "\n")
    sys.stdout.flush()


def _sayer() -> Say:
    """Return what tells how far a rehearsal is and, from its first run on, how long it takes."""
    time_left = TimeLeft()

    def say(done: int, of: int, phase: str) -> None:
        left = None if phase == "crowd" else time_left(done / of)
        _write({"done": done, "of": of, "phase": phase, "left": left})

    return say


def main(job: RehearsalJob) -> None:
    """Rehearse and write the forecast, or make a plan; or write why there is none."""
    try:
        if job.wishes is None:
            _write({"forecast": forecast_of(job, _sayer())})
        else:
            _write({"plan": planned_of(job, _write)})
    except SpancrewError as error:
        refusal = refusal_of(error)
        _write({**refusal.body, "status": refusal.status})


if __name__ == "__main__":
    given, parent = kept_job(Path(sys.argv[1]))
    end_with(parent)
    os.nice(NICE)
    main(given)
