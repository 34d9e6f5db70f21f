"""Methods that count all workers alike, and the one of them for choices."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model
from spancrew.consensus._choices import believed_choices, firsts, lots, vote_counts
from spancrew.core import Answers, IntArray, Ragged


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
class ChoiceVote(Vote):
    """Take the label with most votes on every question.

    A label is as likely as its share of the votes. Labels with equally many are drawn by lot,
    which depends on who gave them: no label is favoured, and the order of answers is not either.
    With ``ties="first"`` the one that was given first is taken.
    """

    ties: Literal["drawn", "first"] = "drawn"

    def judge(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None = None,  # noqa: ARG002  only answers vote
    ) -> Beliefs:
        """Return the majority's label for every question; nothing where nobody answered."""
        lengths = answers.checked_lengths(lengths)
        labels = (int(answers.codes.values.max(initial=1)) + 1) // 2
        votes = vote_counts(answers, lengths, labels)
        given = np.repeat(np.maximum(answers.per_sentence, 1), lengths)
        lot = lots if self.ties == "drawn" else firsts
        return believed_choices(
            votes / given[:, None], answers, lengths, lot(answers, lengths, labels)
        )
