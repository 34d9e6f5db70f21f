"""A model and a pilot on the same footing: the same workers on the same sentences."""

from dataclasses import dataclass

from spancrew.core import IntArray, Ragged
from spancrew.crowds import Crowd


@dataclass(frozen=True)
class SameDesign:
    """Fresh answers of one crowd, by those alone who answered in another.

    What a rule does with these, against what it does with the real answers, is what is wrong with
    the model. Both know the same pairs of sentence and worker, so nothing else differs.
    """

    real: Crowd
    fresh: Crowd

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        return self.real.workers

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions that were really answered."""
        return self.real.can_answer(sentences, workers)

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return a fresh answer for each question."""
        return self.fresh.answers(sentences, workers)
