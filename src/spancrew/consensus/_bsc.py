"""Bayesian sequence combination: a hidden Markov model with workers who look back one token."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model, goes_on
from spancrew.consensus._bsc_chain import count_all
from spancrew.consensus._bsc_judge import Found, judge_all
from spancrew.consensus._bsc_tables import BscTables, Contexts, Counts, contexts_of, tables_of
from spancrew.consensus._candidates import Candidates
from spancrew.consensus._proposals import chances
from spancrew.consensus._refusals import (
    known_codes,
    refuse_rounds,
    refuse_threshold,
    refuse_unknown,
    refuse_weights,
)
from spancrew.consensus._sheets import sheets_of
from spancrew.core import Answers, Chain, FloatArray, IntArray, Ragged, chain_for


@dataclass(frozen=True, slots=True)
class Bsc(Consensus):
    """BSC-seq of Simpson and Gurevych (2019), fitted by variational Bayes.

    The true codes of a sentence are a Markov chain in which I follows only its own label. What a
    worker answers on a token depends on the true code and on the worker's own code before it.
    With ``words`` each code also has its own distribution over words. A worker starts, for every
    truth and context, with ``trust`` counts for the answer that is true and ``spread`` counts over
    all answers; a word with ``word_prior`` counts for every code. Chosen are the spans without
    overlap with the largest sum of probability - ``threshold``. ``iterations`` are those of a
    first fit, ``refits`` of later ones. With ``quiet``, a worker starts with as many counts of O
    where O is true and one of anything else: seldom does anybody mark what is nothing.
    """

    words: bool = True
    trust: float = 10.0
    spread: float = 9.0
    word_prior: float = 1.0
    threshold: float = 0.4
    iterations: int = 5
    refits: int = 2
    quiet: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers that make no prior or no fit."""
        refuse_weights(trust=self.trust, spread=self.spread, word_prior=self.word_prior)
        refuse_threshold(self.threshold)
        refuse_rounds(self.iterations, self.refits)

    def fit(self, evidence: Evidence, before: Model | None = None) -> "BscModel":
        """Learn workers, moves and words; go on from ``before`` where it has the same shape."""
        evidence = evidence.for_fit()
        known = known_codes(evidence)
        contexts = contexts_of(evidence.labels, evidence.workers)
        seen = np.bincount(evidence.answers.worker, minlength=evidence.workers) > 0
        sheets = sheets_of(evidence.answers, evidence.lengths, self._words(evidence.words))
        prior = self._prior(evidence, contexts)
        if isinstance(before, BscModel) and before.fits(prior) and goes_on(evidence, before.begun):
            tables, rounds, begun = before.tables, self.refits, before.begun
        else:
            tables = tables_of(prior, contexts, np.zeros(evidence.workers, bool))
            rounds, begun = self.iterations, len(evidence.lengths)
        chain = chain_for(int(evidence.lengths.max(initial=0)), 2 * evidence.labels + 1)
        for _ in range(rounds if seen.any() else 0):
            counts = Counts(*(part.copy() for part in prior))
            count_all(sheets, tables, known.values, known.offsets, counts, chain)
            tables = tables_of(counts, contexts, seen)
        return BscModel(tables, self.threshold, begun if seen.any() else 0)

    def _words(self, words: Ragged | None) -> Ragged | None:
        return words if self.words else None

    def _prior(self, evidence: Evidence, contexts: Contexts) -> Counts:
        codes = 2 * evidence.labels + 1
        worker = np.full((len(contexts.allows), codes, codes), self.spread / codes)
        worker[:, np.arange(codes), np.arange(codes)] += self.trust
        if self.quiet:
            worker[:, :, 0] = 1.0
            worker[:, 0, 0] = self.quiet
        vocabulary = evidence.vocabulary if self.words else 0
        return Counts(
            np.repeat(worker[None], evidence.workers + 1, axis=0),
            np.ones((codes + 1, codes)),
            np.full((vocabulary, codes), self.word_prior, np.float64),
        )


@dataclass(frozen=True, slots=True)
class BscModel:
    """What BSC-seq has learned; ``tables`` are probabilities of workers, moves and words.

    ``begun`` is with how many sentences the fit began anew; 0 if nothing was learned.
    """

    tables: BscTables
    threshold: float
    begun: int

    def fits(self, counts: Counts) -> bool:
        """Tell whether the counts of another fit have the shape of the tables."""
        tables = self.tables.workers, self.tables.moves, self.tables.words
        return all(one.shape == part.shape for one, part in zip(tables, counts, strict=True))

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Return the likeliest spans of every sentence; all O where nobody answered."""
        longest = int(np.max(lengths, initial=0))
        return self._read(answers, lengths, words, longest).beliefs

    def read(self, answers: Answers, lengths: IntArray, words: Ragged | None) -> "BscReading":
        """Return the same with the posterior that it comes from."""
        return self._read(answers, lengths, words, int(np.sum(lengths)))

    def _read(
        self, answers: Answers, lengths: IntArray, words: Ragged | None, room: int
    ) -> "BscReading":
        lengths = answers.checked_lengths(lengths, words)
        refuse_unknown(answers.codes, self.tables.moves.shape[1] // 2)
        sheets = sheets_of(answers, lengths, words if len(self.tables.words) else None)
        tokens, moves = int(sheets.begins[-1]), self.tables.moves
        codes = np.zeros(tokens, answers.codes.values.dtype)
        found = Found(codes, np.zeros(tokens), *np.zeros((3, len(lengths))))
        chain = chain_for(room, moves.shape[1])
        judge_all(sheets, self.tables, self.threshold, chain, found)
        labels = Ragged.unchecked(found.codes, sheets.begins)
        beliefs = Beliefs(labels, np.zeros(len(lengths), bool), *found[1:])
        return BscReading(beliefs, sheets.begins, moves, chain)


class BscReading(NamedTuple):
    """Beliefs of sentences, and the posterior of all their tokens that they were read off."""

    beliefs: Beliefs
    begins: IntArray
    moves: FloatArray
    chain: Chain

    def chances(self, candidates: Candidates) -> FloatArray:
        """Return the probability of every candidate span."""
        return chances(candidates, self.begins, self.moves, self.chain)
