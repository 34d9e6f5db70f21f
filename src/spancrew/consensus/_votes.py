"""Votes: token by token, and on whole spans."""

from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model
from spancrew.consensus._candidates import beliefs_of, candidates_of, vote_shares
from spancrew.consensus._choice_vote import ChoiceVote
from spancrew.consensus._refusals import refuse_threshold
from spancrew.consensus._scheduling import best_spans
from spancrew.core import Answers, BoolArray, IntArray, Ragged, kernel, kernel_part, offsets_of
from spancrew.errors import SpancrewError

Ties = Literal["label", "first"]


class Vote(Consensus, Model):
    """A method that counts all workers alike: it is its own model, and learns nothing."""

    __slots__ = ()

    @property
    def learns(self) -> bool:
        """Return False."""
        return False

    def fit(self, evidence: Evidence, before: Model | None = None) -> Self:  # noqa: ARG002  see learns
        """Return the vote itself."""
        return self


@dataclass(frozen=True, slots=True)
class MajorityVote(Vote):
    """Vote token by token.

    ``ties``: with ``label``, O loses a tie against a label and between labels the lower code wins,
    so that the order of the answers never matters; with ``first`` the code seen first among the
    answers wins, as in the paper's code. An I that continues nothing becomes a B.
    """

    ties: Ties = "label"

    def __post_init__(self) -> None:
        """Refuse an unknown rule."""
        if self.ties not in get_args(Ties):
            raise SpancrewError(f"ties {self.ties!r} is not known (label or first)")

    def judge(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None = None,  # noqa: ARG002  only answers vote
    ) -> Beliefs:
        """Return the majority's codes for every sentence; all O where nobody answered.

        A span is as likely as the share of answers that have exactly this span.
        """
        labels, contested = self._vote(answers, lengths)
        candidates = candidates_of(answers)
        shares = vote_shares(candidates, answers)
        return beliefs_of(candidates, shares, answers, labels, contested)

    def for_choices(self) -> ChoiceVote:
        """Return the vote on choices, which no label is favoured by where there is a tie."""
        return ChoiceVote("first" if self.ties == "first" else "drawn")

    def labels_only(self, answers: Answers, lengths: IntArray) -> Beliefs:
        """Return the same labels without probabilities, which are NaN: several times as fast."""
        labels, contested = self._vote(answers, lengths)
        unknown = np.full(len(lengths), np.nan)
        spans = np.full(len(labels.values), np.nan)
        return Beliefs(labels, contested, spans, unknown, unknown, unknown)

    def _vote(self, answers: Answers, lengths: IntArray) -> tuple[Ragged, BoolArray]:
        offsets = offsets_of(answers.checked_lengths(lengths))
        codes = answers.codes
        classes = int(codes.values.max()) + 1 if codes.values.size else 1
        out = np.zeros(offsets[-1], codes.values.dtype)
        contested = np.zeros(len(lengths), bool)
        by_order = self.ties == "first"
        rows = answers.first
        _vote(codes.values, codes.offsets, rows, offsets, classes, by_order, out, contested)
        return Ragged(out, offsets), contested


@dataclass(frozen=True, slots=True)
class SpanVote(Vote):
    """Vote on whole spans, borders and label together.

    Chosen are the spans without overlap that have the largest sum of ``v - threshold``, where
    ``v`` is the share of the answers that have the span: a span alone needs a share above the
    threshold. Of equal sums that one wins whose last span ends first, then that whose last span is
    the longer one, then that with the lower label there, and so on to the left; the order of the
    answers never matters.
    """

    threshold: float = 0.3

    def __post_init__(self) -> None:
        """Refuse a threshold that nothing or everything can pass."""
        refuse_threshold(self.threshold)

    def judge(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None = None,  # noqa: ARG002  only answers vote
    ) -> Beliefs:
        """Return the chosen spans of every sentence; all O where nobody answered.

        A span is as likely as its share of the answers.
        """
        lengths = answers.checked_lengths(lengths)
        candidates = candidates_of(answers)
        shares = vote_shares(candidates, answers)
        dtype = answers.codes.values.dtype
        labels, contested = best_spans(candidates, shares, self.threshold, lengths, dtype)
        return beliefs_of(candidates, shares, answers, labels, contested)


def majority_vote(answers: Answers, lengths: IntArray) -> Ragged:
    """Return the majority's codes for every sentence; all O where nobody answered.

    ``lengths`` are the tokens of each sentence. The vote is per token: O loses a tie against a
    label, between labels the lower code wins, and an I that continues nothing becomes a B. The
    order of the answers never matters.
    """
    labels, _ = MajorityVote()._vote(answers, lengths)  # noqa: SLF001  the labels alone are cheaper
    return labels


@kernel
def _vote(  # noqa: PLR0913, PLR0917  a kernel takes arrays one by one
    codes: npt.NDArray[Any],
    offsets: IntArray,
    first: IntArray,
    out_offsets: IntArray,
    classes: int,
    by_order: bool,
    out: npt.NDArray[Any],
    contested: BoolArray,
) -> None:
    votes = np.zeros(classes, np.int64)
    for s in range(len(first) - 1):
        before = 0
        for token in range(out_offsets[s + 1] - out_offsets[s]):
            best = agreed_code(codes, offsets, first[s], first[s + 1], token)
            if best < 0:
                count_votes(codes, offsets, first[s], first[s + 1], token, votes)
                best = _winner(votes)
                if by_order:
                    best = _first_seen(codes, offsets, first[s], first[s + 1], token, votes)
                contested[s] |= best > 0 and _is_contested(votes, best)
            if best > 0 and best % 2 == 0 and before != best and before != best - 1:
                best -= 1
            out[out_offsets[s] + token] = best
            before = best


@kernel_part
def agreed_code(
    codes: npt.NDArray[Any], offsets: IntArray, first: int, last: int, token: int
) -> int:
    """Return the code that all answers give a token, as on nearly all; -1 if they differ."""
    if last == first:
        return 0
    code = codes[offsets[first] + token]
    for a in range(first + 1, last):
        if codes[offsets[a] + token] != code:
            return -1
    return int(code)


@kernel_part
def count_votes(
    codes: npt.NDArray[Any],
    offsets: IntArray,
    first: int,
    last: int,
    token: int,
    votes: IntArray,
) -> None:
    """Count the codes of one token."""
    votes[:] = 0
    for a in range(first, last):
        votes[codes[offsets[a] + token]] += 1


@kernel_part
def _winner(votes: IntArray) -> int:
    best = 0
    for code in range(1, len(votes)):
        ahead = votes[code] > votes[best]
        ties_with_outside = best == 0 and votes[code] == votes[best] and votes[code] > 0
        if ahead or ties_with_outside:
            best = code
    return best


@kernel_part
def _is_contested(votes: IntArray, best: int) -> bool:
    """Tell whether another label has as many votes as the winner."""
    for code in range(1, len(votes)):
        if (code - 1) // 2 != (best - 1) // 2 and votes[code] == votes[best]:
            return True
    return False


@kernel_part
def _first_seen(
    codes: npt.NDArray[Any],
    offsets: IntArray,
    first: int,
    last: int,
    token: int,
    votes: IntArray,
) -> int:
    """Return the code with most votes; of several, the one that came first."""
    best = most = 0
    for a in range(first, last):
        code = codes[offsets[a] + token]
        if votes[code] > most:
            best, most = int(code), votes[code]
    return best
