"""Rehearse one setting."""

import numpy as np

from spancrew.core import IntArray
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
    """Rehearse a campaign many times and return what came of it.

    ``runs`` picks some of the setting's runs; each is the same whether alone or with others.
    """
    refuse_unfit(setting, len(scene.workers), len(scene.dataset))
    engine = Engine(scene, setting, runs or range(setting.runs), metrics)
    engine.run()
    return outcome_of(engine)


def outcome_of(engine: Engine) -> Outcome:
    """Return what an engine has recorded."""
    setting, scene, standings = engine.setting, engine.scene, engine.standings
    regret = np.cumsum(engine.regret, axis=0).T
    experts = np.cumsum(engine.experts[1:], axis=0).T if len(engine.experts) > 1 else None
    steps = _thinned(len(engine.regret) - 1)
    prices = setting.prices.answer * standings.price / standings.price.mean()
    if setting.worker_prices is not None:
        prices = np.array(setting.worker_prices)
    return Outcome(
        setting=setting,
        workers=scene.workers,
        sentences=len(scene.dataset),
        settled=len(scene.dataset) - engine.queue.left,
        answers=engine.record.answer_scores(),
        final=engine.record.final_scores(),
        steps=steps,
        regret=regret[:, steps],
        experts=np.zeros_like(regret, np.int64)
        if experts is None
        else experts[:, np.maximum(steps - 1, 0)],
        asked=engine.answered.sum(axis=1),
        expert_labels=engine.by_expert.sum(axis=1),
        warm_up=engine.experts[0],
        crowd_money=engine.answered @ prices,
        agreement=engine.record.agreement,
        count=standings.count,
        mean=standings.mean,
        truth=scene.truth,
    )


def _thinned(steps: int) -> IntArray:
    """Return at most CURVE steps, evenly, the last among them."""
    return np.unique(np.linspace(0, steps, min(steps + 1, CURVE)).round().astype(np.int64))
