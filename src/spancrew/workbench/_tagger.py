"""Train a tagger on final labels, and label sentences with it."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.consensus import Aggregated, word_numbers
from spancrew.core import Dataset, Finals, LabelSet, Ragged
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric
from spancrew.tagger import EXPERT_WEIGHT, ROUNDS, CrossFitted, TrainedTagger, facets_of


class HeldOut(NamedTuple):
    """The exact F1 of taggers on sentences with gold that they were not trained on."""

    f1: float
    sentences: int


def train_tagger(found: Aggregated) -> tuple[TrainedTagger, HeldOut | None]:
    """Train a tagger on final labels, and say how good it is where there is gold.

    For that, further taggers are trained, each without the sentences that it is tested on.
    """
    dataset, labels = found.dataset, found.finals.codes
    words, spelling = word_numbers(dataset)
    weight = np.where(
        found.finals.is_by_expert, EXPERT_WEIGHT, np.where(found.is_silent, 0.0, 1.0)
    )
    codes = 2 * len(dataset.labels) + 1
    tagger = TrainedTagger.train(words, spelling, labels, weight, codes)
    known = np.flatnonzero(dataset.has_gold)
    if not len(known):
        return tagger, None
    apart = CrossFitted.train(facets_of(spelling), words, labels, weight, codes, ROUNDS)
    tags = apart.tag(words.take(known))
    return tagger, HeldOut(Metric("exact").pool(tags, dataset.gold.take(known)).f1, len(known))


def label_dataset(dataset: Dataset, tagger: TrainedTagger, labels: LabelSet) -> Dataset:
    """Return a data set with the labels of a tagger as final ones, each with its probability.

    The data set has to be read with the labels of the tagger.
    """
    if dataset.labels != labels:
        raise SpancrewError(
            f"the data set has the labels {', '.join(dataset.labels.names)}, and the tagger "
            f"{', '.join(labels.names)}: read the data with the labels of the tagger"
        )
    words, spelling = word_numbers(dataset)
    tagged = tagger.tag(words, spelling)
    none = np.zeros(len(dataset), np.int32)
    finals = Finals(
        Ragged(tagged.codes.values.astype(labels.dtype), tagged.codes.offsets),
        np.clip(tagged.spans, 0.0, 1.0),
        np.zeros(len(tagged.spans), np.int32),
        np.clip(tagged.confidence, 0.0, 1.0),
        none,
        ("tagger",) * len(dataset),
    )
    return replace(dataset, finals=finals)
