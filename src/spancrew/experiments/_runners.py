"""The two protocols behind one face: methods in, rows out."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol, TypeVar

import numpy as np

from spancrew.core import FloatArray
from spancrew.crowds import Replay
from spancrew.experiments._authors_matrix import authors_answers
from spancrew.experiments._authors_protocol import (
    AuthorsOutcome,
    AuthorsSetting,
    authors_rehearsal,
)
from spancrew.experiments._jobs import FINAL, REWARDS, Row
from spancrew.experiments._methods import Method, authors_methods, paper_methods
from spancrew.experiments._stages import TABLE_METRICS, Stage
from spancrew.experiments._variants import Variant, scenes
from spancrew.metrics import Metric
from spancrew.simulate import Outcome, Setting, Table, rehearse

CREW = 20
Name = TypeVar("Name", str, float)


class Runner(Protocol):
    """A protocol, a data set and a crowd."""

    @property
    def methods(self) -> list[Method]:
        """Return the methods of the paper as this protocol has them."""
        ...

    def rows(self, metric: str, methods: Mapping[Name, Method], answers: int) -> dict[Name, Row]:
        """Rehearse methods, rewarded and scored by a metric."""
        ...


class PaperRunner:
    """The text of the paper: our engine."""

    def __init__(self, stage: Stage, variant: Variant, runs: int, seed: int) -> None:
        self.methods = paper_methods(stage.numbers)
        self._scene_of = lru_cache(maxsize=1)(scenes(stage, variant, seed))
        self._crew = min(CREW, len(stage.targets(FINAL)))
        self._runs, self._seed = runs, seed

    def rows(self, metric: str, methods: Mapping[Name, Method], answers: int) -> dict[Name, Row]:
        """Rehearse methods, rewarded and scored by a metric."""
        scene = self._scene_of(REWARDS[metric])
        scored = TABLE_METRICS[metric]
        return {
            name: _row(
                rehearse(scene, self._setting(method, answers), metrics=(scored, FINAL)), scored
            )
            for name, method in methods.items()
        }

    def _setting(self, method: Method, answers: int) -> Setting:
        return Setting(
            method.policy,
            method.feedback,
            method.consensus,
            crew=self._crew,
            answers=answers,
            runs=self._runs,
            seed=self._seed,
        )


def _row(outcome: Outcome, metric: Metric) -> Row:
    return Row(
        scores=outcome.answers[metric][:, -1],
        experts=outcome.gate_share,
        final=outcome.final[FINAL][:, -1, 2],
        steps=outcome.steps.astype(np.float64),
        regret=outcome.regret,
    )


class AuthorsRunner:
    """What the authors' code does."""

    def __init__(self, stage: Stage, runs: int, seed: int) -> None:
        self.methods = authors_methods(stage.numbers)
        self._stage = stage
        self._runs, self._seed = runs, seed
        self._built = lru_cache(maxsize=1)(self._build)

    def rows(self, metric: str, methods: Mapping[Name, Method], answers: int) -> dict[Name, Row]:
        """Rehearse methods, rewarded and scored by a metric."""
        table, phi = self._built(metric)
        real, scored = self._stage.dataset, TABLE_METRICS[metric]
        return {
            name: _authors_row(
                authors_rehearsal(real, table, phi, scored, self._setting(method, answers))
            )
            for name, method in methods.items()
        }

    def _build(self, metric: str) -> tuple[Table, FloatArray]:
        """Return all answers with their scores, and the score each worker should keep."""
        scored = TABLE_METRICS[metric]
        targets = self._stage.targets(scored)
        full = authors_answers(self._stage.dataset, scored, self._seed, targets)
        phi = np.array([targets[worker] for worker in full.workers])
        return Table(full, Replay(full), scored), phi

    def _setting(self, method: Method, answers: int) -> AuthorsSetting:
        crew = min(CREW, len(self._stage.targets(FINAL)))
        return AuthorsSetting(
            method.policy, method.feedback, answers, crew, self._runs, self._seed
        )


def _authors_row(outcome: AuthorsOutcome) -> Row:
    steps = np.arange(1.0, outcome.regret.shape[1] + 1)
    thinned = np.unique(np.linspace(0, len(steps) - 1, 200).astype(np.int64))
    return Row(
        outcome.scores,
        outcome.expert_share,
        None,
        steps[thinned],
        outcome.regret[:, thinned],
    )
