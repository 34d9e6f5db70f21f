"""A crowd that only repeats what real workers said."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import Dataset, IntArray, Ragged, kernel
from spancrew.errors import NoAnswerError


class Replay:
    """Real answers and nothing else, so that a rehearsal on them is honest."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        answers = dataset.answers
        pairs = answers.sentence.astype(np.int64) * len(dataset.workers) + answers.worker
        self._order = np.argsort(pairs)
        self._pairs = pairs[self._order]

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        return self._dataset.workers

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions that were really answered."""
        return np.flatnonzero(self._rows(sentences, workers) >= 0)

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return the real answers; refuse a question that nobody asked the worker."""
        rows = self._rows(sentences, workers)
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            k = missing[0]
            raise NoAnswerError(
                f"worker {self.workers[workers[k]]!r} has no real answer on sentence "
                f"{self._dataset.sentences.ids[sentences[k]]!r}; ask only for real answers, or "
                "rehearse with the calibrated crowd"
            )
        return self._dataset.answers.codes.take(rows)

    def repeat(
        self, sentences: IntArray, workers: IntArray, offsets: IntArray, codes: npt.NDArray[Any]
    ) -> IntArray:
        """Put the real answers into their places among the codes; return which they are."""
        rows = self._rows(sentences, workers)
        real = np.flatnonzero(rows >= 0)
        given = self._dataset.answers.codes
        scatter(given.values, given.offsets[rows[real]], offsets, real, codes)
        return real

    def _rows(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the row of each real answer, or -1."""
        wanted = np.asarray(sentences, np.int64) * len(self.workers) + workers
        place = np.minimum(np.searchsorted(self._pairs, wanted), max(len(self._pairs) - 1, 0))
        if len(self._pairs) == 0:
            return np.full(len(wanted), -1)
        return np.where(self._pairs[place] == wanted, self._order[place], -1)


@kernel
def scatter(
    values: npt.NDArray[Any],
    begin: IntArray,
    offsets: IntArray,
    places: IntArray,
    out: npt.NDArray[Any],
) -> None:
    """Copy runs of values, each from where it begins, to their places among rows."""
    for k in range(len(places)):
        shift = begin[k] - offsets[places[k]]
        for at in range(offsets[places[k]], offsets[places[k] + 1]):
            out[at] = values[at + shift]
