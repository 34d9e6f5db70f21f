"""Vote on whole spans."""

from dataclasses import dataclass
from typing import Self

from spancrew.consensus._base import Beliefs, Evidence, Model
from spancrew.consensus._candidates import beliefs_of, candidates_of, vote_shares
from spancrew.consensus._refusals import refuse_threshold
from spancrew.consensus._scheduling import best_spans
from spancrew.core import Answers, IntArray, Ragged


@dataclass(frozen=True, slots=True)
class SpanVote:
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

    @property
    def learns(self) -> bool:
        """Return False: a vote counts all workers alike."""
        return False

    def fit(self, evidence: Evidence, before: Model | None = None) -> Self:  # noqa: ARG002  see learns
        """Return the vote itself."""
        return self

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
