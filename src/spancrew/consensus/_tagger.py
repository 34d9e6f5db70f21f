"""Any method with a tagger as one more worker, if it has shown that it is good enough."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spancrew.consensus._auto import Auto
from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model
from spancrew.consensus._beliefs import clamped
from spancrew.consensus._revision import span_counts
from spancrew.core import Answers, FloatArray, IntArray, Ragged, offsets_of
from spancrew.tagger import CrossFitted, facets_of

_EXPERT = 2.0
"""How often a sentence that an expert has labelled counts in training."""

_FEWEST = 30
"""Sentences labelled by experts from which on a tagger is auditioned on them, too."""


@dataclass(frozen=True, slots=True)
class Tagger:
    """How the tagger is trained: ``rounds`` over all sentences."""

    rounds: int = 4


class Audition(NamedTuple):
    """How well a tagger does beside people, on sentences that it was not trained on.

    ``f1`` is against the labels of people and experts, ``expert_f1`` against those of experts
    alone; a quarter of the people's answers come from workers below ``needed`` and
    ``expert_needed``. NaN where experts have labelled too little.
    """

    sentences: int
    f1: float
    needed: float
    expert_f1: float
    expert_needed: float

    @property
    def is_hired(self) -> bool:
        """Tell whether the tagger is as good as all but the weakest quarter."""
        return self.f1 >= self.needed and not self.expert_f1 < self.expert_needed


@dataclass(frozen=True, slots=True)
class WithTagger(Consensus):
    """A method that hears a tagger beside the people, once it has passed an audition.

    The tagger is trained on what the method makes of the people's answers, and on experts' labels.
    It answers every sentence that somebody has answered, always by a model that was trained
    without it. Each fit trains and auditions it anew.
    """

    method: Consensus
    tagger: Tagger = Tagger()

    def fit(self, evidence: Evidence, before: Model | None = None) -> "CrewModel":
        """Learn from people; train the tagger on that, and learn from both if it is hired."""
        last = before if isinstance(before, CrewModel) else None
        people = self.method.fit(evidence, None if last is None else last.people)
        part = evidence.for_fit()
        if part.words is None or not len(part.answers):
            return CrewModel(people)
        labels = clamped(people.judge(part.answers, part.lengths, part.words), part.known).labels
        tagger = self._trained(part, part.words, labels)
        audition = _audition(part, labels, tagger.tag(part.words))
        if not audition.is_hired:
            return CrewModel(people, audition)
        earlier = None if last is None else last.crew
        joined = _joined(evidence, tagger)
        if isinstance(self.method, Auto):
            crew: Model = self.method.fit(joined, earlier, tagger)
        else:
            crew = self.method.fit(joined, earlier)
        return CrewModel(people, audition, tagger, crew)

    def _trained(self, evidence: Evidence, words: Ragged, labels: Ragged) -> CrossFitted:
        is_answered = evidence.answers.per_sentence > 0
        weight = np.where(evidence.is_known, _EXPERT, np.where(is_answered, 1.0, 0.0))
        # A word whose spelling is not known is known by its number.
        spelling = evidence.spelling or [str(k) for k in range(evidence.vocabulary)]
        codes = 2 * evidence.labels + 1
        return CrossFitted.train(
            facets_of(spelling), words, labels, weight, codes, self.tagger.rounds
        )


@dataclass(frozen=True, slots=True, eq=False)
class CrewModel:
    """What a method has learned from ``people`` alone, and from people with the tagger.

    ``tagger`` and ``crew`` are missing where the tagger was not hired.
    """

    people: Model
    audition: Audition | None = None
    tagger: CrossFitted | None = None
    crew: Model | None = None

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Join the answers of people on each sentence with that of the tagger, if it is hired."""
        if self.tagger is None or self.crew is None or words is None:
            return self.people.judge(answers, lengths, words)
        return self.crew.judge(_with_tags(answers, self.tagger.tag(words)), lengths, words)


def has_hired(model: Model) -> bool:
    """Tell whether a model hears a tagger that has passed its audition."""
    return isinstance(model, CrewModel) and model.crew is not None


def by_people(model: Model) -> Model:
    """Return what was learned from people alone: nobody is rewarded for agreeing with a model."""
    return model.people if isinstance(model, CrewModel) else model


def beliefs_of_people(
    model: Model, beliefs: Beliefs, answers: Answers, words: Ragged | None
) -> Beliefs:
    """Return what people alone would make of the answers; mostly these are the same beliefs."""
    if not has_hired(model):
        return beliefs
    return by_people(model).judge(answers, beliefs.labels.lengths, words)


def _joined(evidence: Evidence, tagger: CrossFitted) -> Evidence:
    if evidence.words is None:
        return evidence
    answers = _with_tags(evidence.answers, tagger.tag(evidence.words))
    return replace(evidence, answers=answers, workers=evidence.workers + 1)


def _with_tags(answers: Answers, tags: Ragged) -> Answers:
    """Return answers with one of the tagger on every sentence that has any; it is worker 0."""
    answered = np.flatnonzero(answers.per_sentence > 0)
    said = tags.take(answered)
    sentence = np.concatenate([answers.sentence, answered.astype(answers.sentence.dtype)])
    worker = np.concatenate([answers.worker + 1, np.zeros(len(answered), answers.worker.dtype)])
    dtype = answers.codes.values.dtype
    codes = Ragged(
        np.concatenate([answers.codes.values, said.values.astype(dtype)]),
        offsets_of(np.concatenate([answers.codes.lengths, said.lengths])),
    )
    order = np.argsort(sentence, kind="stable")
    return Answers(sentence[order], worker[order], codes.take(order), answers.sentences)


def _audition(evidence: Evidence, labels: Ragged, tags: Ragged) -> Audition:
    """Compare the tagger with the people on all sentences, and on those of experts."""
    known = np.flatnonzero(evidence.is_known & (evidence.answers.per_sentence > 0))
    by_experts = (np.nan, np.nan)
    if len(known) >= _FEWEST:
        by_experts = _compared(evidence, labels, tags, known)
    answered = np.flatnonzero(evidence.answers.per_sentence > 0)
    return Audition(len(answered), *_compared(evidence, labels, tags, answered), *by_experts)


def _compared(
    evidence: Evidence, labels: Ragged, tags: Ragged, rows: IntArray
) -> tuple[float, float]:
    """Return the F1 of the tagger on some sentences, and the lower quartile of the people's."""
    answers = evidence.take(rows).answers
    truth = labels.take(rows)
    counts = span_counts(answers.codes, truth.take(answers.sentence.astype(np.int64)))
    by_worker = np.stack([np.bincount(answers.worker, column) for column in counts.T], axis=1)
    f1 = _f1(by_worker)[answers.worker]
    return float(_f1(span_counts(tags.take(rows), truth).sum(axis=0))), float(
        np.quantile(f1, 0.25)
    )


def _f1(counts: FloatArray) -> FloatArray:
    """Return the F1 of spans in common, in the one and in the other; 1 where there are none."""
    both = counts[..., 1] + counts[..., 2]
    f1: FloatArray = np.where(both > 0, 2 * counts[..., 0] / np.maximum(both, 1e-9), 1.0)
    return f1
