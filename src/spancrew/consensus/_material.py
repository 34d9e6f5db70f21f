"""Sentences as their sources see them, and what follows from that with weights."""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from spancrew.consensus._base import Beliefs
from spancrew.consensus._candidates import Candidates, believed_of
from spancrew.consensus._regression import logistic
from spancrew.consensus._scheduling import best_spans
from spancrew.core import FloatArray, IntArray

_MARGIN = 1e-4
"""How near to 0 and 1 a confidence is believed."""

_LEAST_DOUBT = 0.1
"""Errors that the sequence model overlooks at least: it is too sure of itself."""


class SpanMaterial(NamedTuple):
    """What is known of sentences before anything is weighed.

    ``columns`` has a row for every candidate; ``model_errors`` are those that the sequence model
    expects in the labels that it would choose itself; ``lengths`` are tokens.
    """

    candidates: Candidates
    columns: FloatArray
    model_errors: FloatArray
    lengths: IntArray

    @classmethod
    def none(cls, width: int) -> Self:
        """Return no sentences, with so many columns."""
        nothing = np.zeros(0, np.int64)
        candidates = Candidates(np.zeros(1, np.int64), *[nothing] * 4)
        return cls(candidates, np.zeros((0, width)), np.zeros(0), nothing)

    @property
    def size(self) -> IntArray:
        """Return the number of candidates of every sentence."""
        return self.candidates.first[1:] - self.candidates.first[:-1]

    def plus(self, other: "SpanMaterial") -> "SpanMaterial":
        """Return the sentences of both."""
        first, *spans = zip(self.candidates, other.candidates, strict=True)
        after = np.concatenate([first[0], first[0][-1] + first[1][1:]])
        candidates = Candidates(after, *(np.concatenate(pair) for pair in spans))
        rest = [np.concatenate(pair) for pair in zip(self[1:], other[1:], strict=True)]
        return SpanMaterial(candidates, *rest)

    def weighed(
        self, weights: FloatArray, threshold: float, dtype: npt.DTypeLike | None = None
    ) -> "Weighed":
        """Choose spans by their probabilities under weights; by default in the smallest codes."""
        chance = logistic(self.columns, weights)
        candidates = self.candidates
        if dtype is None:
            dtype = np.min_scalar_type(2 * int(candidates.label.max(initial=0)) + 2)
        labels, contested = best_spans(candidates, chance, threshold, self.lengths, dtype)
        beliefs = believed_of(candidates, chance, labels, contested)
        sentences = sentence_columns(
            beliefs.confidence, beliefs.found.astype(np.float64), self.model_errors
        )
        tokens = self.lengths.astype(np.float64)
        errors = np.array([beliefs.errors, self.model_errors, tokens]).T
        return Weighed(beliefs, sentences, errors)


class Weighed(NamedTuple):
    """Beliefs if candidates are all there is, and columns for what is to be stated instead."""

    beliefs: Beliefs
    sentences: FloatArray
    errors: FloatArray


def sentence_columns(
    confidence: FloatArray, spans: FloatArray, model_errors: FloatArray
) -> FloatArray:
    """Return the columns of sentences."""
    inside = np.clip(confidence, _MARGIN, 1 - _MARGIN)
    odds = np.log(inside / (1 - inside))
    doubt = np.log(model_errors + _LEAST_DOUBT)
    return np.array([np.ones(len(odds)), odds, np.log1p(spans), doubt]).T
