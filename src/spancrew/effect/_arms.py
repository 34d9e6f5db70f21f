"""The arms: what is bought, and the examples that it makes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from spancrew.consensus import majority_vote
from spancrew.core import BoolArray, Dataset, FloatArray, IntArray, Ragged
from spancrew.effect._base import NOBODY, Arm
from spancrew.effect._design import Design
from spancrew.effect._material import TrainingMaterial
from spancrew.policies import Policy, Random
from spancrew.simulate import chosen_answers, settled_labels
from spancrew.tagger import EXPERT_WEIGHT

ArmName = Literal[
    "all answers", "random crew", "selected crew", "majority vote", "same money", "final", "gold"
]
ARMS: tuple[ArmName, ...] = get_args(ArmName)

_CREW = 20
"""Workers in a crew, if there are twice as many."""


class _Bought(NamedTuple):
    """Examples on all sentences; by sentence, the answers paid for, and whether an expert was."""

    sentence: IntArray
    worker: IntArray
    codes: Ragged
    weight: FloatArray
    answers: IntArray
    by_expert: BoolArray


def arm_of(name: ArmName, material: TrainingMaterial, seed: int) -> Arm:
    """Buy labels for all sentences, and return the part that models are trained on."""
    found = _bought(name, material, seed)
    place = np.full(len(material.whole), -1)
    place[material.rows] = np.arange(len(material.rows))
    kept = np.flatnonzero(place[found.sentence] >= 0)
    return Arm(
        name,
        place[found.sentence[kept]],
        found.worker[kept],
        found.codes.take(kept),
        found.weight[kept],
        int(found.answers[material.rows].sum()),
        int(found.by_expert[material.rows].sum()),
    )


def _bought(name: ArmName, material: TrainingMaterial, seed: int) -> _Bought:
    whole, design = material.whole, material.design
    ways: dict[ArmName, Callable[[], _Bought]] = {
        "all answers": lambda: _everything(whole),
        "random crew": lambda: _crew(material, Random(), seed),
        "selected crew": lambda: _crew(material, design.policy, seed),
        "majority vote": lambda: _labelled(
            majority_vote(whole.answers, whole.gold.lengths), whole
        ),
        "same money": lambda: _same_money(material, seed),
        "final": lambda: _final(whole, design, design.experts, seed),
        "gold": lambda: _gold(whole),
    }
    return ways[name]()


def _everything(whole: Dataset) -> _Bought:
    columns = (whole.answers.sentence, whole.answers.worker)
    sentence, worker = (each.astype(np.int64) for each in columns)
    return _examples(sentence, worker, whole.answers.codes, np.zeros(len(whole), bool))


def _gold(whole: Dataset) -> _Bought:
    nobody_else, asked = np.zeros(len(whole), np.int64), np.ones(len(whole), bool)
    return _labelled(whole.gold, whole)._replace(answers=nobody_else, by_expert=asked)


def _crew(material: TrainingMaterial, chooser: Policy, seed: int) -> _Bought:
    """Let a policy choose the crews; each answer is an example."""
    scene, workers = material.scene, len(material.scene.workers)
    answers = min(material.crew_answers, workers)
    crew = max(answers, min(_CREW, workers // 2))
    found = chosen_answers(scene, material.design.setting(chooser, answers, crew, seed))
    sentence, worker = (each.astype(np.int64) for each in (found.sentence, found.worker))
    return _examples(sentence, worker, found.codes, found.by_expert)


def _examples(
    sentence: IntArray, worker: IntArray, codes: Ragged, by_expert: BoolArray
) -> _Bought:
    """Return an example for every answer."""
    answers = np.bincount(sentence, minlength=len(by_expert))
    return _Bought(sentence, worker, codes, np.ones(len(sentence)), answers, by_expert)


def _labelled(codes: Ragged, dataset: Dataset) -> _Bought:
    """Return an example for every sentence, by nobody in particular."""
    count = len(dataset)
    answers, nobody = dataset.answers.per_sentence, np.full(count, NOBODY)
    return _Bought(np.arange(count), nobody, codes, np.ones(count), answers, np.zeros(count, bool))


def _final(dataset: Dataset, design: Design, share: float, seed: int) -> _Bought:
    """Let experts label the doubtful share; their sentences count more, as in spancrew train."""
    found = settled_labels(dataset, design.pair, share, seed)
    weight = np.where(found.by_expert, EXPERT_WEIGHT, 1.0)
    made = _labelled(found.labels, dataset)
    return made._replace(weight=weight, by_expert=found.by_expert)


def _same_money(material: TrainingMaterial, seed: int) -> _Bought:
    """Spend on experts what fewer answers save, so that it costs as much as the majority vote."""
    dataset, prices = material.whole, material.design.prices
    spare = (len(dataset.answers) - len(dataset)) * prices.answer
    affordable = spare / max(len(dataset) * prices.expert, 1e-12)
    share = min(material.design.experts, affordable)
    paid = share * len(dataset) * prices.expert / max(prices.answer, 1e-12)
    kept = max(len(dataset), round(len(dataset.answers) - paid))
    fewer = _thinned(dataset, min(kept, len(dataset.answers)), np.random.default_rng(seed))
    return _final(fewer, material.design, share, seed)


def _thinned(dataset: Dataset, count: int, rng: np.random.Generator) -> Dataset:
    """Keep so many answers, drawn at random, with one on every sentence at least."""
    answers = dataset.answers
    order = rng.permutation(len(answers))
    _, first = np.unique(answers.sentence[order], return_index=True)
    rest = np.setdiff1d(np.arange(len(order)), first)[: count - len(first)]
    rows = np.sort(order[np.concatenate([first, rest])])
    return replace(dataset, answers=answers.take(rows, answers.sentence[rows], len(dataset)))
