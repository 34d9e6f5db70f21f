"""The rewards of workers on sentences where the crowd is trusted."""

import numpy as np

from spancrew.consensus import Beliefs, Model, first_of
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
    others = answers.others(rows)
    lengths = answers.codes.lengths[rows]
    repeated = None if words is None else words.take(sentence)
    labels = without_own.judge(others, lengths, repeated).labels
    return rewards_by_others(answers, labels, metric, rows)


def rewards_by_others(
    answers: Answers, labels: Ragged, metric: Metric, rows: IntArray
) -> FloatArray:
    """Return the F1 of the answers ``rows``, each against its own row of labels.

    The labels are what a model makes of the other answers on the sentence; NaN if there are none.
    """
    scores: FloatArray = metric.pairs(answers.codes, labels, rows, np.arange(len(rows)))[:, 2]
    scores[answers.per_sentence[answers.sentence[rows]] == 1] = np.nan
    return scores


def judge_with_others(
    model: Model, answers: Answers, lengths: IntArray, words: Ragged | None = None
) -> tuple[Beliefs, Ragged]:
    """Return what a model makes of sentences, and for every answer its labels by the others.

    To judge once is cheaper than twice, although not all of it may be needed.
    """
    size = answers.sentences
    sentence = np.concatenate([np.arange(size), answers.sentence])
    repeated = None if words is None else words.take(sentence)
    both = model.judge(_with_others(answers), lengths[sentence], repeated)
    return first_of(both, size), both.labels.within(size, len(sentence))


def _with_others(answers: Answers) -> Answers:
    """Return all sentences, and after them one for every answer, with the others on its own."""
    others = answers.others(np.arange(len(answers)))
    return Answers.unchecked(
        np.concatenate([answers.sentence, others.sentence + np.int32(answers.sentences)]),
        np.concatenate([answers.worker, others.worker]),
        Ragged.joined([answers.codes, others.codes]),
        np.concatenate([answers.first, others.first[1:] + len(answers)]),
    )
