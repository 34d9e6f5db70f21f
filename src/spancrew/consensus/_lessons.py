"""What sentences labelled by experts teach about stated probabilities."""

from typing import NamedTuple, Self

import numpy as np

from spancrew.consensus._material import SpanMaterial
from spancrew.consensus._proposals import are_in
from spancrew.consensus._regression import fit_logistic, fit_positive
from spancrew.core import BoolArray, FloatArray, IntArray, Ragged


class Weights(NamedTuple):
    """How columns of numbers become stated probabilities.

    ``spans``: constant, log-odds / 5 under a sequence model that tells workers apart, share of the
    votes, without votes, lead over the best rival, log-odds / 5 if all workers count alike,
    log-odds / 5 under a tagger.
    ``sentences``: constant, log-odds that all candidates are judged right, log of the spans,
    log of the sequence model's expected errors and a few. ``errors``: expected errors by
    candidates and by the sequence model, tokens. ``unseen``: true spans per token that nobody
    proposes.
    """

    spans: FloatArray
    sentences: FloatArray
    errors: FloatArray
    unseen: float


PRIOR = Weights(
    np.array([0.4, 1.55, 0.2, -1.6, 0.0, 0.0, 0.0]),
    np.array([-1.0, 0.4, 0.4, -0.4]),
    np.array([0.7, 0.3, 0.0]),
    0.005,
)
"""What serves many crowds, real and drawn: the sequence model is too sure of itself."""

ALIKE = PRIOR._replace(spans=np.array([-0.7, 0.0, 1.25, -1.0, 3.2, 0.3, 0.0]))
"""The same where workers cannot be told apart."""


def prior_at(trust: float) -> Weights:
    """Return the weights before any lesson, given how far workers can be told apart."""
    if trust >= 1:
        return PRIOR
    return PRIOR._replace(spans=trust * PRIOR.spans + (1 - trust) * ALIKE.spans)


FIRMNESS = Weights(
    np.array([4.0, 8.0, 4.0, 4.0, 8.0, 8.0, 8.0]),
    np.array([6.0, 30.0, 30.0, 15.0]),
    np.array([5.0, 5.0, 20_000.0]),
    100.0,
)
"""How many sentences, spans or tokens the prior counts for, roughly.

That errors come with tokens is learned from many sentences only: from few, all would be expected
to have some, also those of which everybody is sure.
"""

_LEAST_ERRORS = 0.1
"""The fewest errors that a sentence is taken to vary by."""


_MANY = 100.0
"""Sentences, counted as :func:`effective` does, at which weights count half on a log scale."""


class Lessons(NamedTuple):
    """What sources said of sentences before an expert labelled them, and what was true.

    ``is_true`` is by candidate, ``missing`` counts true spans that are no candidates. ``weight``
    is how many sentences each stands for. ``counted`` tells which sentences of the evidence,
    without audits, are in, and ``audits`` how many audits.
    """

    material: SpanMaterial
    is_true: BoolArray
    missing: IntArray
    weight: FloatArray
    counted: BoolArray
    audits: int

    @classmethod
    def none(cls, counted: BoolArray | None = None, audits: int = 0) -> Self:
        """Return no lessons."""
        nothing = np.zeros(0, bool) if counted is None else counted
        return cls(
            SpanMaterial.none(len(PRIOR.spans)),
            np.zeros(0, bool),
            np.zeros(0, np.int64),
            np.zeros(0),
            nothing,
            audits,
        )

    def __bool__(self) -> bool:
        """Tell whether there is a lesson."""
        return len(self.weight) > 0

    def plus(self, other: "Lessons") -> "Lessons":
        """Return both; ``other`` knows which sentences are in."""
        return Lessons(
            self.material.plus(other.material),
            np.concatenate([self.is_true, other.is_true]),
            np.concatenate([self.missing, other.missing]),
            np.concatenate([self.weight, other.weight]),
            other.counted,
            other.audits,
        )

    def on_spans(self, prior: Weights) -> Weights:
        """Return the weights that teach which candidates are true."""
        counts = effective(self.weight)
        unseen, tokens = counts @ self.missing, counts @ self.material.lengths
        by_span = np.repeat(counts, self.material.size)
        columns, is_true = self.material.columns, self.is_true.astype(np.float64)
        return prior._replace(
            spans=fit_logistic(columns, is_true, prior.spans, FIRMNESS.spans, by_span),
            unseen=float((unseen + prior.unseen * FIRMNESS.unseen) / (tokens + FIRMNESS.unseen)),
        )

    def on_sentences(self, weights: Weights, threshold: float, prior: Weights) -> Weights:
        """Return the weights that teach how sure to be of labels.

        The labels are those that would be chosen today: by ``weights`` of spans and a threshold.
        """
        counts = effective(tempered(self.weight))
        today = self.material.weighed(weights.spans, threshold)
        wrong = self.wrong(today.beliefs.labels)
        right = (wrong == 0).astype(np.float64)
        sentences, errors = FIRMNESS.sentences, FIRMNESS.errors
        # Errors vary as much as there are of them: where many are, one more says little.
        varies = np.maximum(today.errors @ prior.errors, _LEAST_ERRORS)
        return weights._replace(
            sentences=fit_logistic(today.sentences, right, prior.sentences, sentences, counts),
            errors=fit_positive(today.errors, wrong, prior.errors, errors, counts / varies),
        )

    def wrong(self, labels: Ragged) -> FloatArray:
        """Return for each sentence how many spans of labels are wrong or missing."""
        is_chosen, alone = are_in(self.material.candidates, labels)
        sentences = len(self.weight)
        sentence = np.repeat(np.arange(sentences), self.material.size)
        differs = np.bincount(sentence, is_chosen != self.is_true, sentences)
        wrong: FloatArray = differs.astype(np.float64) + alone + self.missing
        return wrong


def effective(weight: FloatArray) -> FloatArray:
    """Scale weights so that they sum up to the number of sentences that would teach as much.

    A few sentences that stand for many teach no more than a few (Kish 1965): with their weights as
    they are, a prior would be given up too early.
    """
    counts: FloatArray = weight * (_size(weight) / max(weight.sum(), 1e-300))
    return counts


def tempered(weight: FloatArray) -> FloatArray:
    """Return weights that are evened out as long as there are few sentences.

    A few audits that stand for many would else decide by luck. With a handful of sentences all
    count nearly alike, with thousands as their weights say.
    """
    size = _size(weight)
    even: FloatArray = weight ** (size / (size + _MANY))
    return even


def _size(weight: FloatArray) -> float:
    return float(weight.sum() ** 2 / max(weight @ weight, 1e-300))
