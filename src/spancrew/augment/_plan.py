"""Which score every missing answer gets, and any of these answers on demand."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from spancrew.augment._algorithm import Closest, RunningMean
from spancrew.augment._base import Progress
from spancrew.augment._material import Material
from spancrew.augment._picker import Ses
from spancrew.augment._stream import streams
from spancrew.core import FloatArray, IndexArray, IntArray
from spancrew.metrics import answer_scores

Order = Literal["few-spans-first", "given"]

NONE = -1
"""In place of a level where no answer is made: there is one, or there is no gold."""


@dataclass(frozen=True, slots=True)
class SesPlan:
    """The level of every answer to be made, by sentence and worker.

    An answer is a function of the plan, its seed, the sentence and the worker: it is the same
    whenever and wherever it is drawn.
    """

    material: Material
    ses: Ses
    levels: IndexArray
    seed: int
    source: str = "ses"

    def codes(self, sentence: int, workers: IntArray) -> npt.NDArray[Any]:
        """Return the answers of some workers on a sentence, a row of codes each."""
        picker = self.material.picker(self.ses, sentence)
        levels = self.levels[sentence, workers].astype(np.int64)
        return picker.codes(levels, streams(self.seed, sentence, workers))


def plan_ses(
    material: Material,
    ses: Ses,
    targets: FloatArray,
    *,
    balance: bool,
    order: Order,
    seed: int,
    progress: Progress,
) -> SesPlan:
    """Choose a score for every missing answer: by Algorithm 2 if ``balance``, else the closest."""
    choice = RunningMean(aims(material, ses, targets)) if balance else Closest(targets)
    levels = np.full((len(material.dataset), material.workers), NONE, np.int32)
    sentences = in_order(material, order)
    for done, sentence in enumerate(sentences.tolist()):
        workers = np.flatnonzero(~material.answered(sentence))
        if material.spans[sentence] == 0:
            levels[sentence, workers] = 0  # the empty answer; its score is part of the aims
        else:
            scores = material.picker(ses, sentence).scores
            levels[sentence, workers] = choice.next(scores, workers)
        progress(done + 1, len(sentences))
    return SesPlan(material, ses, levels, seed)


def in_order(material: Material, order: Order) -> IntArray:
    """Return the sentences with gold in the order in which they get their scores.

    A sentence with one span offers few scores, so a running mean that ends with such a sentence
    ends off its target; with the sentences of many spans last it ends on it. The paper gives no
    order.
    """
    known = material.sentences
    if order == "given":
        return known
    return known[np.argsort(material.spans[known], kind="stable")]


def aims(material: Material, ses: Ses, targets: FloatArray) -> FloatArray:
    """Return the mean that a worker's free answers need for all their answers to be on target.

    Real answers, and the empty answer on a sentence without gold spans, have scores that cannot
    be chosen. Where targets are the means of real answers, the aims are the targets.
    """
    known = material.sentences
    dataset = material.dataset
    scores = answer_scores(dataset, ses.metric)[:, 2]
    scored = ~np.isnan(scores)
    worker = dataset.answers.worker[scored]
    fixed = np.bincount(worker, scores[scored], material.workers).astype(float)
    count = np.bincount(worker, minlength=material.workers)
    for sentence in known[material.spans[known] == 0].tolist():
        missing = ~material.answered(sentence)
        fixed += ses.metric.empty * missing
        count += missing
    free = len(known) - count
    needed = (len(known) * targets - fixed) / np.maximum(free, 1)
    is_target = (free == 0) | np.isclose(needed, targets, rtol=0, atol=1e-12)
    return np.where(is_target, targets, np.clip(needed, 0.0, 1.0))
