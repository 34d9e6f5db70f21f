"""Dawid and Skene's method, token by token."""

from dataclasses import dataclass
from math import inf, log
from typing import Protocol

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model, goes_on
from spancrew.consensus._dawid_skene_kernels import (
    CodeCounts,
    Confusion,
    count,
    given_codes,
    judge_tokens,
    write_chances,
)
from spancrew.consensus._refusals import (
    known_codes,
    refuse_rounds,
    refuse_unknown,
    refuse_weights,
)
from spancrew.consensus._sheets import sheets_of
from spancrew.core import Answers, BoolArray, FloatArray, IndexArray, IntArray, Ragged
from spancrew.errors import SpancrewError


@dataclass(frozen=True, slots=True)
class DawidSkene(Consensus):
    """Learn which codes each worker gives under each true code, and weigh answers by it.

    Tokens count as independent (Dawid and Skene 1979, doi:10.2307/2346806). The truth begins as
    the share of the votes, then truth and workers are estimated in turn ``iterations`` times, or
    ``refits`` times if an earlier model is given. Every worker begins with ``smoothing`` answers
    of every code under every true one and ``trust`` right ones under each.
    """

    iterations: int = 10
    refits: int = 3
    smoothing: float = 0.1
    trust: float = 3.0

    def __post_init__(self) -> None:
        """Refuse numbers that make no prior or no fit."""
        refuse_rounds(self.iterations, self.refits)
        refuse_weights(smoothing=self.smoothing)
        if not 0 <= self.trust < inf:
            raise SpancrewError(
                f"trust {self.trust:g}: it counts answers, so it must be 0 or more"
            )

    def fit(self, evidence: Evidence, before: Model | None = None) -> "TokenModel":
        """Learn from all sentences with an answer or with an expert's labels."""
        return fit_tokens(self, evidence, before)

    def for_choices(self) -> "DawidSkene":
        """Return the method itself: it serves choices as well."""
        return self

    def confusion(self, row: IndexArray, tally: CodeCounts, possible: BoolArray) -> Confusion:
        """Return the likeliest matrices after what was counted."""
        workers, codes = np.nonzero(row >= 0)
        total = np.full(row.shape, self.smoothing * possible.sum() + self.trust)
        np.add.at(total, workers, tally.counts)
        rates = tally.counts + self.smoothing
        rates[np.arange(len(codes)), codes] += self.trust
        return Confusion(
            log_prior(tally.prior + self.smoothing, possible),
            row,
            np.log(rates) - np.log(total)[workers],
            np.log(total),
            log(self.smoothing + self.trust),
            log(self.smoothing),
        )


class TokenMethod(Protocol):
    """A method that learns what workers say under each true code, token by token."""

    @property
    def iterations(self) -> int:
        """Return how often truth and workers are estimated in turn."""

    @property
    def refits(self) -> int:
        """Return the same where an earlier model is given."""

    def confusion(self, row: IndexArray, tally: CodeCounts, possible: BoolArray) -> Confusion:
        """Return what is to be believed of workers after what was counted."""


def fit_tokens(
    method: TokenMethod, evidence: Evidence, before: Model | None, *, complete: bool = False
) -> "TokenModel":
    """Estimate truth and workers in turn, beginning with the votes or with an earlier model.

    ``complete`` gives every worker a row for every code, also for those they never gave.
    """
    evidence = evidence.for_fit()
    known, possible = known_codes(evidence), evidence.possible
    sheets = sheets_of(evidence.answers, evidence.lengths)
    given = given_codes(sheets, evidence.workers, len(possible))
    row = _rows(given | possible if complete else given)
    confusion, rounds, by_votes = (
        method.confusion(row, _nothing(row), possible),
        method.iterations + 1,
        True,
    )
    begun = len(evidence.lengths)
    if (
        isinstance(before, TokenModel)
        and before.has_learned(evidence.labels)
        and goes_on(evidence, before.begun)
    ):
        confusion, rounds, by_votes = before.confusion, method.refits, False
        begun = before.begun
    for _ in range(rounds):
        tally = _nothing(row)
        count(sheets, known.values, known.offsets, confusion, by_votes, row, tally)
        confusion, by_votes = method.confusion(row, tally, possible), False
    return TokenModel(confusion, begun)


def log_prior(counts: FloatArray, possible: BoolArray) -> FloatArray:
    """Return the logarithm of the share of each code; minus infinity for one that cannot be."""
    prior: FloatArray = np.full(len(counts), -inf)
    np.log(counts / counts[possible].sum(), out=prior, where=possible)
    return prior


@dataclass(frozen=True, slots=True, eq=False)
class TokenModel:
    """What Dawid and Skene's method has learned, and with how many sentences it began anew."""

    confusion: Confusion
    begun: int

    def has_learned(self, labels: int) -> bool:
        """Tell whether it knows something of anybody, for this number of labels."""
        return self.confusion.rates.shape[1] == 2 * labels + 1 and len(self.confusion.rates) > 0

    def judge(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None = None,  # noqa: ARG002  only answers count
    ) -> Beliefs:
        """Return the likeliest code of every token; all O where nobody answered.

        O loses a tie, between labels the lower code wins, and an I that continues nothing becomes
        a B. A worker of whom nothing is known counts as the prior says.
        """
        refuse_unknown(answers.codes, len(self.confusion.prior) // 2)
        sheets = sheets_of(answers, answers.checked_lengths(lengths))
        labels = np.zeros(sheets.begins[-1], answers.codes.values.dtype)
        spans = np.zeros(len(labels))
        contested, *sums = judge_tokens(sheets, self.confusion, labels, spans)
        return Beliefs(Ragged(labels, sheets.begins), contested, spans, *sums)

    def chances(self, answers: Answers, lengths: IntArray) -> FloatArray:
        """Return the probability of every code of every token: soft labels (tokens x codes)."""
        refuse_unknown(answers.codes, len(self.confusion.prior) // 2)
        sheets = sheets_of(answers, answers.checked_lengths(lengths))
        chance = np.empty((sheets.begins[-1], len(self.confusion.prior)))
        write_chances(sheets, self.confusion, chance)
        return chance


def _rows(given: BoolArray) -> IndexArray:
    row = np.full(given.shape, -1, np.int32)
    row[given] = np.arange(given.sum())
    return row


def _nothing(row: IndexArray) -> CodeCounts:
    classes = row.shape[1]
    return CodeCounts(np.zeros((int((row >= 0).sum()), classes)), np.zeros(classes))
