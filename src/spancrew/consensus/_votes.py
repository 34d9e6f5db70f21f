"""Votes: token by token, and on whole spans."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from spancrew.consensus._base import Beliefs
from spancrew.consensus._candidates import beliefs_of, candidates_of, vote_shares
from spancrew.consensus._choice_vote import ChoiceVote, Vote
from spancrew.consensus._refusals import refuse_threshold
from spancrew.consensus._scheduling import best_spans
from spancrew.core import (
    Answers,
    BoolArray,
    IntArray,
    PlacedAnswers,
    Ragged,
    kernel,
    kernel_part,
    offsets_of,
)
from spancrew.errors import SpancrewError

Ties = Literal["label", "first"]


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
        unknown = np.full(len(contested), np.nan)
        return Beliefs(labels, contested, np.full(len(labels.values), np.nan), *[unknown] * 3)

    def _vote(self, answers: Answers, lengths: IntArray) -> tuple[Ragged, BoolArray]:
        placed = answers.placed._replace(lengths=answers.checked_lengths(lengths))
        offsets = offsets_of(placed.lengths)
        out = np.zeros(offsets[-1], placed.codes.dtype)
        contested = np.zeros(len(placed.lengths), bool)
        _vote(placed, offsets, self.ties == "first", out, contested)
        return Ragged.unchecked(out, offsets), contested


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
def _vote(
    answers: PlacedAnswers,
    offsets: IntArray,
    by_order: bool,
    out: npt.NDArray[Any],
    contested: BoolArray,
) -> None:
    votes = np.zeros(answers.classes, np.int64)
    for s in range(len(offsets) - 1):
        starts = answers.starts[answers.first[s] : answers.first[s + 1]]
        labels = out[offsets[s] : offsets[s + 1]]
        contested[s] = vote_on(answers.codes, starts, by_order, votes, labels)


@kernel_part
def vote_on(
    codes: npt.NDArray[Any],
    starts: IntArray,
    by_order: bool,
    votes: IntArray,
    out: npt.NDArray[Any],
) -> bool:
    """Write the labels of one sentence, and tell whether two had as many votes.

    Its answers begin at ``starts``; ``votes`` is room for a number for every code.
    """
    before = 0
    contested = False
    for token in range(len(out)):
        best = agreed_code(codes, starts, token)
        if best < 0:
            count_votes(codes, starts, token, votes)
            best = _winner(votes)
            if by_order:
                best = _first_seen(codes, starts, token, votes)
            contested |= best > 0 and _is_contested(votes, best)
        if best > 0 and best % 2 == 0 and before != best and before != best - 1:
            best -= 1
        out[token] = best
        before = best
    return contested


@kernel_part
def agreed_code(codes: npt.NDArray[Any], starts: IntArray, token: int) -> int:
    """Return the code that all answers give a token, as on nearly all; -1 if they differ."""
    if len(starts) == 0:
        return 0
    code = codes[starts[0] + token]
    for a in range(1, len(starts)):
        if codes[starts[a] + token] != code:
            return -1
    return int(code)


@kernel_part
def count_votes(codes: npt.NDArray[Any], starts: IntArray, token: int, votes: IntArray) -> None:
    """Count the codes of one token."""
    votes[:] = 0
    for a in range(len(starts)):
        votes[codes[starts[a] + token]] += 1


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
def _first_seen(codes: npt.NDArray[Any], starts: IntArray, token: int, votes: IntArray) -> int:
    """Return the code with most votes; of several, the one that came first."""
    best = most = 0
    for a in range(len(starts)):
        code = codes[starts[a] + token]
        if votes[code] > most:
            best, most = int(code), votes[code]
    return best
