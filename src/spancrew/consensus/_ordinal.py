"""Ratings: how far each worker goes astray on a scale, and to which side."""

from dataclasses import dataclass

import numpy as np

from spancrew.consensus._base import Consensus, Evidence, Model
from spancrew.consensus._dawid_skene import TokenModel, fit_tokens, log_prior
from spancrew.consensus._dawid_skene_kernels import CodeCounts, Confusion
from spancrew.consensus._refusals import refuse_rounds, refuse_weights
from spancrew.core import BoolArray, FloatArray, IndexArray, IntArray

_SPREAD = 0.5
"""The variance, in steps of the scale, that one answer speaks for before anything is seen."""

_LEAST_SPREAD = 0.05
_STRAY = 0.02
"""The share of answers that may be anything: a slip of the hand refutes no label for good."""


@dataclass(frozen=True, slots=True)
class Ordinal(Consensus):
    """Learn how many steps each worker rates too high or too low, and how much that varies.

    The labels are a scale, in the order of their ids, with equal steps; answers lie around the
    true label as a normal distribution, cut into steps. With two numbers for each worker it needs
    far fewer answers than :class:`DawidSkene`, which has to learn every pair of labels. A worker
    who gave few answers is taken to be like all others: what is common counts as ``pooling``
    answers of each.
    """

    iterations: int = 20
    refits: int = 5
    pooling: float = 4.0

    def __post_init__(self) -> None:
        """Refuse numbers that make no prior or no fit."""
        refuse_rounds(self.iterations, self.refits)
        refuse_weights(pooling=self.pooling)

    def fit(self, evidence: Evidence, before: Model | None = None) -> TokenModel:
        """Learn from all sentences with an answer or with an expert's labels."""
        return fit_tokens(self, evidence, before, complete=True)

    def for_choices(self) -> "Ordinal":
        """Return the method itself."""
        return self

    def confusion(self, row: IndexArray, tally: CodeCounts, possible: BoolArray) -> Confusion:
        """Return the likeliest leanings and spreads after what was counted."""
        workers, codes = (each.astype(np.int64) for each in np.nonzero(row >= 0))
        true = np.arange(len(possible))
        off = (codes[:, None] - true) / 2.0
        counts = tally.counts * possible
        size = _by_worker(workers, counts, len(row))
        leaning = _by_worker(workers, counts * off, len(row)) / (size + self.pooling)
        apart = _by_worker(workers, counts * (off - leaning[workers, None]) ** 2, len(row))
        usual = (apart.sum() + _SPREAD) / (size.sum() + 1)
        spread = (apart + self.pooling * usual) / (size + self.pooling)
        rates = _log_rates(off, leaning, np.maximum(spread, _LEAST_SPREAD), workers)
        prior = log_prior(tally.prior + 1.0, possible)
        return Confusion(prior, row, rates, np.zeros(row.shape), 0.0, 0.0)


def _by_worker(workers: IntArray, values: FloatArray, size: int) -> FloatArray:
    return np.bincount(workers, values.sum(axis=1), minlength=size).astype(np.float64)


def _log_rates(
    off: FloatArray, leaning: FloatArray, spread: FloatArray, workers: IntArray
) -> FloatArray:
    """Return how likely each worker gives each code under each true one, as logarithms."""
    far = (off - leaning[workers, None]) ** 2 / spread[workers, None]
    dense = np.exp(-np.minimum(far, 1400.0) / 2)
    total = np.zeros((len(leaning), off.shape[1]))
    np.add.at(total, workers, dense)
    labels = np.bincount(workers, minlength=len(leaning))[workers, None]
    share: FloatArray = dense / np.maximum(total[workers], 1e-300)
    rates: FloatArray = np.log((1 - _STRAY) * share + _STRAY / labels)
    return rates
