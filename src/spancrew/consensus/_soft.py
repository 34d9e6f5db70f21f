"""Soft labels: the probability of every tag for every token."""

import numpy as np

from spancrew.core import Dataset, Finals, FloatArray, gather, offsets_of


def soft_labels(dataset: Dataset) -> FloatArray:
    """Return the probability of every tag for every token, sentence by sentence (tokens x tags).

    A tag of the final labels has the probability of its span. What is left is divided among the
    tags of the other answers as they are, or goes to O if there are none. Outside of final spans
    O is certain, as no probability is known. On a sentence without final labels each tag has its
    share of the answers. A sentence that nobody has answered has zeros. Tags are in the order of
    ``dataset.labels.tags``; gold is not looked at.
    """
    shares = _shares(dataset)
    finals = dataset.finals
    if finals is None:
        return shares
    is_said = finals.is_settled & ((finals.answers > 0) | finals.is_by_expert)
    tokens = np.repeat(is_said, dataset.sentences.starts.lengths)
    shares[tokens] = _around(finals, np.repeat(is_said, finals.codes.lengths), shares[tokens])
    return shares


def _shares(dataset: Dataset) -> FloatArray:
    """Return the share of the answers that each tag has; zeros where nobody has answered."""
    answers = dataset.answers
    begin = offsets_of(dataset.sentences.starts.lengths)
    offsets = answers.codes.offsets
    tokens = np.empty(int(offsets[-1]), np.int64)
    gather(np.arange(int(begin[-1])), begin[answers.sentence], offsets, tokens)
    found = np.zeros((int(begin[-1]), 2 * len(dataset.labels) + 1))
    np.add.at(found, (tokens, answers.codes.values), 1.0)
    total = found.sum(axis=1, keepdims=True)
    np.divide(found, total, out=found, where=total > 0)
    return found


def _around(finals: Finals, tokens: np.ndarray, shares: FloatArray) -> FloatArray:
    """Return the probabilities of some tokens of the final labels, by the shares of answers."""
    codes = finals.codes.values[tokens].astype(np.int64)
    place = np.arange(len(codes)), codes
    sure = np.where(codes > 0, finals.by_token[tokens], 1.0)
    others = shares.copy()
    others[place] = 0.0
    total = others.sum(axis=1, keepdims=True)
    np.divide(others, total, out=others, where=total > 0)
    others[total[:, 0] == 0, 0] = 1.0
    made: FloatArray = others * (1 - sure)[:, None]
    made[place] += sure
    return made
