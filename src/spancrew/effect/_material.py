"""What there must be: gold and answers to learn from, and gold with the same labels to test on."""

from dataclasses import replace

import numpy as np

from spancrew.core import Dataset, LabelSet, Ragged, refuse_choices
from spancrew.crowds import Replay
from spancrew.effect._arms import Material
from spancrew.effect._design import Design
from spancrew.errors import SpancrewError
from spancrew.simulate import Scene, scene_of


def material_of(dataset: Dataset, design: Design, scene: Scene | None = None) -> Material:
    """Return the sentences that have gold and answers; refuse a data set without any."""
    refuse_choices(dataset, "the effect on models")
    if scene is not None:
        return Material(dataset, scene, design)
    can = dataset.has_gold & (dataset.answers.per_sentence > 0)
    if not can.any():
        missing = "answers of workers" if dataset.has_gold.any() else "gold"
        raise SpancrewError(
            f"no sentence to train on has {missing}: arms are made of answers, and gold stands "
            "for the expert; take a pilot that has both"
        )
    rows = np.flatnonzero(can)
    if design.sentences is not None and design.sentences < len(rows):
        rng = np.random.default_rng(design.seed)
        rows = np.sort(rng.choice(rows, design.sentences, replace=False))
    kept = dataset.take(rows)
    return Material(kept, scene_of(kept, Replay(kept)), design)


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
