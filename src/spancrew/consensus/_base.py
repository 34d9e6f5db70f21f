"""What a consensus method is: it turns the answers on sentences into one answer each."""

from typing import NamedTuple, Protocol

from spancrew.core import Answers, BoolArray, IntArray, Ragged


class Beliefs(NamedTuple):
    """What the crowd is taken to say.

    ``labels`` has a row of codes for every sentence; ``contested`` tells where two labels had as
    many votes on a token, so that the choice between them is arbitrary.
    """

    labels: Ragged
    contested: BoolArray


class Consensus(Protocol):
    """A rule that joins the answers on every sentence."""

    def judge(self, answers: Answers, lengths: IntArray) -> Beliefs:
        """Join the answers; ``lengths`` are the tokens of each sentence."""
        ...
