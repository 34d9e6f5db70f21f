"""Some of the workers of a crowd, on some of its sentences."""

from dataclasses import dataclass

from spancrew.core import IntArray, Ragged
from spancrew.crowds._base import Crowd


@dataclass(frozen=True)
class PartOfCrowd:
    """A crowd of which only these sentences and workers are there, numbered anew."""

    crowd: Crowd
    sentence_rows: IntArray
    worker_rows: IntArray

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        names = self.crowd.workers
        return tuple(names[worker] for worker in self.worker_rows.tolist())

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions that can be answered."""
        return self.crowd.can_answer(self.sentence_rows[sentences], self.worker_rows[workers])

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return the codes of worker ``workers[k]`` on sentence ``sentences[k]``."""
        return self.crowd.answers(self.sentence_rows[sentences], self.worker_rows[workers])
