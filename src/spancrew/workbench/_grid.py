"""Rehearse every combination of a grid."""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from spancrew.consensus import consensus_name, suited_to
from spancrew.core import Dataset
from spancrew.feedback import Doubts, feedback_name
from spancrew.metrics import Metric
from spancrew.policies import policy_name
from spancrew.report import Rehearsed
from spancrew.simulate import (
    CampaignSize,
    Cell,
    Grid,
    Outcome,
    Phases,
    Scene,
    Setting,
    check_engine,
    compiling_in_background,
    refuse_size,
    refuse_unfit,
    scene_of,
    simulated_crowd,
    sweep,
    usable,
)
from spancrew.workbench._rehearsals import Rehearsals


class Where(NamedTuple):
    """Where settings are rehearsed, and the folder that keeps finished ones.

    ``ahead`` compiles in a process of its own while the crowd is made. Such a process imports the
    main program again, which a script may not be made for.
    """

    engine: str = "local"
    processes: int | None = None
    keep: Path | None = None
    ahead: bool = False


class Stage(NamedTuple):
    """On what settings are rehearsed, and by which score workers are rewarded.

    ``size`` is that of the campaign; by default it is as large as the data set.
    """

    name: str
    dataset: Dataset
    score: Metric
    size: CampaignSize = CampaignSize()


def rehearse_grid(
    stage: Stage, grid: Grid, base: Setting, quality: float, where: Where, progress: Phases
) -> Rehearsals:
    """Make the scenes and rehearse every combination."""
    start = time.perf_counter()
    dataset, size = stage.dataset, stage.size
    workers = size.workers_of(dataset)
    check_engine(where.engine, where.processes)
    cells = list(grid.cells(base, workers))
    for cell in cells:
        refuse_unfit(cell.setting, workers, size.sentences_of(dataset))
        suited_to(cell.setting.consensus, dataset.kind)
    for choice in grid.crowds:
        refuse_size(choice.kind, usable(dataset, choice.kind), size)
    scenes: dict[str, Scene] = {}
    left_out = 0
    # What is compiled beforehand is for spans.
    is_ahead = where.ahead and dataset.kind == "spans"
    with _compiling(cells, workers) if is_ahead else nullcontext():
        for choice in grid.crowds:
            progress.phase(f"Making the crowd ({choice.name})")
            made = simulated_crowd(
                dataset, choice.kind, stage.score, ties=choice.ties, seed=base.seed, size=size
            )
            scene = scene_of(made.dataset, made.crowd, stage.score)
            scenes[choice.name] = replace(scene, activity=made.activity)
            left_out = max(left_out, made.left_out)
        progress.phase("Compiling")
    progress.phase("Rehearsing")
    outcomes = sweep(
        scenes, cells, where.engine, processes=where.processes, keep=where.keep, progress=progress
    )
    rehearsed = [_rehearsed(cell, outcome) for cell, outcome in zip(cells, outcomes, strict=True)]
    seconds = time.perf_counter() - start
    return Rehearsals(stage.name, tuple(rehearsed), seconds, left_out, quality)


def _compiling(cells: Sequence[Cell], workers: int) -> AbstractContextManager[None]:
    return compiling_in_background([cell.setting for cell in cells], workers)


def _rehearsed(cell: Cell, outcome: Outcome) -> Rehearsed:
    setting = cell.setting
    gate = setting.feedback
    threshold = None
    if gate.decides_by == "agreement":
        threshold = gate.current_threshold(setting.mean_prices, Doubts.start(1))
    return Rehearsed(
        policy_name(setting.policy),
        feedback_name(gate),
        consensus_name(setting.consensus),
        cell.scene,
        setting.crew,
        setting.answers,
        outcome,
        threshold.value if threshold else None,
    )
