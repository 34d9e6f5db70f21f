"""A crowd of numbers only: the feedback simulator of the paper's Appendix A."""

import numpy as np

from spancrew.core import FloatArray, IntArray, Ragged, kernel, stream, uniform
from spancrew.errors import SpancrewError


class Bernoulli:
    """Workers whose every answer is right with a fixed chance, whatever the sentence.

    A sentence is one token with one label, so that F1 against gold (the label) is 1 or 0: the
    numeric feedback of Appendix A, in the form of answers.
    """

    def __init__(self, chances: dict[str, float], seed: int = 0) -> None:
        for worker, chance in chances.items():
            if not 0 <= chance <= 1:
                raise SpancrewError(f"worker {worker!r}: chance {chance} is not within 0 and 1")
        self._names = tuple(chances)
        self._chances = np.array(list(chances.values()), np.float64)
        self._seed = seed

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        return self._names

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return all places: any question can be answered."""
        del workers
        return np.arange(len(sentences))

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return one code for each question: 1 for right, 0 for wrong."""
        pairs = np.asarray(sentences, np.int64), np.asarray(workers, np.int64)
        right = _draws(self._seed, *pairs) < self._chances[pairs[1]]
        return Ragged(right.astype(np.uint8), np.arange(len(right) + 1))


@kernel
def _draws(seed: int, sentences: IntArray, workers: IntArray) -> FloatArray:
    out = np.empty(len(sentences))
    for k in range(len(sentences)):
        out[k] = uniform(stream(seed, sentences[k], workers[k]), 0)
    return out
