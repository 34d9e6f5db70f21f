"""What there must be: gold and answers to learn from, and gold with the same labels to test on."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, IntArray, LabelSet, Ragged, refuse_choices
from spancrew.crowds import Replay
from spancrew.effect._design import Design
from spancrew.errors import SpancrewError
from spancrew.simulate import Scene, scene_of


class CrewStage(NamedTuple):
    """Where crews are selected, by a name that tells it apart; made when it is needed."""

    name: str
    scene: Callable[[], Scene]


@dataclass(frozen=True)
class TrainingMaterial:
    """Sentences with gold and answers, and the ``rows`` of those that models are trained on.

    Money is spent and answers are joined on the whole, as whoever has it would do.
    """

    whole: Dataset
    rows: IntArray
    stage: CrewStage
    design: Design

    @cached_property
    def dataset(self) -> Dataset:
        """Return the sentences that models are trained on."""
        return self.whole.take(self.rows)

    @cached_property
    def scene(self) -> Scene:
        """Return where crews are selected."""
        return self.stage.scene()

    @cached_property
    def crew_answers(self) -> int:
        """Return how many answers on a sentence crews give, if there are so many workers."""
        return self.design.crew_answers(self.whole)


def material_of(
    dataset: Dataset, design: Design, stage: CrewStage | None = None
) -> TrainingMaterial:
    """Return the sentences that have gold and answers; refuse a data set without any.

    With a stage, its crowd answers all sentences.
    """
    refuse_choices(dataset, "the effect on models")
    if stage is not None:
        return TrainingMaterial(dataset, _drawn(len(dataset), design), stage, design)
    can = dataset.has_gold & (dataset.answers.per_sentence > 0)
    if not can.any():
        missing = "answers of workers" if dataset.has_gold.any() else "gold"
        raise SpancrewError(
            f"no sentence to train on has {missing}: arms are made of answers, and gold stands "
            "for the expert; take a pilot that has both"
        )
    whole = dataset.take(np.flatnonzero(can))
    real = CrewStage("real", lambda: scene_of(whole, Replay(whole)))
    return TrainingMaterial(whole, _drawn(len(whole), design), real, design)


def _drawn(sentences: int, design: Design) -> IntArray:
    """Return the sentences that are trained on."""
    if design.sentences is None or design.sentences >= sentences:
        return np.arange(sentences)
    rng = np.random.default_rng(design.seed)
    return np.sort(rng.choice(sentences, design.sentences, replace=False))


def test_of(test: Dataset, labels: LabelSet) -> Dataset:
    """Return the test sentences that have gold, in codes of these labels; refuse any others."""
    refuse_choices(test, "the effect on models")
    rows = np.flatnonzero(test.has_gold)
    if not len(rows):
        raise SpancrewError(
            "no test sentence has gold: the test needs labels that experts have made"
        )
    kept = test.take(rows).without_answers()
    used = np.unique((kept.gold.values[kept.gold.values > 0].astype(np.int64) - 1) // 2)
    names = [test.labels.names[k] for k in used.tolist()]
    if strange := [name for name in names if name not in labels]:
        raise SpancrewError(
            f"the test has the labels {', '.join(strange)}, which the training data does not "
            f"have ({', '.join(labels.names)}): test on the labels that are learned"
        )
    codes = np.zeros(2 * len(test.labels) + 1, labels.dtype)
    for k, name in zip(used.tolist(), names, strict=True):
        first = 2 * labels.id(name) + 1
        codes[2 * k + 1 : 2 * k + 3] = first, first + 1
    gold = Ragged(codes[kept.gold.values], kept.gold.offsets)
    return replace(kept, labels=labels, gold=gold)
