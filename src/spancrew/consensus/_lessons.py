"""What sentences labelled by experts teach about stated probabilities."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus._regression import fit_logistic, fit_positive
from spancrew.core import BoolArray, FloatArray


class Weights(NamedTuple):
    """How columns of numbers become stated probabilities.

    ``spans``: constant, log-odds under the sequence model / 5, share of the votes, without votes.
    ``sentences``: constant, log-odds that all candidates are judged right, log of the spans,
    log of the sequence model's expected errors. ``errors``: expected errors by candidates and by
    the sequence model, tokens. ``unseen``: true spans per token that nobody proposes.
    """

    spans: FloatArray
    sentences: FloatArray
    errors: FloatArray
    unseen: float


PRIOR = Weights(
    np.array([-1.0, 1.7, 1.5, -0.5]),
    np.array([-0.2, 0.8, 0.4, -0.15]),
    np.array([0.7, 0.3, 0.0]),
    0.005,
)
"""Between what two real crowds needed: the sequence model is too sure, votes hold it back."""

FIRMNESS = Weights(
    np.array([4.0, 8.0, 4.0, 4.0]),
    np.array([4.0, 50.0, 50.0, 50.0]),
    np.array([5.0, 5.0, 500.0]),
    100.0,
)
"""How many sentences, spans or tokens the prior counts for, roughly."""


class Lessons(NamedTuple):
    """What was stated before an expert labelled a sentence, and what was true.

    ``counted`` tells which sentences of the evidence are in.
    """

    spans: FloatArray
    is_true: FloatArray
    sentences: FloatArray
    is_right: FloatArray
    errors: FloatArray
    wrong: FloatArray
    unseen: float
    tokens: float
    counted: BoolArray

    @classmethod
    def none(cls) -> "Lessons":
        """Return no lessons."""
        empty = np.zeros(0)
        return cls(
            np.zeros((0, len(PRIOR.spans))),
            empty,
            np.zeros((0, len(PRIOR.sentences))),
            empty,
            np.zeros((0, len(PRIOR.errors))),
            empty,
            0.0,
            0.0,
            np.zeros(0, bool),
        )

    def plus(self, other: "Lessons") -> "Lessons":
        """Return both; ``other`` knows which sentences are in."""
        return Lessons(
            np.concatenate([self.spans, other.spans]),
            np.concatenate([self.is_true, other.is_true]),
            np.concatenate([self.sentences, other.sentences]),
            np.concatenate([self.is_right, other.is_right]),
            np.concatenate([self.errors, other.errors]),
            np.concatenate([self.wrong, other.wrong]),
            self.unseen + other.unseen,
            self.tokens + other.tokens,
            other.counted,
        )

    def weights(self) -> Weights:
        """Return the weights that these lessons teach."""
        return Weights(
            fit_logistic(self.spans, self.is_true, PRIOR.spans, FIRMNESS.spans),
            fit_logistic(self.sentences, self.is_right, PRIOR.sentences, FIRMNESS.sentences),
            fit_positive(self.errors, self.wrong, PRIOR.errors, FIRMNESS.errors),
            (self.unseen + PRIOR.unseen * FIRMNESS.unseen) / (self.tokens + FIRMNESS.unseen),
        )


def span_columns(chance: FloatArray, share: FloatArray) -> FloatArray:
    """Return the columns of candidates: what the sequence model and what the votes say."""
    odds = _log_odds(chance, 1e-6) / 5
    return np.stack([np.ones(len(odds)), odds, share, share == 0], axis=1)


def sentence_columns(
    confidence: FloatArray, spans: FloatArray, model_errors: FloatArray
) -> FloatArray:
    """Return the columns of sentences."""
    odds = _log_odds(confidence, 1e-4)
    doubt = np.log(np.maximum(model_errors, 0.01))
    return np.stack([np.ones(len(odds)), odds, np.log1p(spans), doubt], axis=1)


def _log_odds(chance: FloatArray, margin: float) -> FloatArray:
    inside = np.clip(chance, margin, 1 - margin)
    odds: FloatArray = np.log(inside / (1 - inside))
    return odds
