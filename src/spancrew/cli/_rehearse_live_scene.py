"""What a live rehearsal plays: sentences, the crowd that answers them, and the plan."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from spancrew.campaign import Plan
from spancrew.cli._crowd_option import crowd_choice
from spancrew.core import Dataset, IntArray, Ragged
from spancrew.crowds import Crowd
from spancrew.errors import SpancrewError
from spancrew.formats import read, write
from spancrew.simulate import Scene, Setting, refuse_unfit, scene_of, simulated_crowd

CREW, ANSWERS = 20, 4
"""How many workers and answers there are unless told, where there are so many."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the options of the command say; ``plan`` is JSON, without labels."""

    data: str
    sentences: int | None
    workers: int
    experts: int
    crowd: str
    plan: dict[str, Any]
    seconds: float
    runs: int
    seed: int


@dataclass(frozen=True, slots=True)
class Few:
    """The first workers of a crowd."""

    crowd: Crowd
    count: int

    @property
    def workers(self) -> tuple[str, ...]:
        """Return their names."""
        return self.crowd.workers[: self.count]

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions that can be answered."""
        return self.crowd.can_answer(sentences, workers)

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return the codes of worker ``workers[k]`` on sentence ``sentences[k]``."""
        return self.crowd.answers(sentences, workers)


@dataclass(frozen=True, slots=True)
class Piece:
    """A scene, the plan that is followed live, and the setting that is rehearsed offline."""

    scene: Scene
    plan: Plan
    setting: Setting


def piece_of(wanted: Wanted) -> Piece:
    """Read the data, make the crowd, and refuse what neither server nor rehearsal can play."""
    choice = crowd_choice(wanted.crowd)
    pilot = read(wanted.data).dataset
    if wanted.workers > (there := len(pilot.workers)):
        raise SpancrewError(
            f"{wanted.data} has {there} workers to stand in for, {wanted.workers} are wanted: "
            f"take --workers {there}"
        )
    made = simulated_crowd(pilot, choice.kind, ties=choice.ties, seed=wanted.seed)
    size = min(wanted.sentences or len(made.dataset), len(made.dataset))
    dataset = made.dataset.take(np.arange(size))
    plan = _plan(wanted, dataset)
    setting = Setting(
        policy=plan.policy,
        feedback=plan.feedback,
        consensus=plan.method,
        crew=plan.crew,
        answers=plan.answers,
        runs=wanted.runs,
        seed=wanted.seed,
        prices=plan.prices,
        cap=plan.cap,
    )
    refuse_unfit(setting, wanted.workers, size)
    return Piece(scene_of(dataset, Few(made.crowd, wanted.workers)), plan, setting)


def _plan(wanted: Wanted, dataset: Dataset) -> Plan:
    answers = wanted.plan.get("answers", min(ANSWERS, wanted.workers))
    usual = {"answers": answers, "crew": max(min(CREW, wanted.workers), answers)}
    return Plan.from_json({**usual, **wanted.plan, "labels": dataset.labels.names})


def write_bare(dataset: Dataset, folder: Path) -> Path:
    """Write the sentences alone, so that neither gold nor answers reach the server."""
    none = Ragged(dataset.gold.values[:0], np.zeros(len(dataset) + 1, np.int64))
    target = folder / "sentences.jsonl"
    write(replace(dataset.without_answers(), gold=none, workers=()), target, "spancrew")
    return target
