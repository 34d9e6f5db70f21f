"""The paper's Table 6: models trained on answers of random and of selected crews."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spancrew.consensus import consensus_method, with_members
from spancrew.core import Dataset
from spancrew.effect import ARMS, ArmName, Design, Effect, ModelName, effect, learner_of
from spancrew.experiments._data import ExperimentData, Variant, scenes
from spancrew.experiments._findings import Measured, measured
from spancrew.feedback import feedback_rule
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.policies import policy
from spancrew.simulate import PAPERS_BEST, Phases, Scene

TABLE_6: dict[str, tuple[float, float]] = {
    "crowd-cat": (52.66, 54.27),
    "bilstm-crf": (52.14, 54.51),
    "adapter": (53.86, 56.16),
}
"""Exact F1 in percent on OEI, without and with selection, by the name of our model."""

_CREWS: tuple[ArmName, ...] = ("random crew", "selected crew", "gold")
_PAPER = ("Original", "w/ Our Alg.")
"""What the paper calls the first two."""

_STAND_INS: tuple[Variant, ...] = ("calibrated", "ses:uniform")
"""Crowds for sentences whose real answers are not available."""


class Size(NamedTuple):
    """How much is trained: sentences (None: all), seeds, and epochs at most."""

    sentences: int | None
    seeds: int
    epochs: int


QUICK = Size(2_000, 3, 10)
"""A part of the sentences, for a first look."""
FULL = Size(None, 5, 25)
"""All sentences."""


class Table6Order(NamedTuple):
    """Which models are trained, on how much, and the folder that keeps what is trained."""

    models: tuple[ModelName, ...] = ("crf",)
    size: Size = QUICK
    keep: Path | None = None


class Side(NamedTuple):
    """A data set with a crowd, a test, and an encoder for its language."""

    variant: str
    dataset: Dataset
    test: Dataset
    encoder: str
    arms: tuple[ArmName, ...]
    design: Design
    scene: Callable[[], Scene | None]


def table_6(
    data: ExperimentData, folder: Path | None, order: Table6Order, progress: Phases
) -> Iterator[Measured]:
    """Yield the numbers of one data set, model by model."""
    for side in _sides(data, folder, order.size.sentences):
        for name in order.models:
            progress.phase(f"Table 6, {data.name}, {side.variant}, {name}")
            yield from _numbers(name, side.variant, _trained(side, name, order, progress))


def _sides(data: ExperimentData, folder: Path | None, sentences: int | None) -> list[Side]:
    """Return real answers where there are some; else two crowds that stand in for them."""
    chooser, rule = PAPERS_BEST
    tagger = with_members(consensus_method("auto"), ["tagger"])
    design = Design(policy(chooser), feedback_rule(rule), tagger, sentences=sentences)
    if data.skills is None or folder is None:
        return [Side("real", *_parts(data, folder), "minilm", ARMS, design, lambda: None)]
    count = min(sentences or len(data.dataset), len(data.dataset))
    rows = np.sort(np.random.default_rng(0).choice(len(data.dataset), count, replace=False))
    part = replace(data, dataset=data.dataset.take(rows))
    test = read(folder / "oei" / "dev.json").dataset
    four = replace(design, answers=4)
    return [
        Side(each, part.dataset, test, "m3e", _CREWS, four, _making(part, each))
        for each in _STAND_INS
    ]


def _making(data: ExperimentData, variant: Variant) -> Callable[[], Scene]:
    return lambda: scenes(data, variant)(Metric("exact"))


def _parts(data: ExperimentData, folder: Path | None) -> tuple[Dataset, Dataset]:
    """Return what is trained on and the test: a file of its own, or a fifth of the bundled one."""
    if folder is not None:
        return data.dataset, read(folder / "conll-crowd" / "test.conll").dataset
    rows = np.random.default_rng(0).permutation(len(data.dataset))
    cut = len(rows) // 5
    return data.dataset.take(np.sort(rows[cut:])), data.dataset.take(np.sort(rows[:cut]))


def _trained(side: Side, name: ModelName, order: Table6Order, progress: Phases) -> Effect:
    settings = {} if name == "crf" else {"epochs": order.size.epochs}
    return effect(
        side.dataset,
        side.test,
        learner_of(name, side.encoder, **settings),
        side.design,
        arms=side.arms,
        seeds=range(order.size.seeds),
        keep=order.keep,
        scene=side.scene(),
        progress=progress,
    )


def _numbers(name: str, variant: str, found: Effect) -> Iterator[Measured]:
    """Yield the F1 of every arm, the differences over seeds, and the time of a cell."""
    printed = TABLE_6[name] if name in TABLE_6 and variant != "real" else None
    for arm in found.arms:
        paper, column = None, f"exact F1, {arm.name}"
        if arm.name in _CREWS[:2]:
            at = _CREWS.index(arm.name)
            paper, column = printed and printed[at], f"{column} (paper: {_PAPER[at]})"
        yield Measured(name, column, paper, 100 * arm.f1.mean, 100 * arm.f1.sd, variant)
    for each in found.differences:
        gain = printed[1] - printed[0] if printed and each.better == _CREWS[1] else None
        column = f"points, {each.better} less {each.worse}"
        yield measured(name, column, gain, 100 * np.array(each.by_seed), variant)
    seconds = float(np.mean([arm.seconds for arm in found.arms]))
    yield Measured(name, "seconds to train and test once", None, seconds, None, variant)


def checked_models(names: Sequence[str]) -> tuple[ModelName, ...]:
    """Return the models of these names, all by default; refuse one that cannot be trained."""
    chosen: list[ModelName] = []
    for name in names or ("crf", *TABLE_6):
        learner_of(name)
        chosen.append(name)  # type: ignore[arg-type]
    return tuple(chosen)
