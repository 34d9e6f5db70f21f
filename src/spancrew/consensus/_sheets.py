"""Sentences and answers as kernels read them."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import Answers, IntArray, Ragged, offsets_of


class AnswerSheets(NamedTuple):
    """The answers on sentence ``s`` are ``first[s]`` to ``first[s + 1]``.

    Answer ``a`` is by ``worker[a]``, and its codes begin at ``offsets[a]``. The tokens of a
    sentence are ``begins[s]`` to ``begins[s + 1]``; ``words`` has a number for each of them, and
    is empty where words do not count.
    """

    codes: npt.NDArray[Any]
    offsets: IntArray
    first: IntArray
    worker: IntArray
    begins: IntArray
    words: IntArray


def sheets_of(answers: Answers, lengths: IntArray, words: Ragged | None = None) -> AnswerSheets:
    """Return columns of one type each, so that every kernel is compiled once."""
    return AnswerSheets(
        answers.codes.values,
        answers.codes.offsets,
        answers.first,
        answers.worker.astype(np.int64),
        offsets_of(lengths),
        np.zeros(0, np.int64) if words is None else words.values.astype(np.int64),
    )
