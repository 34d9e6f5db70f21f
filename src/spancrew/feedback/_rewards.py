"""The rewards of workers on sentences where the crowd is trusted."""

import numpy as np

from spancrew.consensus import Beliefs, Model
from spancrew.core import Answers, FloatArray, IntArray, Ragged, checked_numbers
from spancrew.metrics import Metric


def crowd_rewards(
    answers: Answers,
    beliefs: Beliefs,
    metric: Metric,
    rows: IntArray,
    without_own: Model | None = None,
    words: Ragged | None = None,
) -> FloatArray:
    """Return the F1 of the answers ``rows`` against the crowd's labels of their sentences.

    With ``without_own`` each answer is scored against what that model makes of the others; a
    single answer then has nothing to be scored against and gets NaN. ``words`` has a row for every
    sentence, as the model wants them.
    """
    checked_numbers("rows of answers", rows, below=len(answers))
    sentence = answers.sentence[rows]
    if without_own is None:
        return metric.pairs(answers.codes, beliefs.labels, rows, sentence)[:, 2]
    others = _others(answers, rows)
    lengths = answers.codes.lengths[rows]
    repeated = None if words is None else words.take(sentence)
    labels = without_own.judge(others, lengths, repeated).labels
    scores = metric.pairs(answers.codes, labels, rows, np.arange(len(rows)))[:, 2]
    scores[others.per_sentence == 0] = np.nan
    return scores


def _others(answers: Answers, rows: IntArray) -> Answers:
    """Return the other answers on the sentence of each row, as a sentence of their own."""
    size = answers.per_sentence[answers.sentence[rows]]
    owner = np.repeat(np.arange(len(rows)), size)
    ends = np.cumsum(size)
    within = np.arange(len(owner)) - np.repeat(ends - size, size)
    found = answers.first[answers.sentence[rows]][owner] + within
    kept = found != rows[owner]
    return answers.take(found[kept], owner[kept], len(rows))
