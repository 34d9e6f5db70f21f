"""Votes and models of the workers together, for choices, weighed by what experts have shown."""

from dataclasses import dataclass, replace

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model
from spancrew.consensus._choices import believed_choices, vote_counts
from spancrew.consensus._dawid_skene import DawidSkene, TokenModel
from spancrew.consensus._left_out import left_out
from spancrew.consensus._ordinal import Ordinal
from spancrew.consensus._refusals import refuse_unknown
from spancrew.consensus._regression import fit_logistic, logistic
from spancrew.consensus._two_coin import TwoCoin
from spancrew.core import Answers, FloatArray, IntArray, Ragged

PRIOR = np.array([0.2, 0.2, 0.3])
"""Weights of Dawid and Skene's model, of the coins and of the votes before experts speak.

Together they are far below 1: workers err together on hard questions, which no source knows.
"""

SCALE_PRIOR = np.array([0.1, 0.0, 0.1, 0.5])
"""The same where labels are a scale and errors mostly small, with the model of ratings last."""

ODD_SCALE_PRIOR = np.array([*PRIOR, 0.0])
"""The same where errors on a scale are as often large as small."""

FIRMNESS = 1000.0
"""How firmly the weights are held there."""

_HALF = 0.5
"""A vote that every label has before anybody votes, and its opposite."""


@dataclass(frozen=True, slots=True)
class ChoiceAuto(Consensus):
    """Dawid and Skene's model, one coin for each label, and the votes, weighed together.

    Where labels are a scale, the model of ratings joins them. How much it counts before experts
    speak depends on whether it tells the answers of one worker by the others' better than coins
    do, which know nothing of a scale.

    Models of the workers win where each gave many answers, votes where they gave few; both state
    too much or too little confidence. So the log-odds of all three are added with weights. These
    are learned from the labels of experts, against models that were fitted without them, and drawn
    to a prior. Audits count as often as their weights say. Every question gets an answer: its most
    probable label.
    """

    def fit(self, evidence: Evidence, before: Model | None = None) -> "ChoiceModel":
        """Learn from answers; from experts, learn how much to believe each source."""
        last = before if isinstance(before, ChoiceModel) else None
        unaudited = evidence.for_fit()
        bare = replace(unaudited, known=None)
        alone = ChoiceSources.fit(bare, None if last is None else last.alone)
        told = alone
        if unaudited.is_known.any():
            told = ChoiceSources.fit(unaudited, None if last is None else last.told)
        return ChoiceModel(told, alone, _weights(alone, evidence))


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceSources:
    """Models of the answers."""

    matrices: TokenModel
    coins: TokenModel
    ratings: TokenModel | None = None
    errs_by_steps: bool = True

    @classmethod
    def fit(cls, evidence: Evidence, before: "ChoiceSources | None") -> "ChoiceSources":
        """Learn from evidence; go on from ``before``."""
        matrices = DawidSkene().fit(evidence, None if before is None else before.matrices)
        coins = TwoCoin().fit(evidence, None if before is None else before.coins)
        if not evidence.scale:
            return cls(matrices, coins)
        ratings = Ordinal().fit(evidence, None if before is None else before.ratings)
        by_steps = left_out(ratings, evidence) >= left_out(coins, evidence)
        return cls(matrices, coins, ratings, by_steps)

    @property
    def prior(self) -> FloatArray:
        """Return the weights of the sources before experts speak."""
        if self.ratings is None:
            return PRIOR
        return SCALE_PRIOR if self.errs_by_steps else ODD_SCALE_PRIOR

    def odds(self, answers: Answers, lengths: IntArray) -> FloatArray:
        """Return the log-odds of each source for each label (tokens x labels x sources)."""
        votes = vote_counts(answers, lengths, len(self.coins.confusion.prior) // 2)
        given = np.repeat(answers.per_sentence, lengths)[:, None]
        shares = np.log((votes + _HALF) / (given - votes + _HALF))
        models = (self.matrices, self.coins, self.ratings)
        matrices, coins, *ratings = (
            _odds(model.chances(answers, lengths)[:, 1::2]) for model in models if model
        )
        return np.stack([matrices, coins, shares, *ratings], axis=2)


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceModel:
    """Models fitted with and without experts' labels, and the weights of all sources."""

    told: ChoiceSources
    alone: ChoiceSources
    weights: FloatArray

    def judge(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None = None,  # noqa: ARG002  only answers count
    ) -> Beliefs:
        """Return the most probable label of every question; nothing where nobody answered."""
        refuse_unknown(answers.codes, len(self.told.coins.confusion.prior) // 2)
        lengths = answers.checked_lengths(lengths)
        chance = logistic(self.told.odds(answers, lengths), self.weights)
        return believed_choices(chance / chance.sum(axis=1, keepdims=True), answers, lengths)


def _weights(sources: ChoiceSources, evidence: Evidence) -> FloatArray:
    """Return how much each source counts, by the questions that experts have answered."""
    taught = np.flatnonzero(evidence.is_known & (evidence.answers.per_sentence > 0))
    if evidence.known is None or not len(taught):
        return sources.prior
    part = evidence.take(taught)
    odds = sources.odds(part.answers, part.lengths)
    truth = (evidence.known.take(taught).values.astype(np.int64) - 1) // 2
    is_so = (np.arange(evidence.labels) == truth[:, None]).astype(np.float64)
    weight = np.ones(len(taught)) if part.weight is None else part.weight
    counts = np.repeat(weight, part.lengths)[:, None] / evidence.labels + np.zeros(is_so.shape)
    columns = odds.reshape(-1, odds.shape[2])
    firmness = np.full(len(sources.prior), FIRMNESS)
    return fit_logistic(columns, is_so.ravel(), sources.prior, firmness, counts.ravel())


def _odds(chance: FloatArray) -> FloatArray:
    inside = np.clip(chance, 1e-6, 1 - 1e-6)
    odds: FloatArray = np.log(inside / (1 - inside))
    return odds
