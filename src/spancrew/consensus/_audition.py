"""Whether a model is good enough to be heard beside people, and whether it copies another."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus._base import Evidence, Model
from spancrew.consensus._beliefs import clamped
from spancrew.consensus._revision import span_counts
from spancrew.core import Answers, FloatArray, IntArray, Ragged, span_table
from spancrew.tagger import CrossFitted

_FEWEST = 30
"""Sentences labelled by experts from which on a model is auditioned on them, too."""

_SHARED = 0.5
"""Share of the mistakes of one worker that another has as well, from which on one copies."""

_BITS = 14
"""Bits for a place in a sentence, and for a label, in the number of a span."""

_MISTAKES = 10
"""Mistakes without which nobody can be said to copy."""

_MOST = 1_000
"""Sentences on which a model is compared with people; more would tell little more."""


class Audition(NamedTuple):
    """How well a model does beside people, on sentences that it was not trained on.

    ``worker`` is its number, None for a tagger. ``f1`` is against what experts say of a sentence,
    or all people but one; a quarter of the answers of that one come from workers below ``needed``.
    So is ``expert_f1`` against experts alone, and ``expert_needed``; NaN where they have labelled
    little.
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
        is_enough = self.f1 >= self.needed and self.f1 > 0
        return is_enough and not self.expert_f1 < self.expert_needed


class AuditionedModel(NamedTuple):
    """A model that wants to be heard: one of the workers or a tagger, with all its answers."""

    sentence: IntArray
    codes: Ragged
    worker: int | None = None
    tagger: CrossFitted | None = None


def audition(candidate: AuditionedModel, people: Evidence, model: Model) -> Audition:
    """Compare a model with the people, on its sentences and on those of experts.

    ``model`` is what was learned from people.
    """
    size = people.answers.per_sentence[candidate.sentence]
    is_known = people.is_known[candidate.sentence]
    known = np.flatnonzero((size > 0) & is_known)
    by_experts = (np.nan, np.nan)
    if len(known) >= _FEWEST:
        by_experts = _compared(candidate, people, model, known)
    comparable = np.flatnonzero((size > 1) | ((size > 0) & is_known))
    rows = _some(comparable if len(comparable) else np.flatnonzero(size > 0))
    found = _compared(candidate, people, model, rows)
    return Audition(candidate.worker, int((size > 0).sum()), *found, *by_experts)


def _some(rows: IntArray) -> IntArray:
    """Return as many rows as are looked at, evenly over all."""
    if len(rows) <= _MOST:
        return rows
    return rows[np.linspace(0, len(rows) - 1, _MOST).astype(np.int64)]


def _compared(
    candidate: AuditionedModel, people: Evidence, model: Model, rows: IntArray
) -> tuple[float, float]:
    """Return the F1 of a model on some sentences, and the lower quartile of the people's.

    Each person is compared with what experts or the other people say, and so is the model in their
    place: with few answers on a sentence, all of them together would say much what each says.
    """
    if not len(rows):
        return 0.0, 1.0
    sentence = candidate.sentence[rows]
    answers = people.take(sentence).answers
    truth = _without_own(people, answers, sentence, model)
    in_place = candidate.codes.take(rows).take(answers.sentence.astype(np.int64))
    own = float(f1_of(span_counts(in_place, truth).sum(axis=0)))
    counts = span_counts(answers.codes, truth)
    by_worker = np.stack([np.bincount(answers.worker, each) for each in counts.T], axis=1)
    return own, float(np.quantile(f1_of(by_worker.astype(np.float64))[answers.worker], 0.25))


def _without_own(people: Evidence, answers: Answers, sentence: IntArray, model: Model) -> Ragged:
    """Return for every answer what experts or, without them, the others on its sentence say.

    Who is alone on a sentence is compared with what they say themselves.
    """
    others = answers.others(np.arange(len(answers)))
    is_alone = others.per_sentence == 0
    if is_alone.all():
        others = answers.take(np.arange(len(answers)), np.arange(len(answers)), len(answers))
    own = sentence[answers.sentence]
    words = None if people.words is None else people.words.take(own)
    said = model.judge(others, people.lengths[own], words)
    return clamped(said, None if people.known is None else people.known.take(own)).labels


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
    return np.setdiff1d(_numbers(sentence, codes)[1], _numbers(np.arange(len(labels)), labels)[1])


def _numbers(sentence: IntArray, codes: Ragged) -> tuple[IntArray, IntArray]:
    """Return row and number of every span; the same span of the same sentence has the same."""
    found = span_table(codes)
    number = sentence[found.row].astype(np.int64)
    for part in (found.start, found.end, found.label):
        # No sentence has as many tokens, and no task as many labels.
        number = (number << _BITS) + part
    return found.row, number


def copied(candidate: AuditionedModel, people: Answers, labels: Ragged) -> IntArray:
    """Return the people whom a model copies, or who copy it, on sentences of both."""
    sentence = people.sentence.astype(np.int64)
    row, number = _numbers(sentence, people.codes)
    worker = people.worker[row]
    wrong = np.isin(number, mistakes(sentence, people.codes, labels))
    of_model = mistakes(candidate.sentence, candidate.codes, labels)
    on_sentence = np.bincount(of_model >> (3 * _BITS), minlength=len(labels))
    workers = int(people.worker.max(initial=-1)) + 1
    own = np.bincount(people.worker, on_sentence[sentence], workers)
    theirs = np.bincount(worker[wrong], minlength=workers)
    shared = np.bincount(worker[wrong & np.isin(number, of_model)], minlength=workers)
    fewer = np.minimum(own, theirs)
    return np.flatnonzero((fewer >= _MISTAKES) & (shared > _SHARED * fewer))
