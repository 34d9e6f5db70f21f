"""Who answers in a rehearsal."""

from typing import Protocol

import numpy as np

from spancrew.core import IntArray, Ragged
from spancrew.errors import NoAnswerError


class Crowd(Protocol):
    """Stand-ins for workers: ask for any worker's answer on any sentence, in any order.

    The same crowd gives the same answer to the same question, however often and wherever it is
    asked.
    """

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        ...

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions that can be answered."""
        ...

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return the codes of worker ``workers[k]`` on sentence ``sentences[k]``, row by row.

        A question that cannot be answered is refused with NoAnswerError.
        """
        ...


def refuse_without_gold(gold: Ragged, ids: tuple[str, ...], sentences: IntArray) -> None:
    """Refuse to answer where nobody knows what is right; ``ids`` are those of all sentences."""
    missing = np.flatnonzero(gold.lengths[sentences] == 0)
    if len(missing):
        raise NoAnswerError(
            f"sentence {ids[sentences[missing[0]]]!r} has no gold; a calibrated crowd answers "
            "only where what is right is known: rehearse on a pilot with gold"
        )
