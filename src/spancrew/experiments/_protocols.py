"""The two protocols behind one face: that of the paper's text, and that of the authors' code."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray
from spancrew.crowds import Replay
from spancrew.experiments._authors_answers import authors_answers
from spancrew.experiments._authors_protocol import AuthorsSetting, authors_rehearsal
from spancrew.experiments._data import TABLE_METRICS, ExperimentData, Variant, scenes
from spancrew.experiments._methods import Method, authors_methods, paper_methods
from spancrew.metrics import Metric
from spancrew.simulate import AnswerTable, Setting, rehearse

CREW = 20

FINAL = Metric("exact")
"""How final labels are scored."""

_POINTS = 200
"""Most points of a curve of the authors' protocol."""


class MethodResult(NamedTuple):
    """What one method gave, run by run; shares and scores from 0 to 1.

    ``scores`` are P, R and F1 of the collected answers; ``final`` is the exact F1 of the final
    labels, None where the protocol makes none; ``regret`` is runs x steps.
    """

    scores: FloatArray
    experts: FloatArray
    final: FloatArray | None
    steps: FloatArray
    regret: FloatArray


class Protocol(NamedTuple):
    """A protocol on a data set with a crowd.

    ``methods`` are those of the paper as this protocol has them. ``run`` rehearses a method,
    rewarded and scored by a metric, with a number of answers on each sentence.
    """

    methods: list[Method]
    run: Callable[[Method, str, int], MethodResult]

    def results(
        self, methods: Iterable[Method], metric: str, answers: int
    ) -> dict[str, MethodResult]:
        """Rehearse several methods; return their results by name."""
        return {method.name: self.run(method, metric, answers) for method in methods}


def paper_protocol(data: ExperimentData, variant: Variant, runs: int, seed: int) -> Protocol:
    """Return the protocol of the paper's text, which is that of our engine."""
    scene_for = lru_cache(maxsize=1)(scenes(data, variant, seed))
    crew = min(CREW, len(data.targets(FINAL)))

    def run(method: Method, metric: str, answers: int) -> MethodResult:
        scored = TABLE_METRICS[metric]
        # A single answer has no classes to average over.
        scene = scene_for(replace(scored, average="micro"))
        policy, feedback, consensus = method[1:]
        setting = Setting(
            policy,
            feedback,
            consensus,
            crew=crew,
            answers=answers,
            runs=runs,
            seed=seed,
            warm_up="own",
        )
        outcome = rehearse(scene, setting, metrics=(scored, FINAL))
        return MethodResult(
            outcome.answers[scored][:, -1],
            outcome.expert_share,
            outcome.final[FINAL][:, -1, 2],
            outcome.steps.astype(np.float64),
            outcome.regret,
        )

    return Protocol(paper_methods(data.numbers), run)


def authors_protocol(data: ExperimentData, runs: int, seed: int) -> Protocol:
    """Return the protocol of the authors' code."""
    crew = min(CREW, len(data.targets(FINAL)))

    @lru_cache(maxsize=1)
    def made(metric: str) -> tuple[AnswerTable, FloatArray]:
        """Return all answers with their scores, and the score each worker should keep."""
        scored = TABLE_METRICS[metric]
        targets = data.targets(scored)
        full = authors_answers(data.dataset, scored, seed, targets)
        phi = np.array([targets[worker] for worker in full.workers])
        return AnswerTable(full, Replay(full), scored), phi

    def run(method: Method, metric: str, answers: int) -> MethodResult:
        setting = AuthorsSetting(method.policy, method.feedback, answers, crew, runs, seed)
        outcome = authors_rehearsal(data.dataset, *made(metric), TABLE_METRICS[metric], setting)
        last = outcome.regret.shape[1] - 1
        steps = np.unique(np.linspace(0, last, _POINTS).astype(np.int64))
        x, regret = (steps + 1).astype(np.float64), outcome.regret[:, steps]
        return MethodResult(outcome.scores, outcome.expert_share, None, x, regret)

    return Protocol(authors_methods(data.numbers), run)
