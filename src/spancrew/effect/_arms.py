"""The arms: what is bought, and the examples that it makes."""

from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from spancrew.consensus import majority_vote
from spancrew.core import Dataset, FloatArray, IndexArray, IntArray, Ragged
from spancrew.effect._base import NOBODY, Arm
from spancrew.effect._design import Design
from spancrew.policies import Policy, Random
from spancrew.simulate import Scene, chosen_answers, settled_labels
from spancrew.tagger import EXPERT_WEIGHT

ArmName = Literal[
    "all answers", "random crew", "selected crew", "majority vote", "same money", "final", "gold"
]
ARMS: tuple[ArmName, ...] = get_args(ArmName)


class Material(NamedTuple):
    """Sentences with gold and answers, and the scene in which crews are selected."""

    dataset: Dataset
    scene: Scene
    design: Design

    @property
    def crew_answers(self) -> int:
        """Return how many answers on a sentence crews give."""
        return min(self.design.crew_answers(self.dataset), len(self.scene.workers))


def arm_of(name: ArmName, material: Material, seed: int) -> Arm:
    """Buy what an arm consists of."""
    dataset, design = material.dataset, material.design
    if name == "random crew":
        return _crew(name, material, Random(), seed)
    if name == "selected crew":
        return _crew(name, material, design.policy, seed)
    if name == "final":
        return _final(name, dataset, design, design.experts, seed)
    if name == "same money":
        return _same_money(name, material, seed)
    return _given(name, dataset)


def _given(name: ArmName, dataset: Dataset) -> Arm:
    """Return what is there without anybody choosing."""
    answers = dataset.answers
    if name == "all answers":
        sentence, worker = answers.sentence.astype(np.int64), answers.worker.astype(np.int64)
        return _examples(name, sentence, worker, answers.codes, 0)
    if name == "gold":
        made = _labelled(name, dataset.gold, dataset)
        return made._replace(answers=0, experts=len(dataset))
    return _labelled(name, majority_vote(answers, dataset.gold.lengths), dataset)


def _crew(name: ArmName, material: Material, chooser: Policy, seed: int) -> Arm:
    """Let a policy choose the crews; each answer is an example."""
    answers, workers = material.crew_answers, len(material.scene.workers)
    crew = max(answers, min(_CREW, workers // 2))
    setting = material.design.setting(chooser, answers, crew, seed)
    found = chosen_answers(material.scene, setting)
    return _examples(name, found.sentence, found.worker, found.codes, found.experts)


_CREW = 20
"""Workers in a crew, if there are twice as many."""


def _examples(
    name: ArmName,
    sentence: IntArray | IndexArray,
    worker: IntArray | IndexArray,
    codes: Ragged,
    experts: int,
) -> Arm:
    count = len(sentence)
    weight = np.ones(count)
    return Arm(
        name,
        sentence.astype(np.int64),
        worker.astype(np.int64),
        codes,
        weight,
        count,
        experts,
    )


def _labelled(
    name: ArmName, codes: Ragged, dataset: Dataset, weight: FloatArray | None = None
) -> Arm:
    """Return an example for every sentence, by nobody in particular."""
    count = len(dataset)
    weights = np.ones(count) if weight is None else weight
    nobody = np.full(count, NOBODY)
    return Arm(name, np.arange(count), nobody, codes, weights, len(dataset.answers), 0)


def _final(name: ArmName, dataset: Dataset, design: Design, share: float, seed: int) -> Arm:
    """Let experts label the doubtful share; their sentences count more, as in spancrew train."""
    found = settled_labels(dataset, design.pair, share, seed)
    weight = np.where(found.by_expert, EXPERT_WEIGHT, 1.0)
    made = _labelled(name, found.labels, dataset, weight)
    return made._replace(experts=int(found.by_expert.sum()))


def _same_money(name: ArmName, material: Material, seed: int) -> Arm:
    """Spend on experts what fewer answers save, so that it costs as much as the majority vote."""
    dataset, prices = material.dataset, material.design.prices
    spare = (len(dataset.answers) - len(dataset)) * prices.answer
    affordable = spare / max(len(dataset) * prices.expert, 1e-12)
    share = min(material.design.experts, affordable)
    paid = share * len(dataset) * prices.expert / max(prices.answer, 1e-12)
    kept = max(len(dataset), round(len(dataset.answers) - paid))
    fewer = _thinned(dataset, min(kept, len(dataset.answers)), np.random.default_rng(seed))
    return _final(name, fewer, material.design, share, seed)


def _thinned(dataset: Dataset, count: int, rng: np.random.Generator) -> Dataset:
    """Keep so many answers, drawn at random, with one on every sentence at least."""
    answers = dataset.answers
    order = rng.permutation(len(answers))
    _, first = np.unique(answers.sentence[order], return_index=True)
    rest = np.setdiff1d(np.arange(len(order)), first)[: count - len(first)]
    rows = np.sort(order[np.concatenate([first, rest])])
    return replace(dataset, answers=answers.take(rows, answers.sentence[rows], len(dataset)))
