"""A vote on spans and a sequence model together, weighed by what experts have shown."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model
from spancrew.consensus._bsc import Bsc, BscModel
from spancrew.consensus._candidates import Candidates, beliefs_of, candidates_of, vote_shares
from spancrew.consensus._lessons import (
    PRIOR,
    Lessons,
    Weights,
    sentence_columns,
    span_columns,
)
from spancrew.consensus._proposals import are_in, chances, with_spans_of
from spancrew.consensus._regression import logistic
from spancrew.consensus._scheduling import best_spans
from spancrew.consensus._sheets import sheets_of
from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged

_SAMPLE = 2_000
"""Sentences, the latest ones, on which the threshold is worked out."""


@dataclass(frozen=True, slots=True)
class Auto(Consensus):
    """A span vote and BSC-seq together, each weighed by how well it does on the data.

    Every span that a worker or BSC-seq proposes gets a probability from both: its share of the
    votes and its posterior. How much each counts is learned from the sentences that experts have
    labelled: each is judged before the expert's labels are used for anything. So are the stated
    probabilities, which makes them calibrated. Without experts a prior between the two serves.
    A span is taken where its probability is above half of the F1 to be expected, which is where
    F1 is largest. ``words`` lets BSC-seq look at words.
    """

    words: bool = True

    def fit(self, evidence: Evidence, before: Model | None = None) -> "AutoModel":
        """Learn from answers; from what experts said since ``before`` learn whom to believe."""
        method = Bsc(words=self.words)
        last = before if isinstance(before, AutoModel) else _untaught(method, evidence)
        lessons = last.lessons.plus(_new_lessons(last, evidence))
        chain = method.fit(evidence, last.chain)
        weights = lessons.weights() if lessons.counted.any() else PRIOR
        model = AutoModel(chain, weights, lessons, last.threshold)
        return replace(model, threshold=_threshold(model, evidence))


@dataclass(frozen=True, slots=True, eq=False)
class AutoModel:
    """A fitted sequence model, the weights of both sources, and the lessons behind them."""

    chain: BscModel
    weights: Weights
    lessons: Lessons
    threshold: float

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Return the most probable spans of every sentence; all O where nobody answered."""
        return self.look(answers, lengths, words).beliefs

    def look(self, answers: Answers, lengths: IntArray, words: Ragged | None) -> "Look":
        """Judge, and keep the numbers on which the judgement rests."""
        alone = self.chain.judge(answers, lengths, words)
        candidates = with_spans_of(candidates_of(answers), alone.labels)
        columns = self._columns(candidates, answers, lengths, words)
        chance = logistic(columns, self.weights.spans)
        dtype = answers.codes.values.dtype
        labels, contested = best_spans(candidates, chance, self.threshold, lengths, dtype)
        beliefs = beliefs_of(candidates, chance, answers, labels, contested)
        sentences = sentence_columns(
            beliefs.confidence, beliefs.found.astype(np.float64), alone.errors
        )
        errors = np.stack([beliefs.errors, alone.errors, lengths.astype(np.float64)], axis=1)
        final = self._final(beliefs, answers.per_sentence > 0, sentences, errors)
        return Look(final, candidates, columns, sentences, errors)

    def _columns(
        self, candidates: Candidates, answers: Answers, lengths: IntArray, words: Ragged | None
    ) -> FloatArray:
        sheets = sheets_of(answers, lengths, words if len(self.chain.tables.words) else None)
        chance = chances(sheets, self.chain.tables, candidates)
        return span_columns(chance, vote_shares(candidates, answers))

    def _final(
        self, beliefs: Beliefs, answered: BoolArray, sentences: FloatArray, errors: FloatArray
    ) -> Beliefs:
        """Replace what follows from candidates alone by what lessons make of it."""
        missed = self.weights.unseen * errors[:, 2]
        return beliefs._replace(
            confidence=np.where(answered, logistic(sentences, self.weights.sentences), 0.0),
            errors=np.where(answered, errors @ self.weights.errors, 0.0),
            expected=np.where(answered, beliefs.expected + missed, 0.0),
        )


class Look(NamedTuple):
    """Beliefs, and the numbers by candidate and by sentence from which they follow."""

    beliefs: Beliefs
    candidates: Candidates
    spans: FloatArray
    sentences: FloatArray
    errors: FloatArray


def _untaught(method: Bsc, evidence: Evidence) -> AutoModel:
    """Return a model that has seen answers only: it can be tested on what experts say."""
    answers_only = replace(evidence, known=None)
    return AutoModel(method.fit(answers_only), PRIOR, Lessons.none(), 0.4)


def _new_lessons(model: AutoModel, evidence: Evidence) -> Lessons:
    """Judge the sentences that experts have labelled since, and compare."""
    counted = evidence.is_known
    old = np.zeros(len(counted), bool)
    old[: len(model.lessons.counted)] = model.lessons.counted
    new = np.flatnonzero(counted & ~old & (evidence.answers.per_sentence > 0))
    if evidence.known is None or len(new) == 0:
        return Lessons.none()._replace(counted=counted)
    part = evidence.take(new)
    look = model.look(part.answers, part.lengths, part.words)
    truth = evidence.known.take(new)
    is_true, missing = are_in(look.candidates, truth)
    is_hit, _ = are_in(look.candidates, look.beliefs.labels)
    sentence = np.repeat(np.arange(len(new)), np.diff(look.candidates.first))
    spans = np.bincount(sentence, is_true, len(new)) + missing
    hits = np.bincount(sentence, is_true & is_hit, len(new))
    wrong: FloatArray = look.beliefs.found + spans - 2 * hits
    return Lessons(
        look.spans,
        is_true.astype(np.float64),
        look.sentences,
        (wrong == 0).astype(np.float64),
        look.errors,
        wrong,
        float(missing.sum()),
        float(part.lengths.sum()),
        counted,
    )


def _threshold(model: AutoModel, evidence: Evidence) -> float:
    """Return half of the F1 that the labels of the latest sentences can be expected to have."""
    part = evidence.take(np.flatnonzero(~evidence.is_known)[-_SAMPLE:])
    threshold = model.threshold
    if len(part.answers) == 0:
        return threshold
    for _ in range(3):
        beliefs = replace(model, threshold=threshold).judge(part.answers, part.lengths, part.words)
        both = beliefs.found.sum() + beliefs.expected.sum()
        threshold = float(beliefs.spans.sum() / both) if both > 0 else threshold
    return threshold
