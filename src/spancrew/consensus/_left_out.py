"""How well a model of the workers tells an answer by the others on the same question."""

import numpy as np

from spancrew.consensus._base import Evidence
from spancrew.consensus._dawid_skene import TokenModel
from spancrew.core import offsets_of

_LEAST = -30.0
"""A logarithm below which a probability counts as this one."""


def left_out(model: TokenModel, evidence: Evidence) -> float:
    """Return the mean log-probability of every answer, given the others on its question.

    What a question is by all answers but one is what it is by all, divided by what that one says
    of it. The worker's own numbers are not learned anew without the answer, so models are to be
    compared that have few numbers for each worker.
    """
    answers = evidence.answers
    if not len(answers):
        return 0.0
    size = answers.codes.lengths
    first = offsets_of(evidence.lengths)[answers.sentence] - answers.codes.offsets[:-1]
    token = np.repeat(first, size) + np.arange(int(size.sum()))
    row = model.confusion.row[np.repeat(answers.worker, size), answers.codes.values]
    unlikely = np.exp(-np.clip(model.confusion.rates[row], _LEAST, 0.0))
    chance = model.chances(answers, evidence.lengths)[token]
    return float(-np.log((chance * unlikely).sum(axis=1)).mean())
