"""Rehearse one setting."""

import numpy as np

from spancrew.core import IntArray
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric
from spancrew.simulate._engine import Engine
from spancrew.simulate._outcome import CURVE, METRICS, Outcome
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting, refuse_unfit


def rehearse(
    scene: Scene,
    setting: Setting,
    runs: range | None = None,
    metrics: tuple[Metric, ...] = METRICS,
) -> Outcome:
    """Rehearse a campaign many times and return the outcome.

    ``runs`` picks some of the setting's runs; each is the same whether alone or with others.
    """
    refuse_unfit(setting, *scene.size)
    chosen = range(setting.runs) if runs is None else runs
    if len(chosen) == 0:
        raise SpancrewError(f"{chosen} has no runs to rehearse; leave it out to rehearse all")
    engine = Engine(scene, setting, chosen, metrics)
    engine.run()
    return outcome_of(engine)


def outcome_of(engine: Engine) -> Outcome:
    """Return what an engine has recorded."""
    setting, scene, standings = engine.setting, engine.scene, engine.standings
    regret = np.cumsum(engine.regret, axis=0).T
    experts = np.cumsum([np.zeros_like(engine.experts[0]), *engine.experts[1:]], axis=0).T
    steps = _thinned(engine.last_step, _fewest_steps(scene, setting))
    until = np.minimum(steps, engine.last_step)
    prices = setting.prices_of(scene.people)
    return Outcome(
        setting=setting,
        workers=scene.workers,
        sentences=len(scene.dataset),
        settled=len(scene.dataset) - engine.queue.left,
        answers=engine.record.answer_scores(),
        final=engine.record.final_scores(),
        steps=steps,
        regret=regret[:, until],
        experts=experts[:, until],
        asked=engine.answered.sum(axis=1),
        expert_labels=(engine.by_expert | engine.audits.audited).sum(axis=1),
        warm_up=engine.experts[0],
        audited=engine.audits.audited.sum(axis=1),
        certified=engine.certified,
        hired=engine.models.hired,
        crowd_money=(engine.answered * prices).sum(axis=1),
        model_answers=engine.by_models.sum(axis=1),
        model_money=(engine.by_models * prices).sum(axis=1),
        agreement=engine.record.agreement,
        count=standings.count,
        mean=standings.mean,
        truth=scene.truth,
    )


def _fewest_steps(scene: Scene, setting: Setting) -> int:
    """Return the steps that a run takes if everybody is always there."""
    crew = len(scene.workers) if setting.crew == "auto" else setting.crew
    at_once = crew // setting.answers if scene.can is None else 1
    return -(-len(scene.dataset) // at_once)


def _thinned(last: int, fewest: int) -> IntArray:
    """Return even steps from 0 on until ``last`` is reached, CURVE of them up to ``fewest``.

    They do not depend on ``last``, so that curves of runs of different length can be joined.
    """
    parts = max(min(fewest, CURVE - 1), 1)
    count = -(-last * parts // max(fewest, 1)) + 1
    return (2 * np.arange(count) * fewest + parts) // (2 * parts)
