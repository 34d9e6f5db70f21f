"""Whether a model is good enough to be heard beside people, and whether it copies another."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus._base import Evidence
from spancrew.consensus._revision import span_counts
from spancrew.core import Answers, FloatArray, IntArray, Ragged, span_table
from spancrew.tagger import CrossFitted

_FEWEST = 30
"""Sentences labelled by experts from which on a model is auditioned on them, too."""

_SHARED = 0.5
"""Share of the mistakes of one worker that another has as well, from which on one copies."""

_MISTAKES = 10
"""Mistakes without which nobody can be said to copy."""


class Audition(NamedTuple):
    """How well a model does beside people, on sentences that it was not trained on.

    ``worker`` is its number, None for a tagger. ``f1`` is against the labels of people and
    experts, ``expert_f1`` against those of experts alone; a quarter of the people's answers come
    from workers below ``needed`` and ``expert_needed``. NaN where experts have labelled little.
    """

    worker: int | None
    sentences: int
    f1: float
    needed: float
    expert_f1: float
    expert_needed: float

    @property
    def is_passed(self) -> bool:
        """Tell whether the model is as good as all but the weakest quarter of the people."""
        return self.f1 >= self.needed and not self.expert_f1 < self.expert_needed


class Candidate(NamedTuple):
    """A model that wants to be heard: one of the workers or a tagger, with all its answers."""

    sentence: IntArray
    codes: Ragged
    worker: int | None = None
    tagger: CrossFitted | None = None


def audition(candidate: Candidate, people: Evidence, labels: Ragged) -> Audition:
    """Compare a model with the people, on all its sentences and on those of experts.

    ``labels`` are what people and experts make of every sentence of the evidence.
    """
    answered = people.answers.per_sentence[candidate.sentence] > 0
    rows = np.flatnonzero(answered)
    known = np.flatnonzero(answered & people.is_known[candidate.sentence])
    by_experts = (np.nan, np.nan)
    if len(known) >= _FEWEST:
        by_experts = _compared(candidate, people, labels, known)
    return Audition(
        candidate.worker, len(rows), *_compared(candidate, people, labels, rows), *by_experts
    )


def _compared(
    candidate: Candidate, people: Evidence, labels: Ragged, rows: IntArray
) -> tuple[float, float]:
    """Return the F1 of a model on some sentences, and the lower quartile of the people's."""
    if not len(rows):
        return 0.0, 1.0
    sentence = candidate.sentence[rows]
    answers, truth = people.take(sentence).answers, labels.take(sentence)
    own = float(f1_of(span_counts(candidate.codes.take(rows), truth).sum(axis=0)))
    counts = span_counts(answers.codes, truth.take(answers.sentence.astype(np.int64)))
    by_worker = np.stack([np.bincount(answers.worker, each) for each in counts.T], axis=1)
    return own, float(np.quantile(f1_of(by_worker.astype(np.float64))[answers.worker], 0.25))


def f1_of(counts: FloatArray) -> FloatArray:
    """Return the F1 of spans in common, in the one and in the other; 1 where there are none."""
    both = counts[..., 1] + counts[..., 2]
    f1: FloatArray = np.where(both > 0, 2 * counts[..., 0] / np.maximum(both, 1e-9), 1.0)
    return f1


def copies(one: IntArray, other: IntArray) -> bool:
    """Tell whether two workers make too many of the same mistakes to have made them alone."""
    fewer = min(len(one), len(other))
    return fewer >= _MISTAKES and len(np.intersect1d(one, other)) > _SHARED * fewer


def mistakes(sentence: IntArray, codes: Ragged, labels: Ragged) -> IntArray:
    """Return a number for every span of answers that is not in the labels of their sentence."""
    found = span_table(codes)
    said = _numbers(sentence[found.row], found.start, found.end, found.label)
    true = span_table(labels)
    return np.setdiff1d(said, _numbers(true.row, true.start, true.end, true.label))


def _numbers(sentence: IntArray, start: IntArray, end: IntArray, label: IntArray) -> IntArray:
    """Return a number for every span, the same for the same span of the same sentence."""
    number = sentence.astype(np.int64)
    for part in (start, end, label):
        # No sentence has as many tokens, and no task as many labels.
        number = (number << 14) + part
    return number


def copied(candidate: Candidate, people: Answers, labels: Ragged) -> IntArray:
    """Return the people whom a model copies, or who copy it, on sentences of both."""
    found = []
    for worker in np.unique(people.worker).tolist():
        theirs = np.flatnonzero(people.worker == worker)
        sentence = people.sentence[theirs].astype(np.int64)
        own = np.flatnonzero(np.isin(candidate.sentence, sentence))
        if copies(
            mistakes(candidate.sentence[own], candidate.codes.take(own), labels),
            mistakes(sentence, people.codes.take(theirs), labels),
        ):
            found.append(worker)
    return np.array(found, np.int64)
