"""How often each worker is right under each true code: one coin for each of them."""

from dataclasses import dataclass

import numpy as np

from spancrew.consensus._base import Consensus, Evidence, Model
from spancrew.consensus._dawid_skene import TokenModel, fit_tokens, log_prior
from spancrew.consensus._dawid_skene_kernels import CodeCounts, Confusion
from spancrew.consensus._refusals import refuse_rounds, refuse_weights
from spancrew.core import BoolArray, IndexArray

_RIGHT, _ANSWERS = 3.0, 4.0
"""Before anything is seen, three of four answers are right."""

_LEAST = 1e-6
"""How near to 0 and 1 the coin of a worker may come."""


@dataclass(frozen=True, slots=True)
class TwoCoin(Consensus):
    """Learn how often each worker is right where each code is true; any other is as likely wrong.

    With two labels these are the sensitivity and the specificity of Raykar and others (2010). A
    worker who gave few answers is taken to be like all others: the share that is right among all
    workers counts as ``pooling`` answers of each. So it needs fewer answers of a worker than
    :class:`DawidSkene`, and does not see which wrong label they prefer.
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

    def for_choices(self) -> "TwoCoin":
        """Return the method itself: it serves choices as well."""
        return self

    def confusion(self, row: IndexArray, tally: CodeCounts, possible: BoolArray) -> Confusion:
        """Return the likeliest coins after what was counted."""
        workers, codes = np.nonzero(row >= 0)
        total, right = np.zeros(row.shape), np.zeros(row.shape)
        np.add.at(total, workers, tally.counts)
        right[workers, codes] = tally.counts[np.arange(len(codes)), codes]
        share = (right.sum(axis=0) + _RIGHT) / (total.sum(axis=0) + _ANSWERS)
        coin = (right + self.pooling * share) / (total + self.pooling)
        coin = np.clip(coin, _LEAST, 1 - _LEAST)
        rates = ((1 - coin) / max(int(possible.sum()) - 1, 1))[workers]
        rates[np.arange(len(codes)), codes] = coin[workers, codes]
        prior = log_prior(tally.prior + 1.0, possible)
        return Confusion(prior, row, np.log(rates), np.zeros(row.shape), 0.0, 0.0)
