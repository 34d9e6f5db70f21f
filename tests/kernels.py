"""Compile the kernels that most tests need, on all cores, before the tests start.

Run as ``python -m tests.kernels`` with NUMBA_CACHE_DIR set. Several test processes that begin at
once would compile the same kernels at the same time.
"""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import get_args

import numpy as np

from spancrew.augment import Recipe, Ties, augment
from spancrew.campaign import Plan, warm
from spancrew.consensus import aggregate, consensus_method, methods_for
from spancrew.core import Dataset
from spancrew.crowds import Replay, fidelity
from spancrew.experiments._authors_answers import authors_answers
from spancrew.feedback import feedback_rule, feedback_rules
from spancrew.formats import read
from spancrew.metrics import AGREEMENTS, Metric, agreement, overall_agreement, worker_scores
from spancrew.policies import policies, policy
from spancrew.simulate import Setting, rehearse, scene_of

_DONE = "compiled"


def _data() -> Dataset:
    return read("demo").dataset.take(np.arange(12))


def draw() -> None:
    """Draw answers of a calibrated crowd."""
    fidelity(read("demo").dataset.take(np.arange(60)))


def judge(name: str) -> None:
    """Find final labels by a consensus method."""
    aggregate(_data(), consensus_method(name))


def tag() -> None:
    """Find final labels with a tagger beside the people; it takes many sentences to be heard."""
    aggregate(read("demo").dataset, "auto+tagger")


def play(name: str) -> None:
    """Rehearse a campaign under a policy."""
    data = _data()
    scene = scene_of(data, Replay(data))
    rehearse(scene, Setting(policy(name), crew=6, answers=3, runs=2))


def decide(name: str) -> None:
    """Rehearse a campaign under a feedback rule, and run a live one."""
    data = _data()
    setting = Setting(feedback=feedback_rule(name), crew=6, answers=3, runs=2)
    rehearse(scene_of(data, Replay(data)), setting)
    warm(Plan(labels=data.labels.names, answers=3, crew=6, feedback=setting.feedback))


def measure() -> None:
    """Compute scores and agreement, for each sentence and over all."""
    data = _data()
    for name in ("token", "exact", "proportional"):
        worker_scores(data, Metric(name))
    for name in AGREEMENTS:
        agreement(data.answers, name)
        overall_agreement(data.answers, name)


def fill_up() -> None:
    """Fill up the answers as the paper does, whichever way ties are broken."""
    data = _data()
    for ties in get_args(Ties):
        augment(data, Recipe(ties=ties), dict.fromkeys(data.workers, 0.5))


def repeat_authors() -> None:
    """Fill up the answers as the authors' code does."""
    data = _data()
    authors_answers(data, Metric("exact"), 1, dict.fromkeys(data.workers, 0.5))


def main() -> None:
    """Do all of it once for each state of the sources."""
    done = Path(os.environ["NUMBA_CACHE_DIR"]) / _DONE
    if done.exists():
        return
    works: list[Callable[[], None]] = [
        partial(judge, "bsc"),
        tag,
        draw,
        fill_up,
        repeat_authors,
        *(partial(decide, name) for name in feedback_rules()),
        measure,
        *(partial(play, name) for name in policies()),
        *(partial(judge, name) for name in methods_for("spans") if name != "bsc"),
    ]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for each in [pool.submit(work) for work in works]:
            each.result()
    done.parent.mkdir(parents=True, exist_ok=True)
    done.touch()


if __name__ == "__main__":
    main()
