"""The paper's Table 6: models trained on answers of random and of selected crews."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple, get_args

import numpy as np

from spancrew.consensus import consensus_method
from spancrew.core import Dataset
from spancrew.effect import (
    ARMS,
    ArmName,
    CrewStage,
    Design,
    Effect,
    ModelName,
    always,
    effect,
    learner_of,
)
from spancrew.errors import SpancrewError
from spancrew.experiments._data import ExperimentData, Variant, scenes
from spancrew.experiments._findings import Findings, Measured, measured
from spancrew.feedback import feedback_rule
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.policies import policy
from spancrew.simulate import PAPERS_BEST, Phases

TABLE_6: dict[str, tuple[float, float]] = {
    "crowd-cat": (52.66, 54.27),
    "bilstm-crf": (52.14, 54.51),
    "adapter": (53.86, 56.16),
}
"""Exact F1 in percent on OEI, without and with selection, by the name of our model."""

_CREWS: tuple[ArmName, ...] = ("random crew", "selected crew")
_PAPER = ("Original", "w/ Our Alg.")
"""What the paper calls them."""

Table6Crowd = Literal["real", "calibrated", "ses:uniform"]
_STAND_INS: tuple[Variant, ...] = ("calibrated", "ses:uniform")
"""Crowds for sentences whose real answers are not available."""

_TELLS_APART = ("crowd-cat", "adapter")
"""Models that tell workers apart: labels of nobody in particular are nothing new to them."""


class Size(NamedTuple):
    """How much is trained: sentences (None: all), seeds, epochs at most, layers of encoders."""

    sentences: int | None
    seeds: int
    epochs: int
    tuned_layers: int = 0


QUICK = Size(2_000, 3, 8)
"""A part of the sentences, and frozen encoders, for a first look."""
FULL = Size(None, 5, 25, 2)
"""All sentences."""


class Table6Order(NamedTuple):
    """Which models are trained, on how much, and the folder that keeps what is trained.

    After ``minutes`` no training is begun any more; None: all of them are done. Empty ``crowds``
    or ``arms`` stand for all.
    """

    models: tuple[ModelName, ...] = ("crf",)
    size: Size = QUICK
    keep: Path | None = None
    minutes: float | None = None
    crowds: tuple[Table6Crowd, ...] = ()
    arms: tuple[ArmName, ...] = ()


class Side(NamedTuple):
    """A data set with a crowd, a test, and an encoder for its language."""

    variant: str
    dataset: Dataset
    test: Dataset
    encoder: str
    arms: tuple[ArmName, ...]
    design: Design
    stage: CrewStage | None


class Table6(NamedTuple):
    """The numbers of one data set, and what is missing of them."""

    findings: Findings
    missing: tuple[str, ...]


MayTrain = Callable[[], bool]


def tables_6(
    data_sets: Sequence[ExperimentData],
    folder: Path | None,
    order: Table6Order,
    progress: Phases,
) -> list[Table6]:
    """Train what is missing, the paper's columns before all others, and gather what is there."""
    end = None if order.minutes is None else time.monotonic() + 60 * order.minutes
    may_train = always if end is None else lambda: time.monotonic() < end
    with TemporaryDirectory() as spare:
        kept = order._replace(keep=order.keep or Path(spare))
        sides = [_sides(data, folder, order) for data in data_sets]
        _refuse_nothing(sides, order)
        for columns in (_CREWS, ARMS):
            for side in (each for some in sides for each in some):
                _train(side, columns, kept, may_train, progress)
        return [_gathered(some, kept, progress) for some in sides]


def _train(
    side: Side,
    columns: tuple[ArmName, ...],
    order: Table6Order,
    may_train: MayTrain,
    progress: Phases,
) -> None:
    """Train seed by seed, so that what is there when time is up can be compared."""
    for seed in range(order.size.seeds):
        for name in order.models:
            arms = tuple(arm for arm in _arms(side, name, order) if arm in columns)
            if arms and may_train():
                progress.phase(f"Table 6, {side.variant}, {name}, seed {seed}")
                _effect(side, name, arms, (seed,), order, may_train, progress)


def _gathered(sides: Sequence[Side], order: Table6Order, progress: Phases) -> Table6:
    """Return what is there, model by model."""
    numbers: list[Measured] = []
    missing: list[str] = []
    for side in sides:
        for name in order.models:
            arms, seeds = _arms(side, name, order), range(order.size.seeds)
            if not arms:
                continue
            found = _effect(side, name, arms, seeds, order, lambda: False, progress)
            numbers += _numbers(name, side.variant, found)
            if found.missing:
                total = len(arms) * len(seeds)
                missing.append(f"{side.variant}, {name}: {len(found.missing)} of {total}")
    return Table6(Findings(numbers), tuple(missing))


def _arms(side: Side, name: ModelName, order: Table6Order) -> tuple[ArmName, ...]:
    own = ("all answers", *_CREWS) if name in _TELLS_APART else ARMS
    return tuple(arm for arm in side.arms if arm in own and arm in (order.arms or ARMS))


def _refuse_nothing(sides: Sequence[Sequence[Side]], order: Table6Order) -> None:
    """Refuse crowds, models and arms that do not go together."""
    there = [side for some in sides for side in some]
    if any(_arms(side, name, order) for side in there for name in order.models):
        return
    asked = ", ".join((*order.models, *order.crowds, *order.arms))
    raise SpancrewError(
        f"nothing to train for {asked}: OEI has {', '.join((*_CREWS, 'gold'))} only, models that "
        "tell workers apart learn from answers of workers, and without the paper's data the only "
        "crowd is 'real'"
    )


def _sides(data: ExperimentData, folder: Path | None, order: Table6Order) -> list[Side]:
    """Return the sides of the crowds that are wanted."""
    made = _all_sides(data, folder, order.size.sentences)
    return [side for side in made if side.variant in (order.crowds or get_args(Table6Crowd))]


def _all_sides(data: ExperimentData, folder: Path | None, sentences: int | None) -> list[Side]:
    """Return real answers where there are some; else two crowds that stand in for them."""
    chooser, rule = PAPERS_BEST
    final = consensus_method("auto+tagger")
    design = Design(policy(chooser), feedback_rule(rule), final, sentences=sentences)
    if data.skills is None or folder is None:
        return [Side("real", *_parts(data, folder), "minilm", ARMS, design, None)]
    test = read(folder / "oei" / "dev.json").dataset
    four = replace(design, answers=4)
    # Gold is the same whoever answers.
    arms: tuple[tuple[ArmName, ...], ...] = ((*_CREWS, "gold"), _CREWS)
    return [
        Side(each, data.dataset, test, "m3e", some, four, _stage(data, each))
        for each, some in zip(_STAND_INS, arms, strict=True)
    ]


def _stage(data: ExperimentData, variant: Variant) -> CrewStage:
    return CrewStage(variant, lambda: scenes(data, variant)(Metric("exact")))


def _parts(data: ExperimentData, folder: Path | None) -> tuple[Dataset, Dataset]:
    """Return what is trained on and the test: a file of its own, or a fifth of the bundled one."""
    if folder is not None:
        return data.dataset, read(folder / "conll-crowd" / "test.conll").dataset
    rows = np.random.default_rng(0).permutation(len(data.dataset))
    cut = len(rows) // 5
    return data.dataset.take(np.sort(rows[cut:])), data.dataset.take(np.sort(rows[:cut]))


def _effect(
    side: Side,
    name: ModelName,
    arms: Sequence[ArmName],
    seeds: Sequence[int],
    order: Table6Order,
    may_train: MayTrain,
    progress: Phases,
) -> Effect:
    size = order.size
    settings = {"epochs": size.epochs, "tuned_layers": size.tuned_layers}
    return effect(
        side.dataset,
        side.test,
        learner_of(name, side.encoder, **({} if name == "crf" else settings)),
        side.design,
        arms=arms,
        seeds=seeds,
        keep=order.keep,
        stage=side.stage,
        may_train=may_train,
        progress=progress,
    )


def _numbers(name: str, variant: str, found: Effect) -> Iterator[Measured]:
    """Yield the F1 of every arm, the differences over seeds, and the time of a cell."""
    printed = TABLE_6[name] if name in TABLE_6 and variant != "real" else None
    for arm in found.arms:
        paper, column = None, f"exact F1, {arm.name}"
        if arm.name in _CREWS:
            at = _CREWS.index(arm.name)
            paper, column = printed and printed[at], f"{column} (paper: {_PAPER[at]})"
        yield Measured(name, column, paper, 100 * arm.f1.mean, 100 * arm.f1.sd, variant)
    for each in found.differences:
        gain = printed[1] - printed[0] if printed and each.better == _CREWS[1] else None
        column = f"points, {each.better} less {each.worse}"
        yield measured(name, column, gain, 100 * np.array(each.by_seed), variant)
    for arm in found.arms:
        row = f"{name}, {arm.name}"
        yield Measured(row, "CPU seconds of a training", None, arm.seconds, None, variant)


def checked_models(names: Sequence[str]) -> tuple[ModelName, ...]:
    """Return the models of these names, all by default; refuse one that cannot be trained."""
    chosen: list[ModelName] = []
    for name in names or ("crf", *TABLE_6):
        learner_of(name)
        chosen.append(name)  # type: ignore[arg-type]
    return tuple(chosen)


def checked_part(
    crowds: Sequence[str], arms: Sequence[str]
) -> tuple[tuple[Table6Crowd, ...], tuple[ArmName, ...]]:
    """Return the crowds and arms of these names; refuse one that is not known."""
    there = ("crowd", crowds, get_args(Table6Crowd)), ("arm", arms, ARMS)
    for what, names, known in there:
        if odd := next((name for name in names if name not in known), None):
            raise SpancrewError(f"{what} {odd!r} is not known: there are {', '.join(known)}")
    return tuple(crowds), tuple(arms)  # type: ignore[arg-type]
