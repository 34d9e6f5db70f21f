"""A model of workers who mark candidate spans."""

from dataclasses import dataclass
from math import inf

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model, goes_on
from spancrew.consensus._candidates import Candidates, beliefs_of, candidates_of, vote_shares
from spancrew.consensus._refusals import (
    known_codes,
    refuse_rounds,
    refuse_threshold,
    refuse_unknown,
    refuse_weights,
)
from spancrew.consensus._scheduling import best_spans
from spancrew.consensus._span_ds_kernels import (
    Coins,
    MarkCounts,
    Marks,
    count,
    estimate,
    find_marks,
    settle_known,
)
from spancrew.core import Answers, FloatArray, IntArray, Ragged, frozen
from spancrew.errors import SpancrewError


@dataclass(frozen=True, slots=True)
class SpanDs(Consensus):
    """Learn how often each worker marks true and false spans of each label.

    Every span that somebody marked is a candidate, true or not: Dawid and Skene's method with two
    coins for each worker and label. The truth begins as the share of the votes, then truth and
    workers are estimated in turn ``iterations`` times, or ``refits`` times if an earlier model is
    given. Before anything is known a worker marks ``hit`` of the true and ``slip`` of the false
    candidates, which weighs as much as ``weight`` candidates seen; half of a label's candidates
    are true, which weighs as much as ``anchor`` of them. Without an anchor the model drifts to few
    true spans where workers seldom agree on borders. Spans are chosen as in :class:`SpanVote`.
    With ``pooling``, workers are taken to be like the whole crowd before anything is known of
    them, and their false marks as frequent as the crowd's, which weighs as much as ``pooling``
    candidates; a mark then never counts against a span.
    """

    threshold: float = 0.3
    iterations: int = 10
    refits: int = 3
    hit: float = 0.6
    slip: float = 0.2
    weight: float = 10.0
    anchor: float = 200.0
    pooling: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        refuse_threshold(self.threshold)
        refuse_rounds(self.iterations, self.refits)
        refuse_weights(weight=self.weight, anchor=self.anchor)
        if not 0 <= self.pooling < inf:
            raise SpancrewError(
                f"pooling {self.pooling:g}: it counts candidates, so it must be 0 or more"
            )
        if not 0 < self.slip < self.hit < 1:
            raise SpancrewError(
                f"hit {self.hit:g}, slip {self.slip:g}: true spans must be marked more often than "
                "false ones, so 0 < slip < hit < 1 is needed"
            )

    def fit(self, evidence: Evidence, before: Model | None = None) -> "SpanModel":
        """Learn from all sentences; a true span that nobody marked was missed by all."""
        evidence = evidence.for_fit()
        answers = evidence.answers
        known = known_codes(evidence)
        candidates = candidates_of(answers)
        marks = _marks(answers, candidates)
        chance = vote_shares(candidates, answers)
        missed = np.zeros((evidence.workers + 1, evidence.labels))
        settle_known(known.values, known.offsets, candidates, marks, chance, missed)
        coins, rounds = self._coins(candidates, marks, chance, missed), self.iterations
        begun = len(evidence.lengths)
        if (
            isinstance(before, SpanModel)
            and before.has_learned(evidence.labels)
            and goes_on(evidence, before.begun)
        ):
            coins, rounds, begun = before.coins, self.refits, before.begun
        for _ in range(rounds):
            estimate(candidates, marks, coins, known.offsets, chance)
            coins = self._coins(candidates, marks, chance, missed)
        return SpanModel(coins, self.threshold, begun)

    def _coins(
        self, candidates: Candidates, marks: Marks, chance: FloatArray, missed: FloatArray
    ) -> Coins:
        """Return the coins after what each worker has marked and missed."""
        by_label = np.zeros((2, missed.shape[1]))
        seen = np.zeros((3, *missed.shape))
        tally = MarkCounts(missed.copy(), *seen, *by_label)
        count(candidates, marks, chance, tally)
        hit, slip = self._pooled(tally) if self.pooling else self._rates(tally)
        half = self.anchor / 2
        return Coins(
            np.log(hit / slip),
            np.log((1 - hit) / (1 - slip)),
            np.log((tally.right + half) / (tally.wrong + half)),
        )

    def _rates(self, tally: MarkCounts) -> tuple[FloatArray, FloatArray]:
        """Return how often true and false candidates were marked."""
        hit = (tally.hits + self.weight * self.hit) / (tally.true + self.weight)
        slip = (tally.slips + self.weight * self.slip) / (tally.false + self.weight)
        return hit, slip

    def _pooled(self, tally: MarkCounts) -> tuple[FloatArray, FloatArray]:
        """Return the same, drawn to what the whole crowd does."""
        crowd = MarkCounts._make(part.sum(axis=0) for part in tally)
        all_hit, all_slip = self._rates(crowd)
        hit = (tally.hits + self.weight * all_hit) / (tally.true + self.weight)
        slip = (tally.slips + self.pooling * all_slip) / (tally.false + self.pooling)
        return hit, np.minimum(slip, hit)


@dataclass(frozen=True, slots=True, eq=False)
class SpanModel:
    """What the two-coin model has learned, and with how many sentences it began anew."""

    coins: Coins
    threshold: float
    begun: int

    def has_learned(self, labels: int) -> bool:
        """Tell whether it knows something of anybody, for this number of labels."""
        return len(self.coins.prior) == labels and bool((self.coins.no != self.coins.no[-1]).any())

    def judge(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None = None,  # noqa: ARG002  only answers count
    ) -> Beliefs:
        """Return the chosen spans of every sentence; all O where nobody answered.

        A worker of whom nothing is known counts as the prior says.
        """
        lengths = answers.checked_lengths(lengths)
        refuse_unknown(answers.codes, len(self.coins.prior))
        candidates = candidates_of(answers)
        chance = self.chances(answers, candidates)
        dtype = answers.codes.values.dtype
        labels, contested = best_spans(candidates, chance, self.threshold, lengths, dtype)
        return beliefs_of(candidates, chance, answers, labels, contested)

    def chances(self, answers: Answers, candidates: Candidates) -> FloatArray:
        """Return the probability of candidates, among which are all spans of the answers."""
        chance = np.empty(len(candidates.votes))
        unknown: IntArray = frozen(np.zeros(len(candidates.first), np.int64))
        estimate(candidates, _marks(answers, candidates), self.coins, unknown, chance)
        return chance


def _marks(answers: Answers, candidates: Candidates) -> Marks:
    codes = answers.codes
    found = find_marks(codes.values, codes.offsets, answers.first, candidates)
    return Marks(answers.first, answers.worker, *found)
